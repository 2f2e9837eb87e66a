import { expect, test } from 'vitest'
import { start } from './checkers'
import { readAnswer, type TypedQuestion } from './quizEntry'

const play: TypedQuestion = { kind: 'play', checkers: start, seat: 0, dice: [3, 1], made: null }
const double: TypedQuestion = { kind: 'doubling', choices: ['double', 'no double'] }
const reply: TypedQuestion = { kind: 'doubling', choices: ['take', 'pass'] }

test('a typed play answers, and an incomplete or illegal one does not', () => {
  expect(readAnswer('8/5 6/5', play)).toMatchObject({ kind: 'moves', text: 'Enter answers 8/5 6/5.' })
  expect(readAnswer('8-5', play).kind).toBe('part')
  expect(readAnswer('8/6', play).kind).toBe('problem')
  expect(readAnswer('double', play).kind).toBe('problem')
})

test('without text, the play on the board answers', () => {
  expect(readAnswer(' ', play)).toEqual({ kind: 'part', text: 'Type a play with 3-1, such as 24/18.' })
  const made = [{ from: 8, to: 5, die: 3, hits: false }]
  expect(readAnswer('', { ...play, made } as TypedQuestion)).toMatchObject({ kind: 'moves', moves: made })
})

test('doubling actions are typed as words or letters', () => {
  for (const [text, question, answer] of [
    ['d', double, 'double'],
    ['Redouble', double, 'double'],
    ['n', double, 'no double'],
    ['no  double', double, 'no double'],
    ['t', reply, 'take'],
    ['p', reply, 'pass'],
    ['drop', reply, 'pass'],
  ] as const)
    expect(readAnswer(text, question)).toMatchObject({ kind: 'answer', answer })
  expect(readAnswer('', double)).toEqual({ kind: 'part', text: 'Type “double” (d) or “no double” (n).' })
  expect(readAnswer('dou', double).kind).toBe('part')
  expect(readAnswer('take', double).kind).toBe('problem')
  expect(readAnswer('24/18', reply).kind).toBe('problem')
})

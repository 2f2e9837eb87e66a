import { expect, test } from 'vitest'
import type { LanguageAnswer } from '../../../engine/page/session'
import { about, compareScores, isKnown, quizzes, shareOf } from './quiz'

const answer = (topic: string): LanguageAnswer => ({
  prompt: 'Iron is',
  endings: [' a', ' b', ' c', ' d'],
  probabilities: [0.4, 0.3, 0.2, 0.1],
  right: 0,
  chosen: 0,
  topic,
  elsewhere: false,
})

test('questions can be narrowed down to a topic', () => {
  const answers = [answer('sums'), answer('rivers'), answer('sums')]
  expect(about(answers, null)).toHaveLength(3)
  expect(about(answers, 'sums')).toHaveLength(2)
  expect(about(answers, 'none')).toEqual([])
})

test('evaluations without questions have no score', () => {
  const rows = [
    { tokens: 1, updates: 1, loss: 5, quiz: null },
    { tokens: 2, updates: 2, loss: 4, quiz: 0.3 },
  ]
  expect(quizzes(rows)).toEqual([{ tokens: 2, share: 0.3 }])
  expect(shareOf({ asked: 0, right: 0 })).toBeNull()
  expect(shareOf({ asked: 4, right: 1 })).toBe(0.25)
})

test('a topic is known if nearly all of at least four questions are answered correctly', () => {
  const scores = [
    { asked: 3, right: 3 },
    { asked: 4, right: 3 },
    { asked: 5, right: 4 },
  ]
  expect(scores.map(isKnown)).toEqual([false, false, true])
})

test('the visitor is compared with the model on the answered questions', () => {
  const answers = [
    { ...answer('metals'), prompt: 'Iron is' },
    { ...answer('metals'), prompt: 'Lead is', chosen: 2 },
    { ...answer('metals'), prompt: 'Zinc is' },
  ]
  expect(compareScores(answers, { 'Iron is': 1, 'Lead is': 0, 'Gold is': 0 })).toEqual({
    asked: 2,
    visitor: 1,
    model: 1,
  })
})

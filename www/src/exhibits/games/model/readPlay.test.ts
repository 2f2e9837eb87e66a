import { describe, expect, test } from 'vitest'
import { BAR, OFF, PLACES, start, type Checkers, type Side } from './checkers'
import type { Roll } from './legalPlays'
import { readPlay } from './readPlay'

const side = (counts: Record<number, number>): Side =>
  Array.from({ length: PLACES }, (_, i) => counts[i] ?? 0)
const position = (own: Record<number, number>, theirs: Record<number, number>): Checkers => [
  side(own),
  side(theirs),
]

/** Returns the notation of a play that is read; for other texts, the message. */
function read(text: string, roll: Roll, checkers: Checkers = start): string {
  const found = readPlay(text, checkers, 0, roll)
  return found.kind === 'play' ? found.notation : `${found.kind}: ${found.text}`
}

describe('a typed play', () => {
  test('is read in any order, with commas, capitals and without hit marks', () => {
    for (const text of ['24/18 13/11', '24-18 13-11', '13/11,24/18', ' 13/11 , 24/18 ', '24 / 18 13/11'])
      expect(read(text, [6, 2])).toBe('24/18 13/11')
    const bar = position({ [BAR]: 1, 6: 3 }, { 3: 1, 13: 1 })
    for (const text of ['bar/22* 6/5', 'BAR/22 6/5', '6/5 b/22'])
      expect(read(text, [3, 1], bar)).toBe('bar/22* 6/5')
  })

  test('can have counts, several stops and one path of both dice', () => {
    expect(read('8/5(2) 6/3(2)', [3, 3])).toBe('8/5(2) 6/3(2)')
    expect(read('6/3 8/5 8/5 6/3', [3, 3])).toBe('8/5(2) 6/3(2)')
    expect(read('24/15 13/10', [3, 3])).toBe('24/15 13/10')
    expect(read('24/20/18', [4, 2])).toBe('24/18')
    const off = position({ 6: 1, 4: 1, [OFF]: 13 }, { 24: 1 })
    expect(read('6/off 4/OFF', [6, 5], off)).toBe('6/off 4/off')
  })

  test('without a mark does not hit on its way; two plays that hit have to be distinguished', () => {
    const blots = position({ 24: 1, 6: 14 }, { 5: 1, 3: 1, 1: 13 })
    expect(read('24/18', [4, 2], blots)).toBe('problem: Ambiguous: write 24/20* 20/18 or 24/22* 22/18.')
    const blot = position({ 24: 1, 6: 14 }, { 5: 1, 1: 14 })
    expect(read('24/18', [4, 2], blot)).toBe('24/18')
    expect(read('24/20*/18', [4, 2], blot)).toBe('24/20*/18')
    expect(read('24/22/18', [4, 2], blot)).toBe('24/18')
  })

  test('that is not complete has no problem', () => {
    expect(read('24/18', [6, 2])).toBe('part: A move with the 2 is missing.')
    expect(read('24/18 13/', [6, 2])).toBe('part: Complete the move, such as 24/18.')
    expect(read('8/5(2)', [3, 3])).toBe('part: 2 more moves of 3.')
    // The second digit is being typed.
    expect(read('24/1', [6, 2])).toBe('part: 24/1 needs 23 pips; the roll is 6-2.')
  })

  test.each([
    ['7/5', [6, 2], 'No checker on 7.'],
    ['13/7', [5, 2], '13/7 needs a 6; the roll is 5-2.'],
    ['13/4', [5, 2], '13/4 needs 9 pips; the roll is 5-2.'],
    ['18/24', [6, 2], '18/24 moves backward: write 24/18.'],
    ['24/22 24/22 24/22', [2, 2], 'Only 2 checkers on 24.'],
    ['24/19', [5, 2], '19 is blocked: 5 checkers of the opponent are on it.'],
    ['8/2 6/off', [6, 2], '6/off is not possible yet: a checker on 24 is not in the home board.'],
    ['13/11*', [6, 2], '13/11* hits no checker: write 13/11.'],
    ['24/18 13/11 8/6', [6, 2], 'The moves need more than the roll 6-2: remove one.'],
    ['hello', [6, 2], '“hello” is no move: write 24/18, bar/22 or 6/off.'],
    ['bar/23', [6, 2], 'No checker on the bar.'],
  ] as const)('%s with %j: %s', (text, roll, problem) => {
    expect(read(text, roll)).toBe(`problem: ${problem}`)
  })

  test('has to enter from the bar first', () => {
    const bar = position({ [BAR]: 1, 6: 3 }, { 13: 2 })
    expect(read('6/3 6/5', [3, 1], bar)).toBe('problem: Enter from the bar first, such as bar/22.')
  })

  test('is in the numbering of the player on roll', () => {
    const [own, theirs] = position({ 24: 2, 6: 13 }, { 13: 5 })
    const found = readPlay('24/18 6/4', [theirs, own], 1, [6, 2])
    expect(found.kind).toBe('play')
  })
})

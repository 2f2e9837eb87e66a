import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CHECKERS, OFF, PLACES, cleared, start, type Checkers, type Side } from './checkers'
import { legalPlays, movesKey, orderedPlays, type Roll } from './legalPlays'
import { playsAfter, targetsAfter, unusedDice } from './moveTargets'
import { afterPlay, isSamePlay, playText, separateMoves } from './notation'

/** Returns a side with these checkers; the others are borne off. */
function side(counts: Readonly<Record<number, number>>): Side {
  const sum = Object.values(counts).reduce((total, count) => total + count, 0)
  return Array.from({ length: PLACES }, (_, place) => (place === OFF ? CHECKERS - sum : (counts[place] ?? 0)))
}

/** Plays of GNU Backgammon; see crates/envs/tests/fixtures/gnubg_plays.py. */
const recorded = readFileSync('crates/envs/tests/fixtures/gnubg_plays.txt', 'utf8')

/** Returns the position of the first field of an XGID, whose capital letters are checkers of seat 0. */
function ofXgid(board: string): Checkers {
  const sideOf = (letters: RegExp, placeOf: (i: number) => number) =>
    side(
      Object.fromEntries(
        [...board].flatMap((letter, i) =>
          letters.test(letter) ? [[placeOf(i), parseInt(letter, 36) - 9]] : [],
        ),
      ),
    )
  return [sideOf(/[A-Z]/, (i) => i), sideOf(/[a-z]/, (i) => 25 - i)]
}

/** Returns the notations of the legal plays of seat 0, each once. */
const texts = (checkers: Checkers, roll: [number, number]) => [
  ...new Set(legalPlays(checkers, 0, roll).map(({ moves }) => playText(checkers, 0, moves))),
]
const results = (checkers: Checkers, seat: 0 | 1, roll: [number, number]) =>
  new Set(legalPlays(checkers, seat, roll).map(({ after }) => JSON.stringify(after))).size

describe('legal plays', () => {
  test('are those of GNU Backgammon, whose notation leads to their positions', () => {
    for (const line of recorded.trim().split('\n')) {
      const [xgid, ...plays] = line.split(';')
      const [board, , , , dice] = xgid!.replace('XGID=', '').split(':')
      const checkers = ofXgid(board!)
      const legal = new Set(
        legalPlays(checkers, 0, [Number(dice![0]), Number(dice![1])]).map(({ after }) =>
          JSON.stringify(after),
        ),
      )
      const theirs = plays.map((play) =>
        JSON.stringify(afterPlay(checkers, 0, play.replace(/ 0\..*| 1\..*/, ''))),
      )
      expect(
        theirs.filter((after) => !legal.has(after)),
        line,
      ).toEqual([])
      // Up to eight plays are recorded.
      if (plays.length < 8) expect(legal.size, line).toBe(plays.length)
    }
  })

  test('of the first rolls have their known numbers of positions', () => {
    const count = (roll: Roll) => results(start, 0, [...roll])
    expect([count([2, 1]), count([6, 5]), count([4, 3])]).toEqual([15, 7, 17])
  })

  test('are one for each set of moves, in one of their orders', () => {
    const home: Checkers = [side({ 3: 1, 2: 1 }), side({ 24: 1 })]
    const keys = legalPlays(home, 0, [6, 5]).map(({ moves }) => movesKey(moves))
    expect(keys).toEqual(['2/0 3/0'])
    expect(orderedPlays(start, 0, [6, 5]).length).toBeGreaterThan(legalPlays(start, 0, [6, 5]).length)
  })

  test('are the same for both players', () => {
    for (const roll of [
      [3, 1],
      [6, 6],
    ] as const)
      expect(results(start, 1, [roll[1], roll[0]])).toBe(results(start, 0, [...roll]))
  })

  test('enter checkers from the bar first, and hit blots', () => {
    // The opponent has the 24 point of seat 0, and a blot on its 22 point.
    const checkers: Checkers = [side({ 25: 1, 8: 1 }), side({ 1: 2, 3: 1 })]
    expect(texts(checkers, [3, 1])).toEqual(['bar/22*/21', 'bar/22* 8/7'])
    expect(texts(checkers, [1, 1])).toEqual(['no move'])
  })

  test('use both dice if possible, otherwise the larger one', () => {
    // Point 2 of seat 0 is blocked, then point 1.
    expect(texts([side({ 9: 1 }), side({ 23: 2 })], [6, 1])).toEqual(['9/3'])
    expect(texts([side({ 10: 1 }), side({ 22: 2, 24: 2 })], [6, 3])).toEqual(['10/4'])
    // The 6 from point 10 leaves no 3, the 3 from point 4 leaves the 6.
    expect(texts([side({ 10: 1, 4: 1 }), side({ 22: 2, 24: 2 })], [6, 3])).toEqual(['10/4'])
  })

  test('bear checkers off, those behind a larger die from the rearmost point only', () => {
    expect(texts([side({ 5: 1, 2: 1 }), cleared[1]], [6, 1]).sort()).toEqual(['5/off', '5/off 2/1'])
    expect(texts([side({ 7: 1, 2: 1 }), cleared[1]], [6, 2]).sort()).toEqual(['7/1 2/off', '7/off'])
  })
})

test('moves that were made leave the plays that begin with them, and the other dice', () => {
  const plays = orderedPlays(start, 0, [3, 1])
  const made = [{ from: 8, to: 5, die: 3 }]
  const after = new Set(playsAfter(plays, made).map(({ moves }) => separateMoves(moves.slice(1))))
  expect(after).toEqual(new Set(['5/4', '6/5', '8/7', '24/23']))
  expect(targetsAfter(plays, []).filter(({ from }) => from === 24)).toMatchObject([
    { to: 21, moves: [{}] },
    { to: 23, moves: [{}] },
    { to: 20, moves: [{}, {}] },
  ])
  expect(targetsAfter(plays, [...made, { from: 6, to: 5, die: 1 }])).toEqual([])
  expect([unusedDice([3, 1], made), unusedDice([3, 3], [{ from: 8, to: 5, die: 3 }])]).toEqual([
    [1],
    [3, 3, 3],
  ])
})

describe('notation', () => {
  test('joins the moves of a checker, counts equal ones, and marks hits', () => {
    const text = (checkers: Checkers, moves: [number, number][]) =>
      playText(
        checkers,
        0,
        moves.map(([from, to]) => ({ from, to, die: from - to })),
      )
    expect(
      text(start, [
        [6, 5],
        [8, 5],
      ]),
    ).toBe('8/5 6/5')
    expect(
      text(start, [
        [24, 18],
        [18, 13],
      ]),
    ).toBe('24/13')
    expect(
      text(start, [
        [6, 3],
        [6, 3],
        [8, 5],
        [8, 5],
      ]),
    ).toBe('8/5(2) 6/3(2)')
    const blots: Checkers = [side({ 25: 1, 6: 2 }), side({ 5: 1, 22: 1 })]
    expect(
      text(blots, [
        [25, 20],
        [6, 3],
      ]),
    ).toBe('bar/20* 6/3*')
    expect(
      text(blots, [
        [25, 20],
        [20, 19],
      ]),
    ).toBe('bar/20*/19')
  })

  test('is read with its hits, also of stops', () => {
    const blots: Checkers = [side({ 25: 1, 6: 2 }), side({ 5: 1, 22: 1 })]
    const [mine, theirs] = afterPlay(blots, 0, 'bar/20*/19 6/3*')
    expect([mine[19], mine[3], mine[25], theirs[25]]).toEqual([1, 1, 0, 2])
    expect(isSamePlay(start, 1, '8/5 6/5', afterPlay(start, 1, '6/5 8/5'))).toBe(true)
    expect(afterPlay(start, 0, 'no move')).toEqual(start)
    expect(afterPlay(start, 1, '6/3(2)')[1][3]).toBe(2)
  })

  test('of each legal play leads to its position', () => {
    for (const { moves, after } of legalPlays(start, 1, [4, 2]))
      expect(isSamePlay(start, 1, playText(start, 1, moves), after)).toBe(true)
  })
})

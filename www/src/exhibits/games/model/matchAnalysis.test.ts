import { expect, test } from 'vitest'
import type { AnalyzedAction, AnalyzedGame, AnalyzedMatch } from '../../../engine/page/session'
import { analyzedTurns, describeTurn, luckMark, nextError, ratedPlays, totalRows } from './matchAnalysis'
import { texts } from './texts'

const { scale } = texts.backgammon

const action = (some: Partial<AnalyzedAction>): AnalyzedAction => ({
  player: 0,
  position: '',
  action: 'play',
  error: 0,
  mark: null,
  best: null,
  candidates: [],
  roll: null,
  play: null,
  luck: null,
  forced: null,
  ...some,
})
const play = (some: Partial<AnalyzedAction> = {}) => action({ luck: 0, forced: false, ...some })
const game = (...actions: AnalyzedAction[]): AnalyzedGame => ({
  score: [0, 0],
  crawford: false,
  actions,
  result: null,
})

test('the actions of a game are divided into turns', () => {
  const missed = action({ action: 'no double', error: 70, mark: '?', best: 'double' })
  const [double, take, pass] = (['double', 'take', 'pass'] as const).map((kind) => action({ action: kind }))
  const [first, second, third] = [play(), play(), play()]
  const all = game(first, missed, second, double!, take!, third, double!, pass!)
  expect(analyzedTurns(all)).toEqual([
    { doubling: [], play: first },
    { doubling: [missed], play: second },
    { doubling: [double, take], play: third },
    { doubling: [double, pass], play: null },
  ])
  expect(analyzedTurns(undefined)).toEqual([])
  expect(ratedPlays([all, game(first)])).toBe(4)
})

test('the next error is a marked play or a marked doubling decision before a play, from all games', () => {
  const bad = play({ error: 131.6, mark: '??', best: '24/18 13/9' })
  const missed = action({ action: 'no double', error: 40, mark: '?!', best: 'double' })
  const pass = action({ action: 'pass', error: 70, mark: '?', best: 'take' })
  const double = action({ action: 'double' })
  const games = [game(play(), bad, play(), double, pass), game(play(), missed, play())]
  expect(nextError(games, 0, null)).toEqual([0, 1])
  expect(nextError(games, 0, 0)).toEqual([0, 1])
  // The wrong pass, which ends the game, has no turn in the list.
  expect(nextError(games, 0, 1)).toEqual([1, 1])
  expect(nextError(games, 1, 1)).toEqual([0, 1])
  expect(nextError([game(play())], 0, 0)).toBeNull()
})

test('a turn is described by its errors and its luck', () => {
  const missed = action({ action: 'no double', error: 70.4, mark: '?', best: 'double' })
  const bad = play({ error: 131.6, mark: '??', best: '24/18 13/9', luck: -312 })
  expect(describeTurn({ doubling: [missed], play: bad }, scale)).toBe(
    'Not to double loses 0.070 (?); best: double. The play loses 0.132 (??); best: 24/18 13/9. Luck of the roll: −0.312.',
  )
  expect(describeTurn({ doubling: [], play: play({ luck: 50 }) }, scale)).toBe(
    'The best play. Luck of the roll: +0.050.',
  )
  const forced = { doubling: [action({ action: 'take' })], play: play({ forced: true }) }
  expect(describeTurn(forced, scale)).toBe('The only legal play. Luck of the roll: 0.000.')
})

test('rolls have the luck marks of GNU Backgammon', () => {
  expect([-600, -599, -300, -299, 0, 299, 300, 599, 600].map(luckMark)).toEqual([
    '−−',
    '−',
    '−',
    '',
    '',
    '',
    '+',
    '+',
    '++',
  ])
})

test('totals have the unit of the match', () => {
  const total = {
    plays: 86,
    play_error: 2628,
    doubling_decisions: 10,
    doubling_error: 0,
    blunders: 17,
    error_rate: 27.375,
    performance_rating: 13.6875,
    luck: -2302.1,
  }
  const none = { ...total, error_rate: null, performance_rating: null }
  const result = { unit: 'match winning probability', actual: [0, 1], luck_adjusted: [0.3377, 0.6623] }
  const analyzed = { length: 5, totals: [total, none], result, games: [], players: ['Ann', 'Bob'] }
  const rows = (some: Partial<AnalyzedMatch>) =>
    Object.fromEntries(
      totalRows({ ...analyzed, ...some } as AnalyzedMatch, scale).map(({ label, values }) => [label, values]),
    )
  expect(rows({})).toMatchObject({
    PR: ['13.7', '–'],
    'Loss of plays': ['2.628', '2.628'],
    Luck: ['−2.302', '−2.302'],
    'Luck-adjusted': ['33.77\u00a0%', '66.23\u00a0%'],
  })
  expect(rows({ length: 0 })['Result, points']).toEqual(['0.000', '+1.000'])
  expect(rows({ result: null })).not.toHaveProperty('Luck-adjusted')
})

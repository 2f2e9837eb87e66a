import { describe, expect, test } from 'vitest'
import type {
  DoublingReport,
  GameDoubling,
  GameOutcome,
  GameTable,
  GameTurn,
} from '../../../engine/page/session'
import {
  gameLabel,
  hasMatchToLose,
  isMatchText,
  MatchLog,
  playedGame,
  recordTitle,
  resultText,
  shownMatch,
} from './playedMatch'

const turn = (seat: number, id = '4HPwATDgc/ABMA:cAkAAAAAAAAA'): GameTurn =>
  ({ seat, dice: [3, 1], doubled: null, text: '8/5 6/5', moves: [], id }) as unknown as GameTurn

const won = (winner: number, points: number): GameOutcome => ({ winner, points, win: 1, how: 'resigned' })

const rules = { length: 3, jacoby: false, crawford: false, match_winner: null } as GameDoubling

const table = (game: number, changes: Partial<GameTable> = {}): GameTable =>
  ({
    game,
    seats: [{ kind: 'person' }, { kind: 'pips' }],
    board: { kind: 'backgammon' },
    score: [0, 0],
    history: [turn(0)],
    outcome: null,
    doubling: rules,
    ...changes,
  }) as GameTable

const names: [string, string] = ['You', 'Pip count']

test('a game is recorded from the starting position only, with the score before it', () => {
  const over = table(1, { score: [3, 1], outcome: won(0, 2) })
  expect(playedGame(over)).toMatchObject({ score: [1, 1], outcome: { points: 2 }, turns: [{ seat: 0 }] })
  // The players were replaced after the game, which resets the score.
  expect(playedGame(table(1, { outcome: won(0, 2) }))).toMatchObject({ score: [0, 0] })
  expect(playedGame(table(1, { history: [] }))).toBeNull()
  expect(playedGame(table(1, { history: [turn(0, 'sGfwATDgc/ABMA:cAkAAAAAAAAA')] }))).toBeNull()
  expect(playedGame(table(1, { board: { kind: 'connect_four', cells: [], winning: [] } }))).toBeNull()
})

test('a match can be lost from the first action of the visitor to its end, also from a position that was set up', () => {
  const entered = 'sGfwATDgc/ABMA:cAkAAAAAAAAA'
  const start = '4HPwATDgc/ABMA:cAkAAAAAAAAA'
  const at = (changes: Partial<GameTable>) =>
    hasMatchToLose(table(1, { stage: 'roll', moves: [], id: entered, history: [], ...changes }))
  expect(at({})).toBe(false)
  expect(at({ history: [turn(1, entered)] })).toBe(false)
  expect(at({ history: [turn(0, entered)] })).toBe(true)
  expect(at({ moves: [{ from: 24, to: 18, hits: false }] })).toBe(true)
  expect(at({ doubling: { ...rules, can_take_back: true } })).toBe(true)
  // The score of a position that was set up, and the score of the games before.
  expect(at({ score: [2, 1] })).toBe(false)
  expect(at({ score: [2, 1], id: start })).toBe(true)
  // Between the games, and after the match.
  const over: Partial<GameTable> = { stage: 'over', history: [turn(0, entered)], score: [1, 0] }
  expect(at(over)).toBe(true)
  expect(at({ ...over, doubling: { ...rules, match_winner: 0 } })).toBe(false)
  expect(at({ ...over, doubling: null })).toBe(false)
  // A game of computers.
  expect(at({ history: [turn(0)], seats: [{ kind: 'pips' }, { kind: 'pips' }] })).toBe(false)
})

test('the games of a match are collected', () => {
  const log = new MatchLog()
  const first = table(1, { score: [1, 0], outcome: won(0, 1) })
  log.receive(table(1))
  log.receive(first)
  expect(log.match(first, names)?.games).toHaveLength(1)
  const second = table(2, { score: [1, 0], history: [turn(1)] })
  log.receive(second)
  const played = log.match(second, names)!
  expect(played).toMatchObject({ names, length: 3, jacoby: false })
  expect(played.games.map(({ score, outcome }) => [score, outcome?.points])).toEqual([
    [[0, 0], 1],
    [[1, 0], undefined],
  ])
  // Before the first turn, the match consists of the finished games.
  expect(log.match({ ...second, history: [] }, names)?.games).toHaveLength(1)
  // A new match, and other players.
  log.receive(table(3))
  expect(log.match(table(3), names)?.games).toHaveLength(1)
  log.receive(table(3, { score: [1, 0], outcome: won(0, 1) }))
  const others = table(4, { score: [1, 0], seats: [{ kind: 'person' }, { kind: 'pubeval' }] })
  log.receive(others)
  expect(log.match(others, names)?.games).toHaveLength(1)
})

test('an unfinished game that was replaced is not part of the match', () => {
  const log = new MatchLog()
  log.receive(table(1))
  log.receive(table(2))
  expect(log.match(table(2), names)?.games).toHaveLength(1)
  log.receive(table(2, { score: [1, 0], outcome: won(0, 1) }))
  log.receive(null)
  log.receive(table(3, { score: [1, 0] }))
  expect(log.match(table(3, { score: [1, 0] }), names)?.games).toHaveLength(1)
})

test('a game that is resigned before its first turn is part of the match', () => {
  const log = new MatchLog()
  log.receive(table(1, { score: [1, 0], outcome: won(0, 1) }))
  const id = turn(0).id
  const resigned = table(2, { score: [1, 1], history: [], outcome: won(1, 1), id })
  log.receive(resigned)
  expect(log.match(resigned, names)?.games).toHaveLength(2)
  const third = table(3, { score: [1, 1], history: [], id })
  log.receive(third)
  expect(log.match(third, names)?.games.map(({ score, turns }) => [score, turns.length])).toEqual([
    [[0, 0], 1],
    [[1, 0], 0],
  ])
})

test('an opened match is described', () => {
  const match = { names, length: 5, jacoby: false, games: [] }
  expect(recordTitle(match)).toBe('You and Pip count, match to 5 points')
  expect(recordTitle({ ...match, length: 0 })).toBe('You and Pip count, money session')
  const game = { score: [4, 2] as [number, number], crawford: true, turns: [], doubles: [], outcome: null }
  expect(gameLabel(game, 3)).toBe('Game 4, score 4–2, Crawford')
  expect(resultText(match, game)).toBe('The game is unfinished.')
  const dropped = { ...won(1, 2), how: 'dropped' }
  expect(resultText(match, { ...game, outcome: dropped })).toBe(
    'Pip count wins 2 points: the double was passed.',
  )
  expect(resultText(match, { ...game, outcome: won(0, 1) })).toBe('You win 1 point: the other side resigned.')
})

test('a binary file is not a match text, and a text may have names in Latin-1', () => {
  const text = '; [Player 1 "J\ufffdrg"]\n\n 5 point match\n\n Game 1\n'
  expect(isMatchText('a.mat', text)).toBe(true)
  expect(isMatchText('a.XG', text)).toBe(false)
  expect(isMatchText('a.mat', `RGMH${text}\0`)).toBe(false)
  expect(isMatchText('a.txt', 'RGMH\ufffd\ufffd')).toBe(false)
})

describe('doubles of the match at the table', () => {
  const cube = (value: number, owner: number | null, last: object | null = null) =>
    ({ ...rules, cube: value, owner, last }) as GameDoubling
  const take = { seat: 1, chosen: 'take', costs: [0, 0.409, 0, 0.3] } as unknown as DoublingReport
  const opening = turn(0)
  const theirs = turn(1, 'second')
  const before = table(1, {
    stage: 'roll',
    history: [opening, theirs],
    doubling: cube(1, null),
    id: 'before',
  })
  const taken = table(1, {
    stage: 'roll',
    history: [opening, theirs],
    doubling: cube(2, 1, take),
    id: 'after',
  })
  const doubled = { ...turn(0, 'play'), doubled: 2 }
  const later = table(1, {
    stage: 'roll',
    history: [opening, theirs, doubled],
    doubling: cube(2, 1, take),
    id: 'now',
    score: [1, 0],
  })
  const logged = (...tables: GameTable[]) => {
    const log = new MatchLog()
    for (const table of tables) log.receive(table)
    return log
  }
  const decision = { turn: 2, doubling: true }

  test('keep their position and their equities', () => {
    const log = logged(before, taken, later)
    const past = log.positionBefore(log.match(later, names)!, 0, decision)
    expect(past).toMatchObject({ id: 'before', cube: { value: 1, owner: null }, report: take })
    expect(log.reports().map((reports) => [...reports])).toEqual([[[2, take]]])
    // The report of the double is not that of the play, nor of another match.
    const match = log.match(later, names)!
    expect(log.positionBefore(match, 0, { turn: 2, doubling: false })).toMatchObject({
      id: 'play',
      report: null,
    })
    const other = { ...match, games: [{ ...match.games[0]!, turns: [turn(1, 'other'), theirs] }] }
    expect(log.positionBefore(other, 0, decision)).toMatchObject({ id: null, report: null })
  })

  test('and decisions of human players not to double are reported at their turn', () => {
    const missed = { seat: 0, chosen: 'no_double', costs: [0.2, 0, 0, 0.3] } as unknown as DoublingReport
    const mine = { ...before, doubling: { ...cube(1, null), can_double: true }, seat: 0 } as GameTable
    const rolled = { ...mine, stage: 'person', doubling: cube(1, null, missed), id: 'play' } as GameTable
    const played = [opening, theirs, turn(0), turn(1)]
    const atFour = table(1, { seat: 0, stage: 'roll', history: played, doubling: cube(2, 1, missed) })
    const log = logged(mine, rolled, atFour, { ...atFour, stage: 'person' })
    // At the next turn the player may not double, so that the last report stays that of the turn before.
    expect(log.reports().map((reports) => [...reports])).toEqual([[[2, missed]]])
    const past = log.positionBefore(log.match(atFour, names)!, 0, decision)
    expect(past).toMatchObject({ id: 'before', report: missed })
    // After the play is taken back, the double replaces it.
    const doubles = { ...missed, chosen: 'double' } as DoublingReport
    log.receive(mine)
    log.receive({ ...mine, stage: 'doubled', doubling: cube(1, null, doubles) } as GameTable)
    expect(log.reports()[0]!.get(2)).toEqual(doubles)
  })

  test('are forgotten when an earlier turn is taken back', () => {
    const log = logged(
      before,
      taken,
      later,
      table(1, { stage: 'roll', history: [], doubling: cube(1, null) }),
    )
    expect([...log.reports()[0]!]).toEqual([])
  })

  test('stay known in the finished games, also the one that was passed', () => {
    const drop = { ...take, chosen: 'drop' } as DoublingReport
    const over = table(1, {
      stage: 'over',
      history: [opening, theirs],
      outcome: { ...won(0, 1), how: 'dropped' },
      doubling: cube(1, null, drop),
      score: [1, 0],
    })
    const next = table(2, { stage: 'roll', score: [1, 0], doubling: cube(1, null, drop), id: 'start' })
    const log = logged(before, over, next)
    expect(log.reports().map((reports) => [...reports])).toEqual([[[2, drop]], []])
    const past = log.positionBefore(log.match(next, names)!, 0, decision)
    expect(past).toMatchObject({ id: 'before', report: drop, score: [0, 0] })
  })

  test('have the cube, the score and the decision of the shown position', () => {
    const log = logged(before, taken, later)
    const past = {
      ...log.positionBefore(log.match(later, names)!, 0, decision),
      score: [0, 0] as [number, number],
    }
    expect(shownMatch(later, null, past)).toMatchObject({
      doubling: { cube: 1, owner: null },
      score: [0, 0],
      report: take,
    })
    // The turn before the double.
    expect(shownMatch(later, 0, null)).toMatchObject({ doubling: { cube: 1, owner: null }, report: null })
    expect(shownMatch(later, null, null)).toMatchObject({
      doubling: { cube: 2, owner: 1 },
      report: take,
      score: [1, 0],
    })
    expect(shownMatch(table(1, { doubling: null }), null, null)).toBeNull()
  })
})

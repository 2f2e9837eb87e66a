import { expect, test } from 'vitest'
import type { GameDoubling, GameOutcome, GameTable, GameTurn } from '../../../engine/page/session'
import { gameLabel, isMatchText, MatchLog, playedGame, recordTitle, resultText } from './playedMatch'

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

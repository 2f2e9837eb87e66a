import { describe, expect, test } from 'vitest'
import { frameOf } from '../../../../tests/fixtures/frame'
import type {
  AnalyzedAction,
  GameAnalysis,
  GameCandidate,
  GameMatch,
  GameNode,
  GamePlayer,
  GameTable,
  LadderRow,
  PlayerChoice,
} from '../../engine/page/session'
import { ratedArrows, rolledArrows, searchedArrows } from './backgammon/arrows'
import { pathsOf } from './backgammon/plays'
import {
  before,
  columns,
  completing,
  describeRow,
  dropped,
  empty,
  height,
  rows,
  rowsThrough,
  winningRows,
} from './connect-four/cells'
import { searchStep } from './guides/shared'
import {
  apart,
  band,
  firstMatchText,
  ladderRungs,
  ladderTable,
  lines,
  path,
  plot,
  strength,
  progressText,
  strengthClause,
  strengthText,
} from './model/ladder'
import { reachesMilestone } from './model/milestone'
import { RateMeter } from './model/rateMeter'
import { ended, inWords, nextStandings, standing, unknown, viewOf } from './model/outcomes'
import { partPlayed, searchEffect } from './model/matches'
import { beforeTurn, status } from './model/status'
import { grid, thumbnailsOf, thumbnailsText } from './model/thumbnails'
import { columnWidths, describeNode, layOut, lineTo, treeTable } from './model/tree'
import { texts } from './model/texts'
import { boardAfter } from './tree-board'

function row(label: string, steps: number, points: number): LadderRow {
  const opponent = label === 'Random' ? ({ kind: 'random' } as const) : ({ kind: 'pubeval' } as const)
  return {
    steps,
    generation: 0,
    opponent,
    label,
    games: 10,
    points,
    interval: [points - 0.2, points + 0.2],
    wins: 0.5,
  }
}

describe('the ladder', () => {
  test('is a table with a row for each match', () => {
    expect(ladderTable([row('Random', 8, 0.5), row('pubeval', 16, 0.1)])).toEqual({
      step: [8, 16],
      opponent: ['Random', 'pubeval'],
      games: [10, 10],
      points: [0.5, 0.1],
      'lower bound (95 %)': [0.3, expect.closeTo(-0.1)],
      'upper bound (95 %)': [0.7, expect.closeTo(0.3)],
      wins: [0.5, 0.5],
    })
  })

  test('its strength is the hardest opponent that is beaten, and the next one', () => {
    const result = (opponent: GamePlayer, wins: number, points = 0): LadderRow => ({
      ...row('', 0, points),
      opponent,
      wins,
    })
    const minimax = (depth: number) => ({ kind: 'minimax', depth }) as const
    const random = result({ kind: 'random' }, 0.98)
    expect(strength([], 3)).toBeNull()
    const partial = strength([random, result(minimax(2), 0.41, 0.1), result(minimax(4), 0.2)], 1)!
    expect(partial.curve).toEqual([0.55])
    expect(strengthText(partial)).toBe(
      'beats random moves (98 %); next: a player that computes 2 moves ahead (41 %)',
    )
    expect(strengthText(strength([result({ kind: 'random' }, 0.3)], 1)!)).toBe(
      'does not beat random moves (30 %) yet',
    )
    const level = [random, ...[0.45, 0.5, 0.55].map((wins) => result(minimax(4), wins))]
    expect(strengthText(strength(level, 1)!)).toBe(
      'beats random moves (98 %), draws level with a player that computes 4 moves ahead (50 %)',
    )
    expect(
      [level, [random], [result(minimax(2), 0.2)]].map((rows) => strengthClause(strength(rows, 1)!)),
    ).toEqual([
      'draws level with a player that computes 4 moves ahead',
      'beats random moves',
      'does not beat a player that computes 2 moves ahead yet',
    ])
    expect(
      [level, [random, result(minimax(2), 0.41)], [result(minimax(2), 0.2)], [random]].map((rows) =>
        progressText(strength(rows, 1)!),
      ),
    ).toEqual([
      'The network in training beats random moves, and draws level with the next harder opponent.',
      'The network in training beats random moves; this is the next harder opponent.',
      'The network in training does not beat its first opponent yet.',
      'The network in training beats each opponent so far; this is the hardest one.',
    ])
    expect(strengthText(strength([result({ kind: 'random' }, 0.55)], 1)!)).toBe(
      'draws level with random moves (55 %)',
    )
    const all = [random, ...[0.1, 0.4, 0.5, 0.9].map((wins) => result(minimax(2), wins))]
    expect(strengthText(strength(all, 1)!)).toBe(
      'beats the strongest opponent: a player that computes 2 moves ahead (60 %)',
    )
  })

  const ladder = [
    row('Random', 0, 0),
    row('Pubeval', 0, -1),
    row('Random', 100, 1.5),
    row('Pubeval', 100, 0.1),
  ]

  test('has a line for each opponent', () => {
    expect(lines(ladder).map(({ label, rows }) => [label, rows.length])).toEqual([
      ['Random', 2],
      ['Pubeval', 2],
    ])
    expect(lines([])).toEqual([])
  })

  test('holds every measurement, with even in the middle', () => {
    const p = plot(ladder, 300, 200, 3)
    expect(p.y(0)).toBe(100)
    for (const { points, interval, steps } of ladder) {
      for (const value of [points, ...interval]) {
        expect(p.y(value)).toBeGreaterThanOrEqual(0)
        expect(p.y(value)).toBeLessThanOrEqual(200)
      }
      expect(p.x(steps)).toBeLessThanOrEqual(300)
    }
    expect(p.ticks).toContain(0)
    expect(path(lines(ladder)[0]!.rows, p)).toMatch(/^M0 100L300 [\d.]+$/)
    expect(band(lines(ladder)[0]!.rows, p)).toMatch(/Z$/)
    expect(band([ladder[0]!], p)).toBe('')
    expect(plot([], 300, 200, 3).y(0)).toBe(100)
  })

  test('keeps its labels apart', () => {
    const at = apart([10, 12, 90], 15, 0, 100)
    expect(at).toEqual([10, 25, 90])
    const low = apart([99, 98, 97], 15, 0, 100)
    expect([...low].sort((a, b) => a - b)).toEqual([70, 85, 100])
    expect(low[2]).toBeLessThan(low[0]!)
  })
})

test('a run reaches its milestone with half of the games of three matches, not of one', () => {
  expect(reachesMilestone('connect-four', {})).toBe(false)
  expect(reachesMilestone('connect-four', { wins_minimax_4: 0.49, wins_pubeval: 0.9 })).toBe(false)
  expect(reachesMilestone('connect-four', { wins_minimax_4: 0.5 })).toBe(true)
  expect(reachesMilestone('backgammon', { wins_pubeval: 0.5 })).toBe(true)
})

describe('what search adds', () => {
  const match = (simulations: number, points: number | null, played = 10): GameMatch =>
    ({
      players: [{ kind: 'best', simulations }, { kind: 'random' }],
      points,
      interval: points === null ? null : [-0.5, 0.5],
      played,
      pairs: 10,
    }) as GameMatch

  test('is known when all matches have ended', () => {
    const ended = [match(0, -0.29), match(100, 0.1), match(300, 0.35)]
    for (const matches of [ended, [...ended].reverse()])
      expect(searchEffect(matches)).toMatchObject({
        without: { points: -0.29, low: -0.5 },
        with: { points: 0.35, high: 0.5 },
        simulations: 300,
        games: 20,
      })
    expect(searchEffect([...ended.slice(0, 2), match(300, 0.2, 9)])).toBeNull()
    expect(searchEffect(ended.slice(0, 1))).toBeNull()
    expect(searchEffect(ended.slice(1))).toBeNull()
    expect(searchEffect([])).toBeNull()
  })

  test('is measured in matches, a part of which is played; moves with more simulations take longer', () => {
    expect(partPlayed([match(0, 0.1), match(100, 0.2, 5)])).toBeCloseTo(
      (10 + 5 * (1 + 100 / 30)) / (10 + 10 * (1 + 100 / 30)),
    )
    expect(partPlayed([])).toBe(0)
  })

  test('is the outcome of the guide', () => {
    const search = searchStep(texts.backgammon.scale, { question: '', opponent: 'pubeval', pairs: 25 })
    const without = { without: -0.29, withoutLow: -0.5, withoutHigh: -0.1 }
    const now = {
      points: -0.29,
      simulations: 100,
      games: 100,
      ...without,
      with: 0.35,
      withLow: 0.1,
      withHigh: 0.6,
    }
    expect(search.outcome(now, now)).toEqual({
      text: 'With 100 simulations per move the network wins +0.35 points per game; without search, −0.29 points per game. Search adds 0.64 points per game: the bars of both results, which show how much can be chance, do not overlap.',
      right: 2,
    })
    expect(search.outcome({ ...now, withLow: -0.2 }, now)).toMatchObject({
      text: expect.stringContaining('These games do not show that search helps') as string,
      right: 0,
    })
    expect(search.outcome({ ...now, with: -0.7, withLow: -0.8, withHigh: -0.6 }, now)).toMatchObject({
      text: expect.stringContaining('makes this network weaker') as string,
      right: 0,
    })
    expect(search.outcome({ points: 0.1 }, now)).toBe(
      'Measuring: without search the network wins +0.10 points per game so far.',
    )
  })
})

describe('thumbnails of self-play games', () => {
  test.each([
    [900, 500, 20, 1.34],
    [360, 320, 6, 1.34],
    [900, 500, 7, 1.12],
    [300, 800, 1, 1],
  ])('a grid of %d by %d pixels has %d boards', (width, height, count, aspect) => {
    const cells = grid(width, height, count, aspect)
    expect(cells.columns * cells.rows).toBeGreaterThanOrEqual(count)
    expect(cells.columns * cells.width).toBeCloseTo(width)
    expect(cells.rows * cells.height).toBeCloseTo(height)
  })

  test('are read from a frame that contains them', () => {
    const boards = { shape: [2, 42], data: new Uint8Array(84) }
    expect(thumbnailsOf(frameOf({ 'thumbnails/boards': boards }))).toMatchObject({ games: 2, size: 42 })
    expect(
      thumbnailsOf(frameOf({ 'thumbnails/boards': { shape: [0, 42], data: new Uint8Array(0) } })),
    ).toBeNull()
    expect(thumbnailsOf(frameOf({}))).toBeNull()
    expect(thumbnailsOf(null)).toBeNull()
  })

  test('have a text that counts the drawn games and the expected wins', () => {
    const shown = thumbnailsOf(
      frameOf({
        'thumbnails/boards': { shape: [4, 42], data: new Uint8Array(168) },
        'thumbnails/equity': { shape: [4], data: Float32Array.of(0.5, -0.1, 0, 1) },
      }),
    )
    const expected = (games: number, first: number, second: number) =>
      `${games} games of self-play: the network expects the first player to win ${first} of them and the second ${second}.`
    expect(thumbnailsText(shown, 3)).toBe(expected(3, 1, 1))
    expect(thumbnailsText(shown, 9)).toBe(expected(4, 2, 1))
    expect(thumbnailsText(null, 9)).toBe('Games of self-play: none yet.')
  })
})

describe('a rate meter', () => {
  test('returns the rate per minute over the last seconds', () => {
    const meter = new RateMeter(12_000)
    expect(meter.add(0, 100)).toBeNull()
    expect(meter.add(1000, 110)).toBeNull()
    expect(meter.add(4000, 140)).toBe(600)
    for (let i = 5; i <= 30; i++) meter.add(1000 * i, 140)
    expect(meter.add(31_000, 140)).toBe(0)
    // The counter of another run is lower.
    expect(meter.add(32_000, 3)).toBeNull()
  })
})

describe('arrows', () => {
  const candidate = (text: string, visits: number, from: number, to: number): GameCandidate => ({
    text,
    moves: [{ from, to, hits: false }],
    branches: [0],
    visits,
    prior: 0,
    equity: 0,
    lost: 0,
    outcome_probabilities: [],
  })
  const plays = [
    candidate('a', 100, 13, 7),
    candidate('b', 50, 8, 2),
    candidate('c', 20, 6, 1),
    candidate('d', 9, 6, 5),
  ]

  test('show the first few plays, best one on top', () => {
    const shown = searchedArrows(plays, 0, null, null)
    expect(shown.map(({ key }) => key)).toEqual(['c', 'b', 'a'])
    expect(shown.map(({ kind }) => kind)).toEqual(['other', 'other', 'best'])
    expect(shown.at(-1)!.weight).toBe(1)
  })

  test('only the hovered or selected play is shown, if there is one', () => {
    expect(searchedArrows(plays, 1, 'd', 'd')).toMatchObject([{ key: 'd', weight: 1, paths: [[19, 20]] }])
    expect(searchedArrows([], 0, 'c', null)).toEqual([])
  })

  test('show the play that was made as a mistake, also of a search with few visits', () => {
    const shown = searchedArrows(plays, 0, null, 'd')
    expect(shown.map(({ key, kind }) => [key, kind])).toEqual([
      ['d', 'mistake'],
      ['c', 'other'],
      ['b', 'other'],
      ['a', 'best'],
    ])
  })

  test('of an analyzed play are its best play and the play that was made', () => {
    const rated = (play: string) => ({ play }) as AnalyzedAction['candidates'][number]
    const candidates = [rated('13/6'), rated('13/8 6/4'), rated('6/1 3/1')]
    const made = { candidates, player: 0, play: '6/1 3/1', best: '13/6' }
    expect(ratedArrows(made, null)).toEqual([
      {
        key: '6/1 3/1',
        seat: 0,
        paths: [
          [6, 1],
          [3, 1],
        ],
        weight: 1,
        kind: 'mistake',
      },
      { key: '13/6', seat: 0, paths: [[13, 6]], weight: 1, kind: 'best' },
    ])
    expect(ratedArrows(made, '13/8 6/4')).toMatchObject([{ key: '13/8 6/4', kind: 'best' }])
    const best = { ...made, play: '13/6', best: null }
    expect(ratedArrows(best, null)).toMatchObject([{ key: '13/6', kind: 'best' }])
  })

  test('of a rollout are its best play and the play that was made', () => {
    const rolled = { plays: ['13/8 6/4', '13/6', '6/1 3/1'], seat: 0, mistake: '6/1 3/1' } as const
    const shown = (play: string | null) => rolledArrows(rolled, play).map(({ key, kind }) => [key, kind])
    expect(shown(null)).toEqual([
      ['6/1 3/1', 'mistake'],
      ['13/8 6/4', 'best'],
    ])
    expect(shown('13/6')).toEqual([['13/6', 'best']])
  })

  test('follow the notation of a play', () => {
    expect(pathsOf('bar/20* 8/4*/2 6/off(2)')).toEqual([
      [25, 20],
      [8, 2],
      [6, 0],
      [6, 0],
    ])
    expect(pathsOf('cannot move')).toEqual([])
  })
})

describe('Connect Four', () => {
  test('stones are stacked', () => {
    let cells = empty
    for (let i = 0; i < rows; i++) cells = dropped(cells, 3, i % 2)
    expect(height(cells, 3)).toBe(rows)
    expect(cells.slice(18, 24)).toEqual([1, 2, 1, 2, 1, 2])
    expect(dropped(cells, 3, 0)).toBe(cells)
    expect(empty).toHaveLength(columns * rows)
  })

  test('the holes that complete four are found in all directions', () => {
    const place = (moves: readonly (readonly [column: number, seat: number])[]) =>
      moves.reduce((at, [column, seat]) => dropped(at, column, seat), empty)
    const cell = (column: number, row: number) => rows * column + row
    const row = place([0, 2, 3].map((column) => [column, 0]))
    expect([completing(row, 0), completing(row, 1)]).toEqual([[cell(1, 0)], []])
    expect(completing(place([4, 4, 4].map((column) => [column, 1])), 1)).toEqual([cell(4, 3)])
    const diagonal = place([
      [0, 0],
      [1, 1],
      [1, 0],
      [2, 1],
      [2, 1],
      [2, 0],
    ])
    expect(completing(diagonal, 0)).toEqual([cell(3, 3)])
    const open = [1, 2, 3].reduce((at, column) => dropped(at, column, 0), empty)
    expect(completing(open, 0)).toEqual([cell(0, 0), cell(4, 0)])
    expect(rowsThrough(open, cell(4, 0), 0)).toEqual([[cell(1, 0), cell(4, 0)]])
  })

  test('the rows of a finished game are found once, and described', () => {
    // A stone that completes a horizontal row and a diagonal.
    const cells = [...empty]
    const cell = (column: number, row: number) => rows * column + row
    const stones = [0, 1, 2, 3].flatMap((i) => [cell(i, 0), cell(i, 3 - i)])
    for (const i of stones) cells[i] = 2
    const found = winningRows(cells, stones)
    expect(found).toEqual([
      [cell(0, 0), cell(3, 0)],
      [cell(0, 3), cell(3, 0)],
    ])
    expect(describeRow(found[1]!)).toBe('column 1, row 4 to column 4, row 1')
    expect(winningRows(cells, [])).toEqual([])
  })

  test('restores earlier boards move by move', () => {
    const moves = [3, 3, 2]
    const cells = moves.reduce((at, column, i) => dropped(at, column, i % 2), empty)
    const history = moves.map((column, seat) => ({
      seat,
      moves: [{ from: column, to: column, hits: false }],
    }))
    const table = { history } as unknown as GameTable
    expect(before(table, cells, 3)).toEqual(cells)
    expect(before(table, cells, 1)).toEqual(dropped(empty, 3, 0))
    expect(before(table, cells, 0)).toEqual(empty)
  })
})

describe('captions of the table', () => {
  const table = (some: object) =>
    ({
      board: { kind: 'backgammon' },
      seat: 0,
      seats: [{ kind: 'person' }, { kind: 'best', simulations: 100 }],
      stage: 'person',
      dice: [3, 1],
      moves: [],
      can_confirm: false,
      outcome: null,
      score: [3, 3],
      dice_mode: 'ask',
      ...some,
    }) as unknown as GameTable
  const names = ['You', 'Best so far'] as const
  const analysis = { made: 40, wanted: 100 } as never

  test.each([
    [{}, 'Your move with 3-1.'],
    [{ can_confirm: true }, 'No move is possible with 3-1.'],
    [{ can_confirm: true, moves: [{}] }, 'You played 3-1: done?'],
    [{ stage: 'roll', dice: null }, 'Your turn: roll the dice.'],
    [{ stage: 'roll', dice: null, seat: 1, dice_mode: 'by_hand' }, 'Enter the roll of Best so far.'],
    [{ stage: 'computer', seat: 1 }, 'Best so far searches with 3-1: 40 of 100 simulations.'],
    [
      { stage: 'computer', seat: 1, waits: true, pace: null },
      'Best so far searches with 3-1: 40 of 100 simulations.',
    ],
    // The simulations belong to the analyst.
    [{ stage: 'computer', seat: 1, waits: true }, 'Best so far to play 3-1: press “Move now”.'],
    [
      { stage: 'computer', seat: 1, seats: [{ kind: 'person' }, { kind: 'pubeval' }] },
      'Best so far plays 3-1.',
    ],
    [
      { stage: 'computer', seat: 1, seats: [{ kind: 'person' }, { kind: 'best', simulations: 0 }] },
      'Best so far plays 3-1.',
    ],
    [{ outcome: { winner: 0, points: 2, win: 2, how: 'gammon' } }, 'You win a gammon: 2 points.'],
    // A player seated after the end has not won the game.
    [
      { outcome: { winner: 0, points: 2, win: 2, how: 'gammon' }, score: [0, 0] },
      'The side below wins a gammon: 2 points.',
    ],
    [
      { outcome: { winner: 1, points: 1, win: 1, how: 'resigned' } },
      'Best so far wins a single game, as the other side resigned: 1 point.',
    ],
    [
      { board: { kind: 'connect_four' }, outcome: { winner: 1, points: 1, win: 1, how: 'resigned' } },
      'Best so far wins: the other side resigned.',
    ],
    [
      { board: { kind: 'connect_four' }, outcome: { winner: 0, points: 1, win: 1, how: 'four in a row' } },
      'You win: four in a row.',
    ],
    [
      {
        board: { kind: 'connect_four', winning: [0, 6, 12, 18] },
        outcome: { winner: 0, points: 1, win: 1, how: 'four in a row' },
      },
      'You win: four in a row across.',
    ],
    // The players were seated after the game.
    [
      {
        board: { kind: 'connect_four' },
        outcome: { winner: 0, points: 2, win: 1, how: 'four in a row' },
        score: [0, 0],
      },
      'The colored stones win: four in a row.',
    ],
    [
      { board: { kind: 'connect_four' }, outcome: { winner: null, points: 0, win: 0, how: 'draw' } },
      'A draw: all columns are full, without four in a row.',
    ],
  ])('%o', (some, says) => {
    expect(status(table(some), analysis, names)).toBe(says)
  })

  test.each([
    [{}, 'Ann to play 3-1.'],
    [{ can_confirm: true, moves: [{}] }, 'Ann played 3-1: done?'],
    [{ stage: 'roll', dice: null }, 'Ann rolls.'],
  ])('names the players of an opened match: %o', (some, says) => {
    expect(status(table(some), analysis, ['Ann', 'Bob'])).toBe(says)
  })

  test('names a player without its simulations, unless these tell the players apart', () => {
    const outcome = { winner: 1, points: 1, win: 1, how: 'four in a row' }
    const over = table({ board: { kind: 'connect_four' }, outcome } as never)
    const network = 'Network in training, 100 simulations'
    expect(status(over, null, ['You', network])).toBe('Network in training wins: four in a row.')
    expect(status(over, null, ['Network in training', network])).toBe(`${network} wins: four in a row.`)
  })

  test('describes an earlier turn', () => {
    const turn = { seat: 1, dice: [5, 2] } as never
    expect(beforeTurn(turn, 3, names)).toBe('Before turn 4: Best so far with 5-2.')
  })
})

test('the rungs of the ladder are the reference players, also before their first match', () => {
  const player = (kind: string, searches = false) =>
    ({
      player: { kind, simulations: searches ? 0 : undefined },
      label: kind,
      searches,
    }) as unknown as PlayerChoice
  const rungs = ladderRungs(
    [row('Pubeval', 0, 0), { ...row('Pubeval', 9, 0), wins: 0.7 }],
    [
      player('random'),
      { ...player('pubeval'), player: { kind: 'pubeval' } },
      { ...player('Minimax, 4 moves ahead'), player: { kind: 'minimax', depth: 4 } },
      player('newest', true),
    ],
  )
  expect(rungs.map(({ label, wins }) => [label, wins])).toEqual([
    ['random', null],
    ['pubeval', 0.6],
    ['4 moves ahead', null],
  ])
})

test('a move of the tree has the color of the side that makes it, and the small board shows it', () => {
  const nodes = [
    { parent: 0, branch: 0, text: '', kind: 'decision', seat: 0, visits: 9, children: 1 },
    { parent: 0, branch: 3, text: '4', kind: 'decision', seat: 1, visits: 8, children: 1 },
    { parent: 1, branch: 3, text: '4', kind: 'decision', seat: 0, visits: 7, children: 0 },
  ] as GameNode[]
  const layout = layOut({ turn: 0, nodes, size: 3, capacity: 9 })
  expect(layout.placed.map(({ mover }) => mover)).toEqual([null, 0, 1])
  const line = lineTo(layout, [3, 3])
  const table = {
    board: { kind: 'connect_four', cells: empty, winning: [] },
    history: [],
  } as unknown as GameTable
  const after = boardAfter(table, 0, line)!
  expect([...after.board.subarray(3 * rows, 3 * rows + 3)]).toEqual([1, 2, 0])
  expect(after.moves).toBe(2)
  expect([...boardAfter(table, 0, [])!.board]).toEqual([...empty])
  expect(boardAfter(table, 1, [])).toBeNull()
  const prior = [1, 0.75, 0.5]
  const equity = [0.1, 0.2, null]
  const numbered = nodes.map((node, i) => ({ ...node, prior: prior[i]!, equity: equity[i]! }))
  expect(treeTable(layOut({ turn: 0, nodes: numbered, size: 3, capacity: 9 }))).toEqual({
    line: ['', '4', '4 > 4'],
    depth: [0, 1, 2],
    move: ['', '4', '4'],
    kind: ['decision', 'decision', 'decision'],
    visits: [9, 8, 7],
    prior,
    equity,
  })
  // A roll of the dice has no side.
  const rolls = layOut({
    turn: 0,
    nodes: [{ ...nodes[0]!, kind: 'chance' }, nodes[1]!],
    size: 2,
    capacity: 9,
  })
  expect(rolls.placed.map(({ mover }) => mover)).toEqual([null, null])
})

test('a node of the tree is described with its prior and the next move', () => {
  const node = { prior: 0.372, seat: 0, kind: 'decision' } as GameNode
  expect(describeNode(node)).toBe('; first sight 37.2 %; then the side below plays')
  expect(describeNode({ ...node, kind: 'over' })).toBe('; first sight 37.2 %; then the game ends')
})

test('an evaluation names the training of its network', () => {
  const analysis = (kind: string, updates: number) =>
    standing([], {
      player: { kind },
      updates,
      equity: 0,
      seat: 0,
      outcome_probabilities: [],
    } as unknown as GameAnalysis).trained
  expect(analysis('newest', 0)).toBe('before training')
  expect(analysis('newest', 12_000)).toBe('after 12.0\u00a0k gradient steps')
  expect(analysis('opened', 0)).toBe('')
})

test('the player from whose view an equity is has a name', () => {
  const names = ['You', 'Newest network, 100 simulations'] as const
  expect([viewOf(names, 0), viewOf(names, 1)]).toEqual(['you', 'Newest network'])
  expect(viewOf(['Ann', 'Bob'], 1)).toBe('Bob')
  expect([viewOf(['You', 'You'], 0), viewOf(['You', 'You'], 1)]).toEqual(['the side below', 'the side above'])
})

test('the columns of the tree are as wide as their longest move, and those that fit fill the box', () => {
  const placed = ['24/23 13/10', '13/9'].map((text, row) => ({ column: 1, row, node: { text, visits: 40 } }))
  const rolls = [{ column: 2, row: 0, node: { text: '3-1', visits: 1200 } }]
  const layout = { placed: [...placed, ...rolls], rows: 2, columns: 3 } as unknown as Parameters<
    typeof columnWidths
  >[0]
  const move = ({ text }: Pick<GameNode, 'text'>) => text
  const box = { em: 20, move, equity: () => '+0.12', linkWide: 26, room: 1000, fade: 36 }
  const [plays, dice] = columnWidths(layout, box)
  expect(plays! - dice!).toBeGreaterThan(50)
  const room = plays! + 60
  expect(columnWidths(layout, { ...box, room })).toEqual([room - 36, dice])
  expect(texts['connect-four'].play('4')).toBe('column 4')
  expect(texts.backgammon.play('8/5 6/5')).toBe('8/5 6/5')
})

test('an equity is described in words', () => {
  expect(inWords(0.002, 'you', false)).toBe('Even')
  expect(inWords(0.2, 'you', false)).toBe('You are slightly better')
  expect(inWords(-0.5, 'the side below', false)).toBe('The side below is worse')
  expect(inWords(-0.9, 'you', false)).toBe('You are losing')
  expect(inWords(1, 'you', true)).toBe('You have won')
  expect(inWords(0, 'you', true)).toBe('Drawn')
})

test('the evaluation of the current position is shown again after an earlier one', () => {
  const known = (equity: number) => ({ ...unknown, equity })
  const start = { current: unknown, shown: unknown }
  const now = nextStandings(start, known(0.4), null, false)
  const past = nextStandings(now, known(0.127), null, true)
  expect([past.shown.equity, past.current.equity]).toEqual([0.127, 0.4])
  // The current position is before the roll and has no evaluation of its own yet.
  const back = nextStandings(past, null, null, false)
  expect(back.shown.equity).toBe(0.4)
  // Before the roll, a searched evaluation is that of the last decision, perhaps of the other player.
  const searched = {
    ...known(0.627),
    seat: 1,
    source: 'searched',
    trained: 'after 1k gradient steps',
  } as const
  const waiting = nextStandings(nextStandings(start, searched, null, false), null, null, false, true)
  expect(waiting.shown).toEqual({ ...searched, source: 'last decision', trained: '' })
  expect(nextStandings(waiting, searched, null, false, true).shown).toEqual(searched)
  const over = nextStandings(start, null, { winner: 1, points: 1, win: 1, how: 'dropped' }, false)
  expect(nextStandings(over, null, null, false, true).shown, 'after the end was taken back').toEqual(unknown)
  expect(nextStandings(start, null, null, false, true).shown, 'without an evaluation').toEqual(unknown)
  const first = nextStandings(nextStandings(start, known(0.127), null, true), null, null, false)
  expect(first.shown.equity).toBeNull()
  expect(nextStandings(now, null, null, true).shown.equity).toBeNull()
  const outcome = { winner: 1, points: 1, win: 1, how: 'resigned' }
  expect(nextStandings(past, null, outcome, false).shown).toEqual(ended(outcome))
})

test('the first match is in progress only after the moves that precede it', () => {
  const config = (every: number) => ({ self_play: { generation: 8192 }, ladder: { every } })
  expect(firstMatchText(config(2), 3070)).toMatch(/^the first match is after 16\.4.k moves; now 3\.07.k$/)
  expect(firstMatchText(config(2), 16_384)).toBe('its first match is in progress')
  expect(firstMatchText(config(0), 3070)).toMatch(/disabled/)
})

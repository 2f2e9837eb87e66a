import { describe, expect, test, vi } from 'vitest'
import type {
  AnalyzedMatch,
  OutcomeInfo,
  Documents,
  ExperimentInfo,
  Frame,
  GameAnalysis,
  GameCandidate,
  GameMove,
  GameNode,
  GameTable,
  GameTree,
  GameTurn,
  PlayedGame,
  PlayedMatch,
  PlayerChoice,
} from '../../engine/page/session'
import { BAR, OFF, played, same, start, type Checkers } from './model/checkers'
import {
  animationSteps,
  final,
  moveTime,
  stateAfter,
  rollTime,
  spent,
  unplayed,
} from './backgammon/animationSteps'
import { termOf } from '../../glossary'
import { ended, forWhite, lostText, outcomeProbabilities, severity, standing } from './model/outcomes'
import { deeper, opponentSeat, resigner } from './model/seats'
import { tools } from '../../engine/page/tools'
import { openedMatchOf } from './state/openedMatch.svelte'
import { tableUiOf } from './state/tableUi.svelte'
import {
  earlierLast,
  keyOf,
  measured,
  playerName,
  searches,
  simulationsOf,
  withoutSearch,
  withSimulations,
} from './model/players'
import { positionBefore } from './model/playedMatch'
import { ratedRows, searchedRows } from './model/plays'
import { earlierPosition } from './model/status'
import { Lab } from '../../state/lab.svelte'
import { gameOf } from './state/table.svelte'
import { texts } from './model/texts'
import { bestLine, endOf, layOut, rootVisits } from './model/tree'

const move = (from: number, to: number, hits = false): GameMove => ({ from, to, hits })

function table(checkers: Checkers, some: Partial<GameTable> = {}): GameTable {
  return {
    game: 1,
    seats: [{ kind: 'person' }, { kind: 'newest', simulations: 100 }],
    board: { kind: 'backgammon', checkers: [[...checkers[0]], [...checkers[1]]], pips: [0, 0] },
    id: '',
    stage: 'person',
    seat: 0,
    dice: null,
    dice_left: [],
    moves: [],
    targets: [],
    can_undo: false,
    can_confirm: false,
    outcome: null,
    max_loss: [3, 3],
    score: [0, 0],
    doubling: null,
    history: [],
    dice_mode: 'ask',
    pace: 1,
    analyst: { kind: 'newest', simulations: 100 },
    analysis_speed: null,
    notice: null,
    ...some,
  }
}

function turn(seat: number, dice: [number, number], moves: GameMove[]): GameTurn {
  return { seat, dice, doubled: null, moves, text: '', id: '', lost: null, best: null, equity: null }
}

const after = (checkers: Checkers, seat: 0 | 1, moves: GameMove[]): Checkers =>
  moves.reduce((at, { from, to }) => played(at, seat, from, to), checkers)

describe('actions that are available to the user', () => {
  const [person, random] = [{ kind: 'person' }, { kind: 'random' }] as const

  test('the opponent has the other seat than the human player', () => {
    expect(opponentSeat({ seats: [person, random] })).toBe(1)
    expect(opponentSeat({ seats: [random, person] })).toBe(0)
    expect(opponentSeat({ seats: [random, random] })).toBe(1)
  })

  test('the human player can resign; of two, the one to move', () => {
    expect(resigner(table(start, { seats: [person, random], seat: 1 }))).toBe(0)
    expect(resigner(table(start, { seats: [random, person], seat: 0 }))).toBe(1)
    expect(resigner(table(start, { seats: [person, person], seat: 1 }))).toBe(1)
    expect(resigner(table(start, { seats: [random, random] }))).toBe(null)
  })

  test('a deeper analysis uses the next larger number of simulations, up to the maximum', () => {
    const by = (simulations: number) => table(start, { analyst: { kind: 'best', simulations } })
    expect(deeper(by(400), 100_000)).toBe(1000)
    expect(deeper(by(3000), 100_000)).toBe(10_000)
    expect(deeper(by(3000), 5000)).toBe(null)
  })

  test('a decision can be analyzed', () => {
    const stages = ['roll', 'person', 'computer', 'over'] as const
    expect(stages.map((stage) => tableUiOf(new Lab()).canAnalyze(table(start, { stage })))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

describe('animation of a game', () => {
  test('reverts moves including hits', () => {
    const moves = [move(24, 20), move(20, 17), move(13, 8)]
    expect(same(unplayed(after(start, 0, moves), 0, moves), start)).toBe(true)
    const blot = after(start, 1, [move(6, 5)])
    const hit = [move(24, 20, true)]
    expect(same(unplayed(after(blot, 0, hit), 0, hit), blot)).toBe(true)
  })

  test('spends the exact die, or the highest one when bearing off', () => {
    expect(spent([5, 3], move(8, 5))).toEqual([5])
    expect(spent([6, 2], move(4, OFF))).toEqual([2])
    expect(spent([4, 4, 4], move(8, 4))).toEqual([4, 4])
    expect(spent([6, 1], move(BAR, 24))).toEqual([6])
  })

  test('shows another game without animation', () => {
    const first = table(start)
    const place = stateAfter(first, start)
    const steps = animationSteps(place, table(start, { game: 2, dice: [3, 1], dice_left: [3, 1] }), start)
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatchObject({ hold: 0, dice: [3, 1] })
    expect(animationSteps(null, first, start)).toHaveLength(1)
  })

  test('animates the roll and each move of a computer', () => {
    const place = stateAfter(table(start), start)
    const moves = [move(24, 18), move(18, 13)]
    const end = after(start, 1, moves)
    const steps = animationSteps(place, table(end, { history: [turn(1, [6, 5], moves)] }), end)
    expect(steps.map(({ hold }) => hold)).toEqual([rollTime, moveTime, moveTime, 0])
    expect(steps.map(({ left }) => left)).toEqual([[6, 5], [5], [], []])
    expect(same(steps[0]!.checkers, start)).toBe(true)
    expect(same(steps[2]!.checkers, end)).toBe(true)
    expect(steps[0]!.seat).toBe(1)
  })

  test('does not animate dice that are already shown', () => {
    const rolled = table(start, { seat: 1, stage: 'computer', dice: [6, 5], dice_left: [6, 5] })
    const place = stateAfter(rolled, start)
    const moves = [move(24, 13)]
    const end = after(start, 1, moves)
    const steps = animationSteps(place, table(end, { history: [turn(1, [6, 5], moves)] }), end)
    expect(steps[0]!.hold).toBe(moveTime)
    expect(steps[0]!.roll).toBe(final(rolled, start).roll)
  })

  test('does not animate computers without delay', () => {
    const place = stateAfter(table(start), start)
    const moves = [move(24, 18), move(18, 13)]
    const end = after(start, 1, moves)
    const history = [turn(1, [6, 5], moves)]
    const random = { kind: 'random' } as const
    const two = table(end, { history, pace: 0, seats: [random, random] })
    expect(animationSteps(place, two, end).map(({ hold }) => hold)).toEqual([0])
    // If one player is human, the opponent's moves are animated even without a delay.
    expect(animationSteps(place, table(end, { history, pace: 0 }), end).length).toBeGreaterThan(1)
  })

  test('animates the roll of a computer without a legal move', () => {
    const place = stateAfter(table(start), start)
    const steps = animationSteps(place, table(start, { history: [turn(1, [6, 6], [])] }), start)
    expect(steps.map(({ hold, dice }) => [hold, dice])).toEqual([
      [rollTime, [6, 6]],
      [0, null],
    ])
    // The roll of a human player is already on display.
    expect(animationSteps(place, table(start, { history: [turn(0, [6, 6], [])] }), start)).toHaveLength(1)
  })

  test('does not animate the turn of the human player', () => {
    const moves = [move(8, 5), move(6, 5)]
    const end = after(start, 0, moves)
    const under = table(end, { dice: [3, 1], moves, can_confirm: true })
    const place = stateAfter(under, end)
    expect(same(place.base, start)).toBe(true)
    const steps = animationSteps(
      place,
      table(end, { seat: 1, stage: 'roll', history: [turn(0, [3, 1], moves)] }),
      end,
    )
    expect(steps).toHaveLength(1)
  })

  test('shows a taken-back turn without animation', () => {
    const end = after(start, 0, [move(8, 5), move(6, 5)])
    const place = stateAfter(table(end, { history: [turn(0, [3, 1], [])] }), end)
    expect(animationSteps(place, table(start), start)).toHaveLength(1)
  })
})

test('a computer has all its dice left until it plays', () => {
  const shown = stateAfter(table(start, { seat: 1, stage: 'computer', dice: [4, 4] }), start).shown
  expect(shown.left).toEqual([4, 4, 4, 4])
  expect(final(table(start, { dice: [4, 2], dice_left: [2] }), start).left).toEqual([2])
})

const info = (...names: string[]): OutcomeInfo[] => names.map((name) => ({ name, label: name, help: '' }))
const five = info('win', 'win_gammon', 'win_backgammon', 'lose_gammon', 'lose_backgammon')

describe('the probabilities', () => {
  test('is the same from both sides', () => {
    const outcome_probabilities = [0.6, 0.2, 0.01, 0.1, 0.02]
    const [white, black] = [
      outcomeProbabilities(five, outcome_probabilities, 0)!,
      outcomeProbabilities(five, outcome_probabilities, 1)!,
    ]
    expect(white.seats[0]).toEqual({ win: 0.6, gammon: 0.2, backgammon: 0.01 })
    expect(white.seats[1].win).toBeCloseTo(0.4)
    expect(white.seats[1].gammon).toBe(0.1)
    expect(black.seats).toEqual([white.seats[1], white.seats[0]])
  })

  test('of a game that is over is its result', () => {
    const won = ended({ winner: 1, points: 4, win: 2, how: 'gammon' })
    expect([won.equity, won.source]).toEqual([-2, 'over'])
    expect(won.probabilities?.seats[1]).toEqual({ win: 1, gammon: 1, backgammon: 0 })
    expect(won.probabilities?.seats[0].win).toBe(0)
    expect(ended({ winner: null, points: 0, win: 0, how: 'draw' })).toMatchObject({
      equity: 0,
      probabilities: { draw: 1 },
    })
  })

  test('handles draws and contradicting heads', () => {
    const four = outcomeProbabilities(info('win', 'lose'), [0.5, 0.3], 0)!
    expect(four.draw).toBeCloseTo(0.2)
    expect(four.seats[1].win).toBeCloseTo(0.3)
    expect(outcomeProbabilities(info('win', 'lose'), [0.9, 0.3], 1)!.draw).toBe(0)
    const odd = outcomeProbabilities(five, [0.1, 0.4, 0.5, 0, 0], 0)!
    expect(odd.seats[0]).toEqual({ win: 0.1, gammon: 0.1, backgammon: 0.1 })
    expect(outcomeProbabilities(five, [], 0)).toBeNull()
    expect(outcomeProbabilities(five, [1], 0)).toBeNull()
  })

  test('marks the equity loss of a play', () => {
    const losses = [0, 0.029, 0.03, 0.059, 0.06, 0.119, 0.12]
    const [fine, doubtful, error] = ['fine', 'doubtful', 'error']
    expect(losses.map(severity)).toEqual([fine, fine, doubtful, doubtful, error, error, 'blunder'])
    const lost = (points: number) => lostText(points, texts.backgammon.scale)
    expect([0, 0.1234, -0.02].map(lost)).toEqual(['0.000', '0.123', '–'])
    expect([forWhite(0.5, 0), forWhite(0.5, 1)]).toEqual([0.5, -0.5])
  })
})

test('the equity of Connect Four is explained without gammons, and that of backgammon with them', () => {
  const formula = (game: keyof typeof texts) => termOf(texts[game].help.equity.term!)?.formula
  expect(formula('connect-four')).toBe('E = P_{win} − P_{loss}')
  expect(formula('backgammon')).toContain('gammon')
})

test('Connect Four shows the share of games won, of which a draw counts half; backgammon shows points', () => {
  const [four, backgammon] = [texts['connect-four'].scale, texts.backgammon.scale]
  expect([-1, 0, 0.953].map(four.format)).toEqual(['0.0 %', '50.0 %', '97.6 %'])
  expect([four.brief(0.953), four.difference(0.1), four.loss(0.02)]).toEqual(['98 %', '5.0 %', '1.0 %'])
  expect([-0.5, 0, 1].map(four.tick)).toEqual(['25 %', 'even', '100 %'])
  expect([-1, 0, 0.953].map(backgammon.format)).toEqual(['−1.000', '0.000', '+0.953'])
  expect([backgammon.brief(0.953), backgammon.loss(0.1)]).toEqual(['+0.95', '0.100 points'])
  expect([-0.5, 0].map(backgammon.tick)).toEqual(['−0.5', 'even'])
})

describe('players', () => {
  const best: PlayerChoice = {
    player: { kind: 'best', simulations: 0 },
    label: 'Best so far',
    help: '',
    searches: true,
  }

  test('are distinguished without their simulations', () => {
    expect(keyOf({ kind: 'best', simulations: 7 })).toBe(keyOf(best.player))
    expect(keyOf({ kind: 'minimax', depth: 2 })).not.toBe(keyOf({ kind: 'minimax', depth: 4 }))
    expect(withSimulations({ kind: 'random' }, 9)).toEqual({ kind: 'random' })
    expect(simulationsOf(withSimulations(best.player, 9))).toBe(9)
    expect(simulationsOf({ kind: 'pubeval' })).toBeNull()
  })

  test('have names', () => {
    expect(playerName({ kind: 'person' }, [])).toBe('You')
    expect(playerName(best.player, [best])).toBe('Best so far')
    expect(playerName({ kind: 'best', simulations: 1000 }, [best])).toBe('Best so far, 1,000 simulations')
    expect(['Best network, 3000 simulations', 'Minimax, 4 moves ahead'].map(withoutSearch)).toEqual([
      'Best network',
      'Minimax, 4 moves ahead',
    ])
  })

  test('the default for matches is opened, best or newest, never an earlier network', () => {
    const choice = (player: PlayerChoice['player']): PlayerChoice => ({ ...best, player })
    const earlier = choice({ kind: 'earlier', promotion: 0, simulations: 0 })
    const newest = choice({ kind: 'newest', simulations: 0 })
    const opened = choice({ kind: 'opened', simulations: 0 })
    expect(measured([earlier, newest, best, opened])).toBe(opened)
    expect(measured([earlier, newest, best])).toBe(best)
    expect(measured([earlier, newest])).toBe(newest)
    expect(measured([earlier])).toBeUndefined()
    expect(earlierLast([earlier, newest, best])).toEqual([newest, best, earlier])
  })

  test('are limited by the largest search', () => {
    expect(searches(400)).toEqual([0, 10, 30, 100, 300])
  })
})

describe('the tree', () => {
  const node = (parent: number, branch: number, visits: number): GameNode => ({
    parent,
    branch,
    visits,
    text: '',
    kind: 'decision',
    seat: 0,
    prior: 1,
    equity: 0,
    children: 0,
  })
  const tree: GameTree = {
    turn: 0,
    size: 9,
    capacity: 99,
    nodes: [
      { ...node(0, 0, 100), children: 2 },
      node(0, 3, 70),
      node(0, 1, 20),
      node(1, 5, 40),
      node(1, 2, 30),
      node(3, 0, 9),
    ],
  }

  test('places the best line on top, and the alternatives to each move next to it', () => {
    const { placed, rows, columns } = layOut(tree)
    expect(placed.map(({ key }) => key)).toEqual(['', '3', '3.5', '3.5.0', '3.2', '1'])
    expect(placed.map(({ row }) => row)).toEqual([0, 0, 0, 0, 1, 1])
    expect([rows, columns]).toEqual([2, 4])
    expect(placed.find(({ key }) => key === '1')).toMatchObject({ share: 0.2, parentRow: 0, open: false })
    expect(new Set(placed.map(({ row, column }) => `${row},${column}`)).size).toBe(placed.length)
    expect(layOut({ ...tree, nodes: [] }).placed).toEqual([])
  })

  test('counts the simulations of the most visited move', () => {
    expect(rootVisits(tree)).toEqual({ all: 100, most: 70, moves: 2 })
    expect(rootVisits({ ...tree, nodes: tree.nodes.slice(0, 1) })).toBeNull()
  })

  test('unfolds along the most visited nodes', () => {
    expect(bestLine(tree, 2)).toEqual([[3], [3, 5]])
    expect(bestLine(tree, 9)).toEqual([[3], [3, 5], [3, 5, 0]])
    expect(bestLine({ ...tree, nodes: [] }, 3)).toEqual([])
  })

  test('counts the moves of a best line that ends the game', () => {
    const over = (at: number): GameTree => ({
      ...tree,
      nodes: tree.nodes.map((node, i) => (i === at ? { ...node, kind: 'over' } : node)),
    })
    const unfolded = (at: number, children: number): GameTree => ({
      ...tree,
      nodes: tree.nodes.map((node, i) => (i === at ? { ...node, children } : node)),
    })
    expect(endOf(over(5), 6)).toBe(3)
    // A finished game beside the best line, or after its first nodes.
    expect([endOf(over(4), 6), endOf(over(5), 2)]).toEqual([0, 0])
    // The children of the last node are not unfolded yet.
    expect(endOf(unfolded(5, 2), 6)).toBeNull()
    expect(endOf({ ...tree, nodes: [] }, 6)).toBeNull()
  })
})

test('hints are shown in the game in which they were requested', () => {
  const lab = new Lab()
  const ui = tableUiOf(lab)
  lab.exhibit = 'backgammon'
  ui.hints = true
  lab.exhibit = 'connect-four'
  expect(ui.hints).toBe(false)
  ui.hints = true
  ui.hints = false
  lab.exhibit = 'backgammon'
  expect(ui.hints).toBe(true)
})

test('a position that is being set up has no analysis', () => {
  const lab = new Lab()
  lab.info = { name: 'backgammon' } as ExperimentInfo
  lab.exhibit = 'backgammon'
  const ui = tableUiOf(lab)
  const analysis = { turn: 0, candidates: [] } as unknown as GameAnalysis
  ;(lab as unknown as { show(frame: Frame): void }).show({
    arrays: {},
    documents: { kind: 'games', table: table(start), analysis } as unknown as Documents,
  })
  expect(ui.analysis).toEqual(analysis)
  ui.editing = start
  expect(ui.analysis).toBeNull()
})

test('candidates and the position have the equities of the player on roll', () => {
  const lab = new Lab()
  lab.info = { name: 'backgammon' } as ExperimentInfo
  lab.exhibit = 'backgammon'
  const ui = tableUiOf(lab)
  const candidates = [
    { text: '13/8', equity: 0.171 },
    { text: '8/3', equity: 0.1 },
  ]
  const analysis = { turn: 0, seat: 1, equity: 0.171, player: {}, candidates, outcome_probabilities: [] }
  ;(lab as unknown as { show(frame: Frame): void }).show({
    arrays: {},
    documents: { kind: 'games', table: table(start), analysis } as unknown as Documents,
  })
  ui.hints = true
  expect(ui.candidates.map(({ equity }) => equity)).toEqual([0.171, 0.1])
  expect(standing([], ui.analysis!)).toMatchObject({ equity: 0.171, seat: 1 })
})

/** Returns the state of a backgammon lab whose table is `some`, its commands, and a function that shows another table. */
function seated(some: Partial<GameTable>, analysis: Partial<GameAnalysis> = {}) {
  const lab = new Lab()
  lab.info = { name: 'backgammon' } as ExperimentInfo
  lab.exhibit = 'backgammon'
  const [ui, opened, game] = [tableUiOf(lab), openedMatchOf(lab), gameOf(lab)]
  const ask = vi.spyOn(game, 'ask').mockResolvedValue({} as never)
  const show = (some: Partial<GameTable>) =>
    (lab as unknown as { show(frame: Frame): void }).show({
      arrays: {},
      documents: { kind: 'games', table: table(start, some), analysis } as unknown as Documents,
    })
  show(some)
  return { lab, ui, opened, show, commands: () => ask.mock.calls.map(([command]) => command) }
}

test('a refused position is dropped when another position is shown', () => {
  const { ui } = seated({})
  ui.entry = { text: 'typed', problem: '' }
  ui.begin()
  expect(ui.entry.text).toBe('typed')
  ui.entry = { text: 'XGID=invalid', problem: 'refused' }
  ui.begin()
  expect(ui.entry).toEqual({ text: '', problem: '' })
})

test('another game in progress ends the view of an earlier turn, not the setup of a position; another run ends the entry', () => {
  const { lab, ui } = seated({})
  ui.turn = 3
  ui.editing = start
  ui.showPresent()
  expect([ui.turn, ui.editing]).toEqual([null, start])
  ui.entry = { text: '4HPwATDgc/ABMA', problem: '' }
  ;(lab as unknown as { show(frame: null): void }).show(null)
  expect(ui.entry.text).toBe('')
})

test('a new game has the chosen rules', async () => {
  const { ui, commands } = seated({ doubling: null })
  ui.choice = { key: 'cubeless', other: 9 }
  expect(ui.nextRules, 'the present rules').toBeNull()
  ui.choice = { key: '5', other: 9 }
  expect(ui.nextRules).toEqual({ length: 5, jacoby: false })
  ui.newGame()
  await vi.waitFor(() => expect(ui.choice).toBeNull())
  ui.newGame()
  expect(commands().map(({ kind }) => kind)).toEqual(['start_match', 'new_game'])
})

test('chosen rules apply at once until the visitor has played', async () => {
  const id = '4HPwATDgc/ABMA:cAkAAAAAAAAA'
  const seats: GameTable['seats'] = [{ kind: 'person' }, { kind: 'opened', simulations: 100 }]
  const theirs = { seat: 1, id } as GameTurn
  const { ui, show, commands } = seated({ id, seats, doubling: null, history: [theirs] })
  // A new game would end the position setup.
  ui.editing = {} as Checkers
  ui.choose({ key: '5', other: 9 })
  expect(commands()).toEqual([])
  ui.editing = null
  ui.choose({ key: '5', other: 9 })
  await vi.waitFor(() => expect(ui.choice).toBeNull())
  expect(commands()).toEqual([{ kind: 'start_match', length: 5, jacoby: false }])
  // A length that is entered, a play of the visitor, a score, and a position that was set up.
  ui.choose({ key: 'other', other: 9 })
  for (const some of [
    { history: [{ seat: 0, id } as GameTurn] },
    { moves: [move(8, 5)] },
    { score: [0, 1] as [number, number] },
    { id: '/z8AAIADAAAAAA:cAkAAAAAAAAA' },
    { stage: 'doubled' as const },
  ]) {
    show({ id, seats, doubling: null, ...some })
    ui.choose({ key: '7', other: 9 })
  }
  expect([commands().length, ui.choice?.key]).toEqual([1, '7'])
})

test('a candidate is made instead of the moves of the turn', async () => {
  const candidate = { moves: [move(8, 5), move(6, 5)] } as GameCandidate
  const { ui, commands } = seated({ moves: [move(24, 23)] }, { turn: 0, seat: 0 })
  expect(ui.canPlay).toBe(true)
  await ui.playCandidate(candidate)
  expect(commands()).toEqual([
    { kind: 'undo_move' },
    { kind: 'move', from: 8, to: 5 },
    { kind: 'move', from: 6, to: 5 },
  ])
  ui.turn = 0
  expect(ui.canPlay).toBe(false)
  const computer = seated({ stage: 'computer' }, { turn: 0, seat: 0 })
  await computer.ui.playCandidate(candidate)
  expect(computer.commands()).toEqual([])
})

/** Match to 5 points of Ann and Bob, whose first turn has the position `a` and whose second the position `b`. */
const recorded = {
  names: ['Ann', 'Bob'],
  length: 5,
  jacoby: false,
  games: [
    {
      score: [1, 2],
      crawford: false,
      turns: [
        { id: 'a', seat: 0, dice: [3, 1], moves: [move(8, 5), move(6, 5)], doubled: null },
        { id: 'b', seat: 1, dice: [5, 2], moves: [], doubled: null },
      ],
      doubles: [],
      outcome: null,
    },
  ],
} as unknown as PlayedMatch

test('an opened record leaves the match at the table and its players as they are', async () => {
  const { opened, ui, commands } = seated({ game: 7, id: 'table' })
  const file = { name: 'a.mat', arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) } as File
  vi.spyOn(tools, 'ask').mockResolvedValue(recorded as never)
  await opened.open(file)
  opened.step(1)
  expect([ui.past?.id, ui.past?.dice, ui.past?.score, opened.names]).toEqual([
    'b',
    [5, 2],
    [1, 2],
    ['Ann', 'Bob'],
  ])
  expect(ui.past?.checkers[0][5]).toBe(2)
  opened.close()
  expect([ui.isPresent, opened.match, commands()]).toEqual([true, null, []])
})

test('another position leaves an opened match, which is returned to', () => {
  const { opened, show, ui } = seated({ game: 7, id: 'table' })
  opened.match = recorded
  opened.select(0)
  expect([opened.isLeft, opened.selected]).toEqual([false, { turn: 0, doubling: false }])
  // The form of a position, a new game and “Take back” show the current position.
  ui.begin()
  show({ game: 8, id: 'entered' })
  expect([opened.isLeft, opened.selected, opened.names]).toEqual([true, null, null])
  // A turn of the game at the table is not a decision of the record.
  ui.turn = 0
  expect(opened.isLeft).toBe(true)
  opened.show(opened.last!)
  expect([opened.isLeft, ui.past?.id, ui.turn]).toEqual([false, 'a', null])
})

test('a decision of a record is played on by the players at the table', async () => {
  const { opened, ui, commands } = seated({ game: 7, id: 'table' })
  opened.match = recorded
  opened.select(0, { turn: 1, doubling: false })
  await opened.playOn()
  expect(commands()).toEqual([
    { kind: 'set_position', position: { kind: 'id', id: 'b' }, seat: null, dice: null },
  ])
  expect([ui.isPresent, opened.isLeft]).toEqual([true, true])
})

test('the arrows show plays of the selected analysis', () => {
  const { opened, show, ui } = seated({ id: 'table' })
  opened.match = recorded
  opened.select(0)
  const play = { action: 'play', player: 0, play: '8/5 6/5', candidates: [{ play: '13/9' }] }
  opened.analysis.analyzed = { games: [{ actions: [play] }] } as unknown as AnalyzedMatch
  ui.columns = 'visits'
  expect(opened.ratedPlay, 'without a search').toEqual(play)
  show({ id: 'table', history: [{ id: 'a' } as GameTurn] })
  // The turn of the game at the table has a search as well.
  const searched = vi.spyOn(ui, 'analysis', 'get').mockReturnValue({ candidates: [{}] } as GameAnalysis)
  ui.hints = true
  expect(opened.ratedPlay).toBeNull()
  ui.columns = 'rated'
  expect(opened.ratedPlay).toEqual(play)
  searched.mockRestore()
})

test('the errors with a mark are left out of the list and of the steps', () => {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = recorded
  opened.select(0)
  const error = (mark: string) => ({ action: 'play', player: 0, mark, error: 50, candidates: [] })
  opened.analysis.analyzed = {
    games: [{ actions: [error('?!'), error('??')] }],
  } as unknown as AnalyzedMatch
  opened.toggleMark('?!')
  expect([opened.errors.length, opened.errorsOfPlayer.length]).toEqual([1, 2])
  opened.stepToError(1)
  opened.stepToError(1)
  expect(ui.past?.id).toBe('b')
  opened.toggleMark('?!')
  opened.stepToError(1)
  expect([opened.errors.length, ui.past?.id]).toEqual([2, 'a'])
})

test('another record lists all errors', async () => {
  const { opened } = seated({ id: 'table' })
  opened.toggleMark('?!')
  opened.kind = 'doubling'
  opened.player = 1
  vi.spyOn(tools, 'ask').mockResolvedValue(recorded as never)
  await opened.open({ name: 'a.mat', arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) } as File)
  expect([opened.listsMark('?!'), opened.kind, opened.player]).toEqual([true, null, null])
})

test('a doubling decision whose rating was removed is played on and left', async () => {
  const { opened, ui, commands } = seated({ game: 7, id: 'table' })
  opened.match = recorded
  const double = {
    action: 'no_double',
    player: 1,
    best: 'double',
    position: 'before the roll',
    candidates: [],
  }
  const play = { action: 'play', player: 0, candidates: [] }
  const select = () => {
    opened.analysis.analyzed = { games: [{ actions: [play, double, play] }] } as unknown as AnalyzedMatch
    opened.select(0, { turn: 1, doubling: true })
    expect(ui.past?.id).toBe('before the roll')
    // Another depth was chosen.
    opened.analysis.analyzed = null
  }
  select()
  opened.step(-1)
  expect(opened.last).toEqual({ turn: 0, doubling: false })
  select()
  opened.step(1)
  expect(opened.last).toEqual({ turn: 1, doubling: false })
  select()
  await opened.playOn()
  expect(commands()).toMatchObject([{ position: { id: 'before the roll' } }])
})

test('an analyzed match interrupts a match that is played at the table', () => {
  const persons: GameTable['seats'] = [{ kind: 'person' }, { kind: 'person' }]
  const { opened, show } = seated({ seats: persons, history: [] })
  opened.match = recorded
  opened.select(0)
  expect(opened.interruptsMatch, 'a game without a turn').toBe(false)
  show({ seats: persons, history: [{ seat: 0, moves: [] }] as unknown as GameTable['history'] })
  expect(opened.interruptsMatch).toBe(true)
})

test('another game shows no opened match; a record stays open, the match at the table ends with its run', async () => {
  const { lab, opened } = seated({ game: 7 })
  const match = { names: ['Ann', 'Bob'], length: 5, jacoby: false, games: [{ turns: [], doubles: [] }] }
  const isOpenAfter = (frame: Frame | null) => {
    ;(lab as unknown as { show(frame: Frame | null): void }).show(frame)
    lab.exhibit = 'connect-four'
    expect([opened.match, opened.isAtTable]).toEqual([null, false])
    lab.exhibit = 'backgammon'
    return opened.match !== null
  }
  opened.match = match as unknown as PlayedMatch
  expect(isOpenAfter(null)).toBe(true)
  vi.spyOn(opened, 'analyze').mockResolvedValue()
  await opened.analyzeAtTable(match as unknown as PlayedMatch)
  expect(opened.isAtTable).toBe(false)
  ;(lab as unknown as { show(frame: Frame): void }).show({
    arrays: {},
    documents: { kind: 'games', table: table(start, { game: 7 }) } as unknown as Documents,
  })
  await opened.analyzeAtTable(match as unknown as PlayedMatch)
  expect(opened.isAtTable).toBe(true)
  expect(isOpenAfter(null)).toBe(false)
})

test('training is paused during the analysis of a match, and resumes if it was running', async () => {
  for (const before of ['running', 'paused'] as const) {
    const { opened, lab } = seated({})
    lab.running = before
    const pause = vi.spyOn(lab, 'pause').mockImplementation(() => void (lab.running = 'paused'))
    const play = vi.spyOn(lab, 'play').mockResolvedValue()
    const start = vi.spyOn(opened.analysis, 'start').mockImplementation(async () => {
      expect(lab.running).toBe('paused')
      await Promise.resolve()
    })
    await opened.analyze()
    const calls = before === 'running' ? 1 : 0
    expect([start, pause, play].map(({ mock }) => mock.calls.length)).toEqual([1, calls, calls])
  }
})

test('training stays paused while a stopped analysis is resumed', async () => {
  const { opened, lab } = seated({})
  lab.running = 'running'
  vi.spyOn(lab, 'pause').mockImplementation(() => void (lab.running = 'paused'))
  const play = vi.spyOn(lab, 'play').mockResolvedValue()
  const ends: (() => void)[] = []
  vi.spyOn(opened.analysis, 'start').mockImplementation(async () => {
    opened.analysis.running = true
    await new Promise<void>((end) => ends.push(end))
  })
  const first = opened.analyze()
  opened.analysis.stop()
  const second = opened.analyze()
  ends[0]!()
  await first
  expect(play).not.toHaveBeenCalled()
  opened.analysis.stop()
  ends[1]!()
  await second
  expect(play).toHaveBeenCalledOnce()
})

test('a record that was read after the visitor has left is not opened', async () => {
  const { lab, opened, ui } = seated({})
  vi.spyOn(tools, 'ask').mockImplementation(async () => {
    lab.exhibit = 'connect-four'
    return { names: ['Ann', 'Bob'], length: 5, jacoby: false, games: [] } as never
  })
  await opened.open(new File([' 5 point match\n'], 'a.mat'))
  expect(ui.hints).toBe(false)
  lab.exhibit = 'backgammon'
  expect([opened.match, ui.hints]).toEqual([null, false])
})

test('games of a snapshot are not games of the match', () => {
  const { lab, show } = seated({ game: 7 })
  const receive = vi.spyOn(gameOf(lab).log, 'receive')
  lab.timeline.shown = 1000
  show({ game: 1 })
  expect(receive).not.toHaveBeenCalled()
  lab.timeline.shown = null
  show({ game: 7 })
  expect(receive).toHaveBeenCalledOnce()
})

test('the decisions of an opened match are stepped through, with the names of the record', () => {
  const { opened, ui, commands } = seated({})
  const game = (...ids: string[]) =>
    ({
      turns: ids.map((id) => ({ id, seat: 0, moves: [] })),
      doubles: [{ turn: 1, id: 'double' }],
    }) as unknown as PlayedGame
  opened.match = { names: ['Ann', 'Bob'], length: 5, jacoby: false, games: [game('a', 'b'), game('c')] }
  opened.select(0)
  expect(opened.names).toEqual(['Ann', 'Bob'])
  expect(opened.canStep(-1)).toBe(false)
  const shown = [ui.past?.id]
  for (const by of [1, 1, 1, 1, 1, -1] as const) {
    opened.step(by)
    shown.push(ui.past?.id)
  }
  // The last step forward has no effect: the game ends with the double.
  expect(shown).toEqual(['a', 'double', 'b', 'c', 'double', 'double', 'c'])
  expect([opened.index, opened.selected]).toEqual([1, { turn: 0, doubling: false }])
  opened.close()
  expect([opened.names, opened.canStep(1), commands()]).toEqual([null, false, []])
})

describe('the analysis of the match at the table', () => {
  const id = '4HPwATDgc/ABMA:cAkAAAAAAAAA'
  const opening = { ...turn(0, [3, 1], [move(8, 5), move(6, 5)]), id, lost: 0.1 }
  // The blot on the opponent's 5 point is hit.
  const reply = { ...turn(1, [4, 2], [move(24, 20), move(20, 18)]), id: 'b', doubled: 2 }
  const outcome = { winner: 1, points: 1, win: 1, how: 'dropped' }
  const finished: PlayedGame = {
    score: [0, 0],
    crawford: false,
    turns: [opening, reply],
    doubles: [],
    outcome,
  }
  const current: PlayedGame = { ...finished, score: [0, 1], turns: [opening], outcome: null }
  const match = { names: ['You', 'Net'] as [string, string], length: 5, jacoby: false }
  const doubling = { length: 5, crawford: false, match_winner: null } as GameTable['doubling']

  test('has the positions of all games before their decisions', () => {
    const at = (turn: number, doubling: boolean) => positionBefore(match, finished, { turn, doubling })
    expect(at(0, false)).toMatchObject({ dice: [3, 1], seat: 0, id, cube: { value: 1, owner: null } })
    expect(same(at(0, false).checkers, start)).toBe(true)
    const after = played(played(start, 0, 8, 5), 0, 6, 5)
    expect(at(1, true)).toEqual({
      checkers: after,
      dice: null,
      seat: 1,
      cube: { value: 1, owner: null, offered: false },
      id: null,
      score: finished.score,
      crawford: false,
      report: null,
    })
    expect(at(1, false)).toMatchObject({ dice: [4, 2], cube: { value: 2, owner: 0 } })
    // The double that is passed after the last turn.
    const end = at(2, true)
    expect([end.seat, end.dice, end.checkers[1][18]]).toEqual([0, null, start[1][18]! + 1])
  })

  test('leaves the table as it is', async () => {
    const { opened, ui, commands } = seated({ history: [opening], doubling })
    const analyzing = vi.spyOn(opened.analysis, 'start').mockResolvedValue()
    await opened.analyzeAtTable({ ...match, games: [finished, current] })
    expect(analyzing).toHaveBeenCalledOnce()
    expect([opened.isAtTable, opened.index, opened.selected]).toEqual([true, 1, { turn: 0, doubling: false }])
    expect(opened.match!.games[1]!.turns[0]!.lost, 'the loss by the search').toBeNull()
    // The table has the search of a turn of the current game.
    expect([ui.turn, ui.past, ui.isPresent]).toEqual([0, null, false])
    for (const _ of [1, 2, 3, 4]) opened.step(-1)
    expect([opened.index, opened.selected]).toEqual([0, { turn: 0, doubling: false }])
    expect([ui.turn, ui.past?.dice, ui.analysis]).toEqual([null, [3, 1], null])
    opened.step(1)
    expect([opened.selected, ui.past?.dice]).toEqual([{ turn: 1, doubling: true }, null])
    expect(opened.names, 'the players at the table').toBeNull()
    opened.close()
    expect([opened.match, ui.isPresent, commands()]).toEqual([null, true, []])
  })

  test('shows the positions of its last game also after the next one has begun', async () => {
    const { opened, ui, show } = seated({ history: [opening], doubling })
    vi.spyOn(opened.analysis, 'start').mockResolvedValue()
    await opened.analyzeAtTable({ ...match, games: [current] })
    show({ game: 2, history: [], doubling })
    opened.select(0)
    expect([ui.turn, ui.past?.dice]).toEqual([null, [3, 1]])
  })
})

test('a position that is not the current one is described', () => {
  const names = ['You', 'Net'] as const
  expect(earlierPosition({ seat: 1, dice: [4, 2] }, names, 'Earlier position')).toBe(
    'Earlier position: Net with 4-2.',
  )
  expect(earlierPosition({ seat: 0, dice: null }, names, 'Opened match')).toBe(
    'Opened match: You before the roll.',
  )
})

test('the table of plays has the rows of a search or of the analysis of a match', () => {
  const names = ['win', 'win_gammon', 'win_backgammon', 'lose_gammon', 'lose_backgammon']
  const infos = names.map((name) => ({ name })) as unknown as OutcomeInfo[]
  const found = { text: '8/5 6/5', equity: 0.2, lost: 0, prior: 0.6, visits: 40 }
  const searched = (outcome_probabilities: number[]) =>
    searchedRows([{ ...found, moves: [], branches: [], outcome_probabilities }], infos)[0]
  expect(searched([0.5, 0.2, 0.01, 0.1, 0.02])).toEqual({
    ...found,
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02],
    isShallow: false,
  })
  expect(searched([])!.probabilities, 'of a play after the best ones').toEqual([])
  const rated = (isSearched: boolean) => ({
    play: '24/23 13/10',
    equity: -100,
    loss: 50,
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02] as [number, number, number, number, number],
    searched: isSearched,
    played: false,
  })
  const rows = ratedRows({ candidates: [rated(true), rated(false)] })
  expect(rows[0]).toMatchObject({ text: '24/23 13/10', equity: -0.1, lost: 0.05, visits: null })
  expect(rows.map(({ isShallow }) => isShallow)).toEqual([false, true])
  expect(rows[1]!.lost, 'not comparable').toBeNull()
  expect(ratedRows({ candidates: [rated(false)] })[0]!.isShallow, 'all plays are evaluated alike').toBe(false)
})

test('a new run has random dice, and a run from a file keeps its dice', async () => {
  const lab = new Lab()
  const game = gameOf(lab)
  const ask = vi.spyOn(game, 'ask').mockResolvedValue(null)
  for (const [run, fromFile] of [
    [1, false],
    [1, false],
    [2, false],
    [3, true],
  ] as const) {
    Object.assign(lab, { run, fromFile })
    await game.seedDice()
  }
  const seeds = ask.mock.calls.map(([command]) => (command.kind === 'seed_dice' ? command.seed : null))
  expect(seeds).toHaveLength(2)
  expect(seeds[0]).not.toBe(seeds[1])
})

import { describe, expect, test, vi } from 'vitest'
import type {
  Documents,
  ExperimentInfo,
  Frame,
  GameAnalysis,
  GameCandidate,
  GameTable,
  GameTurn,
} from '../../../engine/page/session'
import { type Checkers, start } from '../model/checkers'
import { standing } from '../model/outcomes'
import { deeper, opponentSeat, resigner } from '../model/seats'
import { tableUiOf } from './tableUi.svelte'
import { Lab } from '../../../state/lab.svelte'
import { gameOf } from './table.svelte'
import { move, seated, table } from '../../../../../tests/fixtures/game-table'

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

test('Enter on a candidate that is made ends the turn, and the button of the candidate leaves it', async () => {
  const candidate = { moves: [move(8, 5), move(6, 5)] } as GameCandidate
  const { ui, show, commands } = seated({}, { turn: 0, seat: 0 })
  await ui.playOrConfirm(candidate)
  expect(commands().map(({ kind }) => kind)).toEqual(['move', 'move'])
  show({ moves: [move(6, 5), move(8, 5)], can_confirm: true })
  await ui.playCandidate(candidate)
  expect(commands()).toHaveLength(2)
  await ui.playOrConfirm(candidate)
  expect(commands().at(-1)).toEqual({ kind: 'confirm_turn' })
})

test('a second command waits until the table shows the result of the first one', async () => {
  const { ui, show, commands } = seated({ moves: [move(8, 5)], can_undo: true })
  const first = ui.act({ kind: 'undo_move' })
  // The table has changed for another reason.
  show({ moves: [move(8, 5)], can_undo: true })
  await Promise.all([first, ui.act({ kind: 'undo_move' })])
  await ui.act({ kind: 'undo_move' })
  expect([commands().length, ui.ready]).toEqual([1, false])
  show({})
  expect(ui.ready).toBe(true)
})

test('an untrained network gives no hints while the pretrained one is loaded', () => {
  const some = { turn: 0, seat: 0, updates: 0, candidates: [] } as Partial<GameAnalysis>
  const untrained = seated({}, { ...some, player: { kind: 'newest', simulations: 100 } })
  const trained = seated({}, { ...some, player: { kind: 'opened', simulations: 100 } })
  for (const { lab } of [untrained, trained]) void gameOf(lab).change(() => new Promise(() => {}))
  expect([untrained.ui.analysis, trained.ui.analysis === null]).toEqual([null, false])
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

test('a selected play stays on the board until another decision is shown', () => {
  const { ui, show } = seated({ id: 'first', stage: 'computer', waits: true })
  ui.selectPlay('8/5 6/5')
  ui.pointed = '13/9'
  expect([ui.shownPlay, ui.selectedPlay]).toEqual(['13/9', '8/5 6/5'])
  ui.pointed = null
  expect(ui.shownPlay).toBe('8/5 6/5')
  show({ id: 'second' })
  expect(ui.shownPlay).toBeNull()
  show({ id: 'first' })
  ui.selectPlay('8/5 6/5')
  expect(ui.shownPlay).toBeNull()
})

test('a selected play is not selected in the next game or run, nor after a turn is taken back', () => {
  const first = { game: 1, id: 'first' }
  const { lab, ui, show } = seated(first)
  ui.selectPlay('8/5 6/5')
  show({ game: 2, id: 'first' })
  expect(ui.selectedPlay, 'in the next game').toBeNull()
  show(first)
  expect(ui.selectedPlay).toBe('8/5 6/5')
  lab.run++
  expect(ui.selectedPlay, 'in the next run').toBeNull()
  lab.run--
  ui.begin()
  expect(ui.selectedPlay, 'after “Take back”').toBeNull()
})

import { describe, expect, test, vi } from 'vitest'
import type {
  AnalyzedMatch,
  Documents,
  Frame,
  GameAnalysis,
  GameTable,
  GameTurn,
  PlayedGame,
  PlayedMatch,
} from '../../../engine/page/session'
import { played, same, start } from '../model/checkers'
import { tools } from '../../../engine/page/tools'
import { positionBefore } from '../model/playedMatch'
import { move, seated, table, turn } from '../../../../../tests/fixtures/game-table'

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

test('the section of a match takes the focus once, not again in a window of another width', () => {
  const { opened } = seated({ game: 7, id: 'table' })
  opened.match = recorded
  expect([opened.takesFocus(), opened.takesFocus()]).toEqual([true, false])
  opened.match = { ...recorded }
  expect(opened.takesFocus()).toBe(true)
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

test('the analysis of an opened match can be hidden, without a change of the hints at the table', () => {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = recorded
  opened.select(0)
  const play = { action: 'play', player: 0, play: '8/5 6/5', candidates: [{ play: '13/9' }] }
  opened.analysis.analyzed = { games: [{ actions: [play] }] } as unknown as AnalyzedMatch
  expect([opened.hints, opened.isHidden, opened.ratedActions.length]).toEqual([true, false, 1])
  opened.hints = false
  expect([opened.isHidden, opened.ratedActions, opened.ratedPlay]).toEqual([true, [], null])
  // Also at the next decision.
  opened.step(1)
  expect(opened.hints).toBe(false)
  ui.begin()
  expect([opened.hints, opened.isHidden, ui.hints], 'another position').toEqual([false, false, false])
  opened.hints = true
  expect(ui.hints).toBe(true)
  opened.show(opened.last!)
  expect(opened.hints).toBe(false)
})

test('one decision is shown while the others stay hidden', () => {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = recorded
  opened.select(0)
  const play = { action: 'play', player: 0, play: '8/5 6/5', candidates: [{ play: '13/9' }] }
  opened.analysis.analyzed = { games: [{ actions: [play, play] }] } as unknown as AnalyzedMatch
  opened.hints = false
  opened.reveal()
  expect([opened.isHidden, opened.ratedActions.length, opened.hints]).toEqual([false, 1, false])
  opened.step(1)
  expect([opened.isHidden, opened.ratedActions]).toEqual([true, []])
  expect([0, 1].map((turn) => opened.hides(0, { turn, doubling: false }))).toEqual([false, true])
  expect(opened.hides(1, { turn: 0, doubling: false }), 'another game').toBe(true)
  opened.step(-1)
  expect(opened.isHidden).toBe(false)
  // The hints show and hide all decisions.
  opened.hints = true
  opened.hints = false
  expect(opened.isHidden).toBe(true)
  ui.begin()
  opened.reveal()
  expect(ui.hints, 'at the table').toBe(true)
})

test('the doubling decision of a turn without a double can be selected', () => {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = recorded
  opened.select(0, { turn: 1, doubling: false })
  expect(opened.undoubled, 'before the analysis').toBeNull()
  const play = { action: 'play', player: 0, play: '8/5 6/5', position: 'XGID=-b:0:0:1:31:0:0:0:5:10' }
  opened.analysis.analyzed = { games: [{ actions: [play, play] }] } as unknown as AnalyzedMatch
  expect(opened.undoubled).toEqual({ turn: 1, doubling: true })
  opened.show(opened.undoubled!)
  expect([ui.past?.id, ui.past?.dice]).toEqual(['XGID=-b:0:0:1:00:0:0:0:5:10', null])
  expect([opened.selected, opened.undoubled]).toEqual([{ turn: 1, doubling: true }, null])
  opened.step(1)
  expect(opened.selected).toEqual({ turn: 1, doubling: false })
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

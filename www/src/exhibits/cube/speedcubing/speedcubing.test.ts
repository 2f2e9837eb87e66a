import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Command, CubeTable, Session } from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { readSolvesCsv, solvesCsv } from './csv'
import { randomStateScramble } from './scrambles'
import { TimerSettings } from './settings.svelte'
import { speedcubingOf } from './speedcubing.svelte'
import { solved, turned } from '../model/stickers'
import { readTurn } from '../model/turns'

import { storedSessions } from './storage'
import { stubStorage } from '../../../lib/storage.stub'
import { timesPlot } from './times'
import {
  activate,
  averageOf,
  averageText,
  bestAverage,
  bestOf,
  cancel,
  giveUp,
  inspect,
  inspectionPenalty,
  inspectionText,
  inspectionWarning,
  meanOf3,
  move,
  movesPerSecond,
  movesText,
  press,
  release,
  resultOf,
  runningText,
  sessionDeviation,
  sessionMean,
  solvesText,
  solveText,
  stop,
  timeText,
  type Penalty,
  type Solve,
  type TimerState,
} from './timer'

vi.mock('./scrambles', () => ({ randomStateScramble: vi.fn() }))

const solve = (time: number, penalty: Penalty = 'none', moves = 10): Solve => ({ time, penalty, moves })

const ready: TimerState = { phase: 'ready' }

describe('timer', () => {
  test('starts at the first move and stops at the last one', () => {
    const state = [1000, 1500, 3500].reduce(move, ready)
    expect(stop(state)).toEqual({ phase: 'done', solve: solve(2500, 'none', 0) })
    expect(movesPerSecond(solve(2500, 'none', 5))).toBe(2)
    expect(movesPerSecond(solve(0, 'none', 1))).toBeNull()
    expect(movesText(solve(2500, 'none', 5))).toBe('5\u00a0moves (HTM), 2.00 per second')
    expect(movesText(solve(0, 'none', 1))).toBe('1\u00a0move (HTM)')
  })

  test('a running solve is ended as DNF', () => {
    const state = [1000, 1500].reduce(move, ready)
    expect(giveUp(state, 3456)).toEqual({ phase: 'done', solve: solve(2450, 'DNF', 0) })
    expect(giveUp(ready, 1)).toBe(ready)
  })

  test('runs only on a scrambled cube', () => {
    const idle: TimerState = { phase: 'idle' }
    expect(move(idle, 1)).toBe(idle)
    expect(inspect(idle, 1)).toBe(idle)
    expect(stop(ready)).toBe(ready)
    const done = stop(move(ready, 1))
    expect(move(done, 2)).toBe(done)
  })

  test('the inspection has warnings and penalties', () => {
    const penaltyAfter = (elapsed: number) => {
      const state = move(inspect(ready, 500), 500 + elapsed)
      return state.phase === 'running' ? state.penalty : null
    }
    expect([14_999, 15_000, 16_999, 17_000].map(penaltyAfter)).toEqual(['none', '+2', '+2', 'DNF'])
    expect([7_999, 8_000, 11_999, 12_000, 15_000].map(inspectionWarning)).toEqual([
      '',
      '8 seconds',
      '8 seconds',
      '12 seconds',
      '',
    ])
    expect([0, 1, 14_001, 15_000, 17_000].map(inspectionText)).toEqual(['15', '15', '1', '+2', 'DNF'])
    expect(inspectionPenalty(0)).toBe('none')
  })
})

describe('settings of the timer', () => {
  test('are stored; damaged ones have their defaults', () => {
    const memory = stubStorage()
    const values = ({ values: { inspection, physical, running, hold } }: TimerSettings) => [
      inspection,
      physical,
      running,
      hold,
    ]
    const settings = new TimerSettings()
    expect(values(settings)).toEqual([true, false, 'hundredths', 300])
    settings.set({ running: 'hidden', hold: 550 })
    settings.set({ inspection: false })
    expect(values(new TimerSettings())).toEqual([false, false, 'hidden', 550])
    for (const damaged of ['{', 'null', '{"running":1,"hold":-1,"physical":"yes"}']) {
      memory.set('vivarium:/timer', damaged)
      expect(values(new TimerSettings())).toEqual([true, false, 'hundredths', 300])
    }
    vi.unstubAllGlobals()
  })

  test('determine what is displayed during a solve', () => {
    expect(runningText(62_345, 'hundredths')).toBe('1:02.34')
    expect(runningText(62_345, 'seconds')).toBe('1:02')
    expect(runningText(345, 'seconds')).toBe('0')
    expect(runningText(62_345, 'hidden')).toBe('…')
  })
})

describe('timer of a physical cube', () => {
  const idle: TimerState = { phase: 'idle' }
  const space = (state: TimerState, now: number, hasInspection = false) =>
    press(state, now, true, hasInspection)

  test('starts when the space bar is released after it was held, and any key stops it', () => {
    const held = space(idle, 1000)
    expect(held.phase).toBe('holding')
    // A key that is held repeats.
    expect(space(held, 1100)).toBe(held)
    expect(release(held, 1299, 300)).toEqual(idle)
    const running = release(held, 1300, 300)
    expect(running.phase).toBe('running')
    expect(press(running, 13_640, false, false)).toEqual({ phase: 'done', solve: solve(12_340, 'none', 0) })
    expect(press(idle, 1, false, false)).toBe(idle)
    expect(movesPerSecond(solve(12_340, 'none', 0))).toBeNull()
  })

  test('is started without holding by assistive technology', () => {
    const running = activate(idle, 1000, false)
    expect(running).toMatchObject({ phase: 'running', since: 1000 })
    expect(activate(running, 3000, false)).toEqual({ phase: 'done', solve: solve(2000, 'none', 0) })
    const inspecting = activate(idle, 0, true)
    expect(inspecting.phase).toBe('inspecting')
    expect(activate(inspecting, 15_000, true)).toMatchObject({ phase: 'running', penalty: '+2' })
  })

  test('the inspection and the holding are canceled, but not the solve', () => {
    const inspecting = space(idle, 0, true)
    expect(cancel(inspecting, 'ready')).toEqual({ phase: 'ready' })
    expect(cancel(space(inspecting, 900, true), 'idle')).toEqual(idle)
    const running = activate(idle, 0, false)
    expect(cancel(running, 'idle')).toBe(running)
  })

  test('has an inspection, with penalties at the release', () => {
    const inspecting = space(idle, 0, true)
    expect(inspecting).toEqual({ phase: 'inspecting', since: 0 })
    const penalty = (at: number) => {
      const state = release(space(inspecting, at - 400, true), at, 300)
      return state.phase === 'running' ? state.penalty : null
    }
    expect([5000, 15_000, 17_000].map(penalty)).toEqual(['none', '+2', 'DNF'])
    expect(release(space(inspecting, 900, true), 1000, 300)).toEqual(inspecting)
  })
})

describe('results', () => {
  test('penalties are part of the result', () => {
    expect(resultOf(solve(10_000, '+2'))).toBe(12_000)
    expect(resultOf(solve(10_000, 'DNF'))).toBe(Infinity)
    expect([solve(12_349), solve(10_000, '+2'), solve(1, 'DNF')].map(solveText)).toEqual([
      '12.34',
      '12.00+',
      'DNF(0.00)',
    ])
    expect(timeText(62_345)).toBe('1:02.34')
    expect(timeText(60_000)).toBe('1:00.00')
  })

  test('the best average is that of the best solves in a row', () => {
    const solves = [9, 2, 3, 4, 8].map((seconds) => solve(1000 * seconds))
    expect(bestAverage(meanOf3, 3, solves)).toBe(3000)
    expect(bestAverage(meanOf3, 3, solves.slice(0, 2))).toBeNull()
    expect(bestAverage(meanOf3, 3, [solve(1, 'DNF'), solve(1), solve(1)])).toBe(Infinity)
    const five = (list: readonly Solve[]) => averageOf(5, list)
    expect(bestAverage(five, 5, [...solves, solve(1000)])).toBe(averageOf(5, [...solves, solve(1000)]))
  })

  test('are copied as text with their scrambles', () => {
    const solves = [{ ...solve(12_349, '+2'), scramble: "R U'" }, solve(10_000), solve(9000, 'DNF')]
    expect(solvesText(solves)).toBe(
      'solves: 3, best: 10.00, mean of 3: DNF, average of 5: –, average of 12: –, average of 50: –, average of 100: –, mean of all: 12.17, standard deviation: 3.07\n\n' +
        "1. 14.34+  R U'\n2. 10.00\n3. DNF(9.00)",
    )
  })

  test('are exported as csTimer does', () => {
    const date = new Date(2026, 10, 29, 1, 2, 3).getTime()
    const solves = [{ ...solve(12_349, '+2'), scramble: "R U'", date }, solve(9000, 'DNF')]
    expect(solvesCsv(solves)).toBe(
      "No.;Time;Comment;Scramble;Date;P.1\n1;14.34+;;R U';2026-11-29 01:02:03;12.34\n2;DNF(9.00);;;;9.00",
    )
  })

  test('are written with their comments, and the turns as text', () => {
    const solves = [
      { ...solve(10_000), scramble: 'R U', turns: "x' U' R'", comment: 'two "pairs"; lucky' },
      { ...solve(9000), comment: 'slow' },
    ]
    expect(solvesText(solves).split('\n\n')[1]).toBe(
      "1. 10.00[two \"pairs\"; lucky]  R U\n   moves: x' U' R'\n2. 9.00[slow]",
    )
    expect(solvesCsv(solves).split('\n').slice(1)).toEqual([
      '1;10.00;"two ""pairs""; lucky";R U;;10.00',
      '2;9.00;slow;;;9.00',
    ])
  })

  test('are read as csTimer and this page write them', () => {
    const date = new Date(2026, 10, 29, 1, 2, 3).getTime()
    const solves: Solve[] = [
      { ...solve(2010, 'none', 0), date, scramble: "R U'", comment: 'two "pairs"; lucky' },
      { ...solve(62_340, '+2', 0), date: date + 1000 },
      solve(9000, 'DNF', 0),
      solve(3_600_000, 'none', 0),
    ]
    const header = 'No.;Time;Comment;Scramble;Date;P.1'
    expect(readSolvesCsv(solvesCsv(solves.slice(0, 3)))).toEqual({ solves: solves.slice(0, 3), errors: [] })
    // Lines end as in Windows, times have milliseconds, a comment has two lines, a spreadsheet has written commas.
    const text = `\uFEFF${header}\r\n1;12.349;"a\nb";F2;;\r\n2;DNF;;;;\r\n3;1:00:00.00\r\n\r\n`
    expect(readSolvesCsv(text).solves).toEqual([
      { ...solve(12_340, 'none', 0), comment: 'a b', scramble: 'F2' },
      solve(0, 'DNF', 0),
      solves[3],
    ])
    expect(readSolvesCsv('Time,Scramble\n2.01,R U').solves).toEqual([
      { ...solve(2010, 'none', 0), scramble: 'R U' },
    ])
  })

  test('errors of a file name their lines', () => {
    const lines = [
      'No.;Time;Comment;Scramble;Date;P.1',
      '1;"9.00"',
      '2;abc;"two\nlines";;',
      '3;1.00+;;;',
      '4;9;;;31.12.',
    ]
    expect(readSolvesCsv(lines.join('\n')).errors).toEqual([
      'Line 3: “abc” is not a time such as 12.34, 14.34+ or DNF(12.34).',
      'Line 5: “1.00+” is not a time such as 12.34, 14.34+ or DNF(12.34).',
      'Line 6: “31.12.” is not a date such as 2026-11-29 13:05:00.',
    ])
    expect(readSolvesCsv('Time\n9\n"8').errors).toEqual(['Line 3: a quotation mark is not closed.'])
    expect(readSolvesCsv('a;b').errors[0]).toMatch(/^Line 1: the column “Time” is missing/)
    expect(readSolvesCsv('').errors.length).toBe(1)
  })

  test('the average of 50 drops three results on both sides', () => {
    const fifty = Array.from({ length: 50 }, (_, i) => solve(1000 * (i < 3 ? 1 : i < 47 ? 10 : 500)))
    expect([averageOf(50, fifty), averageOf(50, fifty.slice(1))]).toEqual([10_000, null])
  })

  test('the average of 100 drops five results on both sides, the session mean only DNF', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => solve(1000 * (i < 5 ? 1 : i < 95 ? 10 : 500)))
    expect(averageOf(100, hundred)).toBe(10_000)
    expect(sessionMean([solve(1000), solve(1, 'DNF'), solve(2000, '+2')])).toBe(2500)
    expect(sessionMean([solve(1, 'DNF')])).toBeNull()
  })

  test('the deviation is that of the finite results', () => {
    expect(sessionDeviation([solve(1000)])).toBeNull()
    expect(sessionDeviation([solve(1000), solve(2000), solve(9000, 'DNF'), solve(3000)])).toBe(1000)
  })

  test('are plotted: times as points, averages as lines that a DNF average interrupts', () => {
    const seconds = (times: number[]) => times.map((time) => solve(1000 * time, time > 90 ? 'DNF' : 'none'))
    const { solves, averages, ticks } = timesPlot(seconds([10, 12, 11, 13, 14, 99, 98, 10]), 70, 100)
    expect(solves.map(({ x }) => x)).toEqual([0, 10, 20, 30, 40, 70])
    expect(averages[5].map((piece) => piece.map(({ x }) => x))).toEqual([[40, 50]])
    expect(averages[12]).toEqual([])
    expect(ticks).toEqual([
      { y: 100, time: 10_000 },
      { y: 50, time: 12_000 },
      { y: 0, time: 14_000 },
    ])
    expect(solves[0]!.y).toBe(100)
    expect(timesPlot(seconds([10]), 70, 100).solves).toEqual([{ x: 35, y: 100 }])
    expect(timesPlot([solve(1, 'DNF')], 70, 100).solves).toEqual([])
  })

  test('averages follow from the displayed times', () => {
    // Milliseconds that are not displayed would change the averages.
    const measured = [1569, 1639, 709, 809, 1019]
    const solves = measured.map((time) => {
      const state = stop(move(move(ready, 0), time))
      return state.phase === 'done' ? state.solve : solve(NaN)
    })
    expect(solves.map(solveText)).toEqual(['1.56', '1.63', '0.70', '0.80', '1.01'])
    const five = (list: readonly Solve[]) => averageOf(5, list)
    const texts = (list: readonly Solve[]) => [five(list), meanOf3(list), sessionMean(list)].map(averageText)
    expect(texts(solves)).toEqual(['1.12', '0.84', '1.14'])
    expect(averageText(sessionMean(solves.slice(0, 1)))).toBe('1.56')
    const [first, ...others] = solves as [Solve, ...Solve[]]
    expect(texts([...others, { ...first, penalty: '+2' }])).toEqual(['1.15', '1.79', '1.54'])
    expect(texts([...others, { ...first, penalty: 'DNF' }])).toEqual(['1.15', 'DNF', '1.04'])
    expect(averageText(bestAverage(five, 5, [solve(9990), ...solves]))).toBe('1.12')
    // 12 of 10.00 to 10.11, and 100 of 10.00 to 10.99.
    const rising = (count: number) => Array.from({ length: count }, (_, i) => solve(10_000 + 10 * i))
    expect([12, 100].map((count) => averageText(averageOf(count, rising(count))))).toEqual(['10.06', '10.50'])
  })

  test('means and averages', () => {
    const times = [9000, 10_000, 20_000, 11_000, 12_000]
    const solves = times.map((time) => solve(time))
    expect(averageOf(5, solves)).toBe(11_000)
    expect(averageOf(5, [solve(1), ...solves])).toBe(11_000)
    expect(meanOf3(solves)).toBe(14_330)
    expect(averageText(meanOf3(solves))).toBe('14.33')
    expect([averageOf(5, solves.slice(1)), meanOf3(solves.slice(3)), bestOf([])]).toEqual([null, null, null])
    expect(bestOf(solves)).toBe(9000)
    // One DNF is the worst of five; the mean has none to spare.
    const [a, b, c] = solves as [Solve, Solve, Solve]
    const dnf = solve(1, 'DNF')
    expect(averageOf(5, [a, b, c, solve(11_000), dnf])).toBe(13_670)
    expect(averageText(averageOf(5, [a, b, c, dnf, dnf]))).toBe('DNF')
    expect(averageText(meanOf3([a, b, dnf]))).toBe('DNF')
    expect(averageText(null)).toBe('–')
    const twelve = [dnf, solve(1), ...Array.from({ length: 10 }, (_, i) => solve(1000 * (i + 1)))]
    expect([averageOf(12, twelve), averageOf(12, twelve.slice(1))]).toEqual([5500, null])
  })
})

describe('timed solves', () => {
  let memory = new Map<string, string>()
  beforeEach(() => {
    memory = stubStorage()
    toasts.dismissAll()
    vi.mocked(randomStateScramble).mockReset().mockResolvedValue('F')
    return () => vi.unstubAllGlobals()
  })

  const after = (turns: string) =>
    turns.split(' ').reduce((stickers, turn) => turned(stickers, readTurn(turn)!), solved(2))

  /** Returns the stored solves of the chosen session. */
  const stored = (world: string) => {
    const { list, chosen } = storedSessions(world)
    return list.find(({ name }) => name === chosen)!.solves
  }

  /**
   * Returns the speedcubing state of a fake exhibit, and a function that shows the cube after turns, of which the
   * first two are the scramble.
   */
  function ready(asked: Command[] = []) {
    const lab = new Lab()
    const speed = speedcubingOf(lab)
    lab.info = { name: 'cube2' } as never
    lab.exhibit = 'cube2'
    lab.session = {
      command: async (command: Command) => (asked.push(command), { kind: 'done' }),
    } as unknown as Session
    const show = (cube: number, turns: string, change: Partial<CubeTable> = {}) => {
      const history = turns
        .split(' ')
        .filter(Boolean)
        .map((turn, i) => ({ turn, by: i < 2 ? ('scramble' as const) : ('person' as const) }))
      const stickers = turns === '' ? solved(2) : after(turns)
      const table = {
        cube,
        stickers,
        solved: stickers === solved(2),
        history,
        at: history.length,
        solving: null,
        ...change,
      }
      speed.follow(table as CubeTable)
    }
    /** Starts a run of a world. */
    const restart = (name: string, kind = 'cube') => {
      lab.info = { name, world: { kind } } as never
      ;(lab as unknown as { show(frame: null): void }).show(null)
    }
    return { speed, show, restart }
  }

  test('a scramble of a physical cube stays until a cube of another size is opened', async () => {
    const { speed, restart } = ready()
    restart('cube2')
    speed.settings.set({ physical: true })
    await speed.start('R U', true)
    const scramble = { text: 'R U', typed: true }
    restart('cube2')
    restart('backgammon', 'games')
    restart('cube2')
    expect(speed.scramble).toEqual(scramble)
    speed.timer = { phase: 'done', solve: solve(1500, 'none', 2) }
    restart('cube3')
    expect([speed.scramble, speed.timer.phase]).toEqual([null, 'idle'])
  })

  test('a scramble arms the timer; the solved cube stores the solve', async () => {
    const { speed, show } = ready()
    expect(await speed.start('R U', true)).toBeNull()
    expect(speed.scramble).toEqual({ text: 'R U', typed: true })
    show(1, '')
    expect(speed.timer.phase).toBe('idle')
    show(1, 'R U')
    expect(speed.timer.phase).toBe('ready')
    expect(speed.inspect(1000)).toBe(true)
    speed.moved(16_500)
    show(1, "R U U'")
    speed.moved(18_000)
    show(1, "R U U' R'")
    expect(speed.timer).toEqual({ phase: 'done', solve: { ...solve(1500, '+2', 2), turns: "U' R'" } })
    expect(stored('cube2')).toMatchObject([{ ...solve(1500, '+2', 2), scramble: 'R U', turns: "U' R'" }])
    expect(stored('cube3')).toEqual([])
    speed.sessions.penalize(0, 'DNF')
    expect(stored('cube2').map(({ penalty }) => penalty)).toEqual(['DNF'])
    speed.sessions.penalize(0, 'none')
    expect(speed.sessions.solves.map(({ penalty }) => penalty)).toEqual(['none'])
    speed.sessions.remove(0)
    expect(stored('cube2')).toEqual([])
    expect(speed.timer.phase).toBe('idle')
    speed.sessions.clear()
    expect(speed.sessions.solves).toEqual([])
    expect(stored('cube2')).toEqual([])
  })

  test('two equal quarter turns are recorded as a half turn', async () => {
    const { speed, show } = ready()
    vi.mocked(randomStateScramble).mockResolvedValue('F R')
    await speed.start('R U2', true)
    show(1, 'R U2')
    for (const now of [1000, 2000, 3000]) speed.moved(now)
    show(1, "R U2 U U R'")
    const turns = { moves: 2, turns: "U2 R'" }
    expect(speed.timer).toMatchObject({ phase: 'done', solve: { time: 2000, ...turns } })
    expect(stored('cube2')).toMatchObject([turns])
    // Older versions counted the keys.
    memory.set('vivarium:/solves-cube3', JSON.stringify([{ ...solve(10, 'none', 3), turns: "U U R'" }]))
    expect(stored('cube3')).toMatchObject([turns])
  })

  test('a scramble is computed when none was computed during the solve', async () => {
    const { speed, show } = ready()
    vi.mocked(randomStateScramble).mockRejectedValueOnce(new Error('no memory')).mockResolvedValue('F R')
    await speed.start('R U', true)
    show(1, 'R U')
    speed.moved(1000)
    await speed.next()
    expect(speed.scramble).toEqual({ text: 'F R', typed: false })
    expect([vi.mocked(randomStateScramble).mock.calls.length, speed.computing]).toEqual([2, null])
    expect(toasts.list).toEqual([])
  })

  test('a solver, a taken-back scramble or another cube ends the attempt', async () => {
    const changes: Partial<CubeTable>[] = [
      { solving: { status: 'searching' } as never },
      { at: 1 },
      { cube: 2 },
      { history: ['R', 'U', 'F'].map((turn) => ({ turn, by: 'scramble' })) },
    ]
    for (const change of changes) {
      const { speed, show } = ready()
      await speed.start('R U', false)
      show(1, 'R U')
      speed.moved(5)
      show(1, 'R U')
      expect(speed.timer.phase).toBe('running')
      show(1, 'R U', change)
      expect(speed.timer.phase).toBe('discarded')
      expect(speed.isSolving).toBe(false)
      expect(speed.sessions.solves).toEqual([])
    }
    // A scramble whose solve has not begun is no attempt.
    const { speed, show } = ready()
    await speed.start('R U', false)
    show(1, 'R U')
    show(2, 'R U')
    expect(speed.timer.phase).toBe('idle')
  })

  test('Escape ends the solve as DNF, which Undo deletes', async () => {
    const { speed, show } = ready()
    await speed.start('R U', true)
    show(1, 'R U')
    speed.moved(1000)
    show(1, "R U U'")
    expect(speed.press('Escape', 2000)).toBe(true)
    expect(speed.timer).toEqual({ phase: 'done', solve: { ...solve(1000, 'DNF', 1), turns: "U'" } })
    expect(stored('cube2')).toMatchObject([{ penalty: 'DNF', scramble: 'R U', turns: "U'" }])
    // Turns after the end are not timed.
    speed.moved(3000)
    show(1, "R U U' R'")
    expect([speed.sessions.solves.length, speed.press('Escape', 3000)]).toEqual([1, false])
    expect(toasts.list.at(-1)!.message).toBe('Solve 1 ended as DNF.')
    toasts.list.at(-1)!.action!.run()
    expect([speed.timer.phase, stored('cube2')]).toEqual(['idle', []])
  })

  test('a solve is shown on the cube at the end of its scramble, and gets a comment', async () => {
    const solves = [
      { ...solve(10, 'none', 2), scramble: 'R U', turns: "U' R'" },
      { ...solve(20), scramble: '(R U)2' },
      solve(30),
    ]
    memory.set('vivarium:/solves-cube2', JSON.stringify(solves))
    const asked: Command[] = []
    const { speed, show } = ready(asked)
    await speed.start('F', true)
    show(1, 'F')
    const shown = async (index: number) => {
      asked.length = 0
      expect(await speed.show(index)).toBeNull()
      return asked
    }
    const [check, reset] = [{ kind: 'apply', turns: 'R U', by: 'scramble' }, { kind: 'reset_cube' }]
    const turns = { kind: 'apply', turns: "U' R'", by: 'person' }
    expect(await shown(0)).toEqual([check, reset, check, turns, { kind: 'cube_step', to: 2 }])
    // The turns of the shown solve are not timed.
    expect([speed.timer.phase, speed.scramble]).toEqual(['idle', null])
    speed.moved(1)
    show(2, "R U U' R'")
    expect(speed.sessions.solves.length).toBe(3)
    expect((await shown(1)).map(({ kind }) => kind)).toEqual(['apply', 'reset_cube', 'apply'])
    expect(await shown(2)).toEqual([])
    // An attempt and a scramble in computation are not interrupted.
    speed.timer = { phase: 'inspecting', since: 0 }
    expect(await shown(0)).toEqual([])
    speed.timer = { phase: 'idle' }
    speed.computing = 'loading'
    expect(await shown(0)).toEqual([])
    speed.sessions.comment(0, ' slow cross ')
    expect(stored('cube2')[0]).toEqual({ ...solves[0], comment: 'slow cross' })
    speed.sessions.comment(0, '')
    expect(stored('cube2')).toEqual(solves)
  })

  test('the second of two quick scrambles replaces the first', async () => {
    const asked: Command[] = []
    const { speed } = ready(asked)
    await Promise.all([speed.start('R U', false), speed.start('F', false)])
    expect(asked.filter(({ kind }) => kind === 'apply')).toEqual([
      { kind: 'apply', turns: 'F', by: 'scramble' },
    ])
    expect(speed.scramble).toEqual({ text: 'F', typed: false })
  })

  test('the space bar brings the next scramble after a solve, then the inspection', async () => {
    const { speed, show } = ready()
    vi.mocked(randomStateScramble).mockResolvedValue('F R')
    expect(speed.press(' ', 0)).toBe(false)
    speed.open = true
    await speed.start('R U', true)
    show(1, 'R U')
    expect(speed.press(' ', 1000)).toBe(true)
    expect([speed.timer.phase, speed.isSolving]).toEqual(['inspecting', true])
    // Escape cancels the inspection; nothing is recorded.
    expect(speed.press('Escape', 1500)).toBe(true)
    expect([speed.timer.phase, speed.sessions.solves.length]).toEqual(['ready', 0])
    expect(speed.press('Escape', 1600)).toBe(false)
    speed.moved(2000)
    show(1, "R U U'")
    speed.moved(3000)
    // During a solve, the space bar has no effect, and training is not started.
    expect(speed.press(' ', 2500)).toBe(true)
    show(1, "R U U' R'")
    expect(speed.timer.phase).toBe('done')
    // The next scramble was computed during the solve.
    expect(randomStateScramble).toHaveBeenCalledOnce()
    expect(speed.press(' ', 4000)).toBe(true)
    await vi.waitFor(() => expect(speed.scramble).toEqual({ text: 'F R', typed: false }))
    expect(randomStateScramble).toHaveBeenCalledOnce()
    show(2, 'F R')
    expect(speed.timer.phase).toBe('ready')
    speed.press(' ', 5000)
    expect(speed.timer.phase).toBe('inspecting')
  })

  test('each solve of a physical cube has its own scramble', async () => {
    const { speed } = ready()
    speed.open = true
    const scrambles: ((text: string) => void)[] = []
    vi.mocked(randomStateScramble).mockImplementation(() => new Promise((next) => scrambles.push(next)))
    const scramble = async (index: number, text: string) => {
      scrambles[index]!(text)
      await vi.waitFor(() => expect(speed.computing).toBeNull())
    }
    speed.settings.set({ inspection: false })
    speed.choose(true)
    await scramble(0, 'R U')
    const solveAt = (now: number) => {
      speed.press(' ', now)
      speed.release(' ', now + 400)
      expect(speed.isSolving).toBe(true)
      speed.press('x', now + 1400)
    }
    solveAt(0)
    // The time stays while the next scramble is computed, and no attempt begins without it.
    expect([speed.timer.phase, speed.scramble]).toEqual(['done', null])
    speed.press(' ', 2000)
    expect(speed.timer.phase).toBe('done')
    await scramble(1, 'F R')
    expect(speed.timer.phase).toBe('done')
    solveAt(3000)
    await scramble(2, 'F U')
    expect(speed.sessions.solves.map(({ scramble }) => scramble)).toEqual(['R U', 'F R'])
    // Escape cancels the holding.
    speed.press(' ', 5000)
    speed.press('Escape', 5100)
    speed.release(' ', 6000)
    expect([speed.timer.phase, speed.sessions.solves.length]).toEqual(['idle', 2])
  })

  test('the full-size timer times a physical cube; the stored setting stays', async () => {
    const { speed } = ready()
    speed.open = true
    speed.setFull(true)
    expect([speed.physical, speed.settings.values.physical]).toEqual([true, false])
    expect(new TimerSettings().values.physical).toBe(false)
    // There was no scramble.
    await vi.waitFor(() => expect(speed.scramble).toEqual({ text: 'F', typed: false }))
    await vi.waitFor(() => expect(speed.computing).toBeNull())
    speed.press(' ', 1000)
    expect(speed.timer.phase).toBe('inspecting')
    speed.setFull(false)
    expect([speed.timer.phase, speed.physical]).toEqual(['idle', false])
  })

  test('the full-size timer brings a scramble if a physical cube is timed already; closing cancels the inspection', async () => {
    const { speed } = ready()
    speed.open = true
    speed.settings.set({ physical: true })
    speed.setFull(true)
    await vi.waitFor(() => expect(speed.scramble).toEqual({ text: 'F', typed: false }))
    await vi.waitFor(() => expect(speed.computing).toBeNull())
    speed.press(' ', 1000)
    speed.press(' ', 2000)
    expect(speed.timer.phase).toBe('holding')
    speed.setFull(false)
    expect([speed.timer.phase, speed.physical]).toEqual(['idle', true])
    // The result stays.
    const done: TimerState = { phase: 'done', solve: solve(1500) }
    speed.timer = done
    speed.setFull(true)
    expect(speed.timer).toEqual(done)
  })

  test('a scramble that leaves the cube solved does not arm the timer', async () => {
    const { speed, show } = ready()
    await speed.start("R R'", true)
    show(1, "R R'")
    expect(speed.timer.phase).toBe('idle')
  })
})

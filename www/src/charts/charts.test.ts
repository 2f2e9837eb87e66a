import { describe, expect, test } from 'vitest'
import { short } from '../lib/format'
import { chartAxis } from './chart-axis.svelte'
import { elapsed, History } from '../state/history'
import type { Lab } from '../state/lab.svelte'
import { isSingle } from './single'
import {
  commonSteps,
  logarithmicAxis,
  panned,
  stepAt,
  stepRange,
  tickLabels,
  wholeRun,
  zoomed,
} from './step-range'
import { stripPoints } from './strip'
import { comparisonOf } from './comparison.svelte'
import { visibleStepsOf } from './visible-steps.svelte'

const row = (steps: number, value: number, name = 'return_mean') => ({
  steps,
  values: [[name, value]] as [string, number][],
})

const unsolved = () =>
  ({
    ...{ run: 1, solved: null, changes: [], history: new History() },
    progress: { steps: 0, updates: 0, episodes: 0, total_steps: null },
  }) as unknown as Lab

test('a single value is distinguished from a line, with any number of empty steps', () => {
  expect(isSingle([null, null, 2.62, null])).toBe(true)
  expect(isSingle([0])).toBe(true)
  expect([[], [null], [1, null, 2]].map(isSingle)).toEqual([false, false, false])
})

describe('history', () => {
  test('short runs are kept as they are', () => {
    const history = new History(8)
    for (let i = 1; i <= 5; i++) history.push(row(i * 10, i))
    expect(history.steps).toEqual([10, 20, 30, 40, 50])
    expect(history.column('return_mean')).toEqual([1, 2, 3, 4, 5])
  })

  test('a run of any length keeps its early rows, and its points grow with the logarithm of its steps', () => {
    const history = new History(64)
    for (let i = 1; i <= 100_000; i++) history.push(row(i, i))
    expect(history.length).toBeLessThan(64 + 64 * Math.log(100_000 / 64))
    expect(history.steps.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, i) => i + 1))
    const column = history.column('return_mean') as number[]
    for (const [i, step] of history.steps.entries()) {
      const before = history.steps[i - 1] ?? 0
      if (i + 1 < history.length) expect(step - before).toBeGreaterThanOrEqual(step / 64)
      expect(step - before).toBeLessThanOrEqual(step / 64 + 1)
      // A point is the mean of its rows.
      expect(column[i]).toBeCloseTo((before + 1 + step) / 2)
    }
  })

  test('the last row is always included', () => {
    const history = new History(8)
    for (let i = 1; i <= 1000; i++) {
      history.push(row(i, i))
      expect(history.steps.at(-1)).toBe(i)
    }
  })

  test('rows at the same steps are one point', () => {
    const history = new History()
    history.push(row(10, 1))
    history.push(row(10, 7, 'entropy'))
    history.push(row(20, 2))
    expect(history.steps).toEqual([10, 20])
    expect(history.column('return_mean')).toEqual([1, 2])
    expect(history.column('entropy')).toEqual([7, null])
  })

  test('stored points are loaded as they are', () => {
    const history = new History(32)
    for (let i = 1; i <= 5000; i++) history.push(row(i, i))
    const copy = new History(32)
    copy.load(history.dump())
    expect(copy.dump()).toEqual(history.dump())
  })

  test('columns that begin late are empty before, and all are as long as the steps', () => {
    const history = new History(8)
    history.push(row(1, 1))
    history.push(row(2, 5, 'entropy'))
    history.push(row(3, NaN))
    expect(history.column('return_mean')).toEqual([1, null, null])
    expect(history.column('entropy')).toEqual([null, 5, null])
    expect(history.column('unknown')).toEqual([null, null, null])
    for (let i = 4; i < 40; i++) history.push(row(i, i))
    expect(history.column('entropy').length).toBe(history.length)
  })

  test('a run that resumes from an older state repeats some steps', () => {
    const history = new History(8)
    for (let i = 1; i <= 20; i++) history.push(row(i, i))
    const steps = [...history.steps]
    history.rewind(13)
    expect(history.steps).toEqual(steps.filter((s) => s <= 13))
    expect(history.column('return_mean').length).toBe(history.length)
    for (let i = 14; i <= 40; i++) history.push(row(i, i))
    expect(history.steps).toEqual([...history.steps].sort((a, b) => a - b))
    expect(Math.min(...(history.column('return_mean') as number[]))).toBeLessThan(12)
  })

  test('cleared is new', () => {
    const history = new History(4)
    for (let i = 0; i < 9; i++) history.push(row(i, i))
    history.clear()
    history.push(row(1, 2))
    expect([history.steps, history.column('return_mean')]).toEqual([[1], [2]])
  })
})

describe('the displayed steps', () => {
  const steps = Array.from({ length: 101 }, (_, i) => 1000 + 10 * i)

  test('are a part of the run with several data points, or the whole run', () => {
    expect(stepRange(steps, 1200, 1500)).toEqual([1200, 1500])
    expect(stepRange(steps, 900, 1100)).toEqual([1000, 1200])
    expect(stepRange(steps, 1950, 2150)).toEqual([1800, 2000])
    const [first, last] = stepRange(steps, 1500, 1500)!
    expect([(first + last) / 2, last - first]).toEqual([1500, expect.closeTo(40, 0)])
    expect([stepRange(steps, 1000, 2000), stepRange(steps, 0, 5000)]).toEqual([null, null])
  })

  test('of a run without a range are the whole run', () => {
    for (const few of [[], [7], [7, 8], [7, 8, 9]]) expect(stepRange(few, 7, 8)).toBeNull()
  })

  test('are zoomed around a step, and panned within the run', () => {
    const whole = wholeRun(steps)
    const half = zoomed(steps, whole, 2, 0.25)
    expect(half).toEqual([1125, 1625])
    expect(stepAt(half!, 0.25)).toBe(stepAt(whole, 0.25))
    expect(zoomed(steps, half!, 0.5, 0.25)).toBeNull()
    expect(panned(steps, half!, 0.1)).toEqual([1175, 1675])
    expect(panned(steps, half!, -9)).toEqual([1000, 1500])
    expect(panned(steps, whole, 0.1)).toBeNull()
  })

  test('of a whole run begin at 0, unless the run was opened from a file', () => {
    expect([[], [8], [8, 16, 24], [10, 16, 22], [500, 508]].map(wholeRun)).toEqual([
      [0, 0],
      [0, 8],
      [0, 24],
      [0, 22],
      [500, 508],
    ])
  })

  test('of several runs are on one axis', () => {
    expect(commonSteps([[8, 16]])).toEqual([8, 16])
    expect(
      wholeRun(
        commonSteps([
          [8, 16],
          [7, 14, 21],
        ]),
      ),
    ).toEqual([0, 21])
    expect(wholeRun(commonSteps([[], [500, 508]]))).toEqual([500, 508])
    expect(
      wholeRun(
        commonSteps([
          [8, 16],
          [500, 508],
        ]),
      ),
    ).toEqual([0, 508])
  })

  test('are zoomed and panned by factors on a logarithmic axis', () => {
    const many = Array.from({ length: 1000 }, (_, i) => 1000 * (i + 1))
    const axis = logarithmicAxis(1000)
    const shown = [1000, 1_000_000] as const
    expect(stepAt(shown, 1 / 3, axis)).toBeCloseTo(10_000, 3)
    const part = zoomed(many, shown, 3, 0.5, axis)!
    expect(part.map(Math.round)).toEqual([10_000, 100_000])
    expect(panned(many, part, 0.5, axis)!.map(Math.round)).toEqual([31_623, 316_228])
    expect(panned(many, part, 5, axis)!.map(Math.round)).toEqual([100_000, 1_000_000])
  })

  test('are one range for all charts of a lab, which a new run resets', () => {
    const [one, two] = [unsolved(), unsolved()] as [Lab, Lab]
    visibleStepsOf(one).range = [3, 9]
    expect([visibleStepsOf(one).range, visibleStepsOf(two).range]).toEqual([[3, 9], null])
    expect(visibleStepsOf(one).charts.key).not.toBe(visibleStepsOf(two).charts.key)
    one.run = 2
    expect(visibleStepsOf(one).range).toBeNull()
  })

  test('are the learning phase of a solved run by default, until a setting is changed after the run was solved', () => {
    const lab = unsolved()
    const visible = visibleStepsOf(lab)
    lab.solved = { steps: 1000, seconds: 3 }
    lab.progress = { ...lab.progress, steps: 2000 }
    expect(visible.range).toBeNull()
    lab.progress = { ...lab.progress, steps: 50_000 }
    expect(visible.range).toEqual([0, 2000])
    visible.range = null
    expect([visible.range, visible.learningPhase]).toEqual([null, [0, 2000]])
    lab.changes = [{ steps: 1500, path: 'world.gravity', text: 'Gravity 20' }]
    expect(visible.learningPhase).toBeNull()
  })

  test('are the whole runs by default if another run is drawn, which may learn later', () => {
    const lab = unsolved()
    lab.info = { name: 'cartpole', fields: [], defaults: {} } as never
    lab.solved = { steps: 1000, seconds: 3 }
    lab.progress = { ...lab.progress, steps: 50_000 }
    expect(visibleStepsOf(lab).range).toEqual([0, 2000])
    comparisonOf(lab).select({ id: 'other', experiment: 'cartpole', config: {} } as never)
    expect([visibleStepsOf(lab).range, visibleStepsOf(lab).learningPhase]).toEqual([null, [0, 2000]])
  })

  test('are seconds on the axis of training time, and another axis displays its own range', () => {
    const lab = unsolved()
    const visible = visibleStepsOf(lab)
    for (const steps of [1000, 2000, 50_000])
      lab.history.push({ steps, values: [[elapsed, steps / 500]] } as never)
    lab.solved = { steps: 1000, seconds: 2 }
    lab.progress = { ...lab.progress, steps: 50_000 }
    visible.range = [1000, 3000]
    chartAxis.select('time')
    expect(visible.range).toEqual([0, 4])
    visible.range = [1, 3]
    expect(visible.range).toEqual([1, 3])
    chartAxis.select('steps')
    expect(visible.range).toEqual([0, 2000])
  })

  test('have labels that differ', () => {
    const labels = (ticks: number[]) => tickLabels(ticks, (tick, digits) => short(tick, 7, digits))
    expect(labels([0, 50_000, 100_000])).toEqual(['0', '50k', '100k'])
    expect(labels([1_201_000, 1_202_000])).toEqual(['1.201M', '1.202M'])
    expect(labels([0.9991, 0.9992])).toEqual(['0.9991', '0.9992'])
  })
})

describe('strip', () => {
  const box = { width: 100, top: 10, bottom: 60, low: 0, high: 500 }

  test('the run fills the width, the range the height', () => {
    expect(stripPoints([50, 75, 100], [0, 250, 500], box)).toEqual([
      { x: 0, y: 60 },
      { x: 50, y: 35 },
      { x: 100, y: 10 },
    ])
  })

  test('stays in the strip whatever comes', () => {
    for (const { y } of stripPoints([1, 2, 3], [-1e9, 1e9, 250], box)) {
      expect(y).toBeLessThanOrEqual(60)
      expect(y).toBeGreaterThanOrEqual(5)
    }
    expect(stripPoints([], [], box)).toEqual([])
    expect(stripPoints([8], [500], box)).toEqual([{ x: 100, y: 10 }])
    expect(stripPoints([1], [null], box)).toEqual([])
  })
})

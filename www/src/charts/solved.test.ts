import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import { tableCsv } from '../lib/csv'
import experiments from '../protocol/experiments.json'
import type { ComparedRun } from '../state/compared-run'
import type { Config } from '../state/config'
import { compareMetrics, comparisonMarkdown, comparisonTable, differenceText } from './compared-metrics'
import {
  completeValues,
  criterionText,
  meanAndHalf,
  solvedCount,
  solvedJson,
  solvedSummary,
  solvedTable,
  timesNote,
  timeToSolve,
} from './solved'

const infos = experiments as unknown as ExperimentInfo[]
const info = infos.find(({ name }) => name === 'cartpole')!
const config = info.defaults as Config

/** Returns a run of CartPole with these mean returns at steps 10, 20, …; each 10 steps take a second. */
const run = (seed: number, returns: (number | null)[], solved?: ComparedRun['solved']): ComparedRun => ({
  ...{ id: `${seed}`, experiment: 'cartpole', title: '', config, seed, latest: {}, solved },
  curves: {
    steps: returns.map((_, i) => 10 * (i + 1)),
    columns: { return_mean: returns, elapsed: returns.map((_, i) => i + 1) },
  },
})

const alone = { engine: 'cpu', threads: 2, isBeside: false } as const
const solvedAt = (seed: number, steps: number) => run(seed, [100, 480], { steps, seconds: steps / 10 })

test('the recorded time until solved is used; a run without a record is solved at the first point of its curve that meets the criterion', () => {
  expect(timeToSolve(info, run(1, [100, 480], { steps: 17, seconds: 1.7 }))).toEqual({
    ...{ source: 'recorded', steps: 17, seconds: 1.7 },
  })
  expect(timeToSolve(info, run(1, [100, 480], null))).toEqual({
    source: 'recorded',
    steps: null,
    seconds: null,
  })
  expect(timeToSolve(info, run(1, [100, null, 475, 300]))).toEqual({ source: 'curve', steps: 30, seconds: 3 })
  expect(timeToSolve(info, run(1, [100, 474]))).toEqual({ source: 'curve', steps: null, seconds: null })
  // The run may have been solved before its first point.
  expect(timeToSolve(info, run(1, [480, 490])).source).toBe('unknown')
  expect(timeToSolve(info, run(1, [null])).source).toBe('unknown')
  const games = infos.find(({ name }) => name === 'connect-four')!
  expect([timeToSolve(games, run(1, [1], null)).source, criterionText(games)]).toEqual(['unknown', null])
})

test('a group has the number of solved runs, and the mean with its 95 % interval over the solved runs', () => {
  const summary = solvedSummary(info, [
    solvedAt(1, 1000),
    solvedAt(2, 3000),
    run(3, [100], null),
    run(4, [480]),
  ])
  expect(solvedCount(summary)).toBe('2 of 3, 1 unknown')
  expect(summary.steps).toEqual([1000, 3000])
  // Student's t with one degree of freedom: 12.706; standard error 1000.
  expect(meanAndHalf(summary.steps, 0)).toBe('2,000\u00a0±\u00a012,706')
  expect(meanAndHalf(summary.seconds, 1)).toBe('200.0\u00a0±\u00a01,270.6')
  expect([meanAndHalf([], 0), meanAndHalf([5], 0)]).toEqual(['–', '5'])
  expect(solvedCount(solvedSummary(info, [run(4, [480])]))).toBe('unknown')
  expect(criterionText(info)).toBe('Mean return ≥ 475')
  // A mean over the solved runs only would be too small.
  expect(completeValues(summary, 'steps')).toEqual([])
})

test('the comparison with the baseline has the time until solved; without a difference if a run is not solved', () => {
  const side = (name: string, runs: ComparedRun[]) => ({ name, runs })
  const own = side('Own', [solvedAt(1, 1000), solvedAt(2, 3000)])
  const all = compareMetrics(info, config, own, side('Base', [solvedAt(1, 4000), solvedAt(2, 6000)]))
  const metric = ({ metrics }: typeof all) => metrics.find(({ name }) => name === 'solved_steps')!
  expect(differenceText(metric(all))).toMatch(/^−3,000\u00a0±/)
  const some = compareMetrics(info, config, own, side('Base', [solvedAt(1, 4000), run(2, [9], null)]))
  expect(differenceText(metric(some))).toBe('–')
  expect(comparisonMarkdown(some, 'CartPole', 'steps')).toContain(
    '| Steps until solved | 2,000\u00a0±\u00a012,706 (2 of 2 solved) | – (1 of 2 solved) | – |',
  )
  expect(comparisonMarkdown(some, 'CartPole', 'steps')).toContain(timesNote)
  const rows = tableCsv(comparisonTable(some)).split('\r\n')
  expect(rows.find((row) => row.startsWith('solved_seconds,'))).toMatch(
    /^solved_seconds,s,10,Own,2,2,200,1270\.62\d*,Base,1,2,,,,$/,
  )
})

test('the comparison has the engines and threads of runs that have trained under different conditions', () => {
  const gpu = { engine: 'gpu', threads: 1, isBeside: false } as const
  const trained = (...trainedOn: (typeof gpu | typeof alone)[]) => ({ ...solvedAt(1, 1000), trainedOn })
  const side = (name: string, ...runs: ComparedRun[]) => ({ name, runs })
  const compared = (own: ComparedRun[], ...base: ComparedRun[]) =>
    compareMetrics(info, config, side('Own', ...own), side('Base', ...base))
  expect(compared([trained(alone)], trained(alone)).trainedOn).toBeNull()
  const differing = compared(
    [trained(alone), trained({ ...alone, isBeside: true } as never)],
    trained(alone, gpu),
  )
  expect(differing.trainedOn).toEqual({
    own: 'CPU, 2 threads; CPU, 2 threads, beside another run',
    baseline: 'CPU, 2 threads; GPU',
  })
  expect(comparisonMarkdown(differing, 'CartPole', 'steps')).toContain(
    '| Trained on | CPU, 2 threads; CPU, 2 threads, beside another run | CPU, 2 threads; GPU |  |',
  )
  // A run of an earlier version.
  expect(compared([trained({ ...alone, threads: 1 } as never)], solvedAt(2, 1000)).trainedOn).toEqual({
    own: 'CPU, 1 thread',
    baseline: 'unknown',
  })
})

test('the export has a row for each run; JSON has the groups, too', () => {
  const groups = [
    {
      name: 'Default, seeds 1 to 3',
      runs: [{ ...solvedAt(1, 15), trainedOn: [alone] }, run(2, [9], null), run(3, [9, 475])],
    },
  ]
  expect(tableCsv(solvedTable(info, groups)).trim().split('\r\n')).toEqual([
    'group,run,settings,seed,steps,solved,steps_until_solved,seconds_until_solved,source,trained_on',
    '"Default, seeds 1 to 3","Default, seed 1",defaults,1,20,1,15,1.5,recorded,"CPU, 2 threads"',
    '"Default, seeds 1 to 3","Default, seed 2",defaults,2,10,0,,,recorded,unknown',
    '"Default, seeds 1 to 3","Default, seed 3",defaults,3,20,1,20,2,curve,unknown',
  ])
  const { groups: written, ...head } = JSON.parse(solvedJson(info, groups))
  expect(head).toEqual({
    ...{ experiment: 'cartpole', unit: 'steps', criterion: { metric: 'return_mean', from: 475 } },
  })
  expect(written[0]).toMatchObject({
    ...{ name: 'Default, seeds 1 to 3', solved: 2, of: 3, unknown: 0 },
    steps_until_solved: { n: 0, mean: null, interval_95: null },
  })
  expect(written[0].runs[1]).toEqual({
    ...{ settings: 'defaults', seed: 2, steps: 10, solved: false },
    ...{ steps_until_solved: null, seconds_until_solved: null, source: 'recorded' },
    trained_on: 'unknown',
  })
})

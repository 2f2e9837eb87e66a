/** Steps and training time until runs were solved, by the criterion of their experiment. */
import type { ExperimentInfo } from '../engine/page/session'
import type { MetricColumns, Table } from '../lib/csv'
import { number } from '../lib/format'
import { halfInterval, meanOf } from '../lib/student-t'
import { settingsName, type ComparedRun } from '../state/compared-run'
import { settingsText } from '../state/config'
import { elapsed } from '../state/history'
import type { Solved } from '../state/saving'
import type { ComparedGroup } from './comparison.svelte'
import { conditionsText } from './conditions'

/** Steps and training time until a run was solved. */
export interface TimeToSolve {
  /**
   * Source of the numbers. `recorded`: the first report of metrics that met the criterion, as the page stores it with the run.
   * `curve`: the first point of the curve that meets the criterion, after a point that does not. `unknown`: neither exists,
   * because the curve meets the criterion from its first point on, or has no values of its metric.
   */
  source: 'recorded' | 'curve' | 'unknown'
  /** Number of steps; null if the run is not solved. */
  steps: number | null
  /** Training time without pauses; null if the run is not solved or the time is unknown. */
  seconds: number | null
}

const unknown: TimeToSolve = { source: 'unknown', steps: null, seconds: null }

/** Returns the steps and the training time until a run was solved; unknown for experiments without criterion. */
export function timeToSolve(
  { readings: { solved: criterion } }: ExperimentInfo,
  { solved, curves: { steps, columns } }: { solved?: Solved | null | undefined; curves: MetricColumns },
): TimeToSolve {
  if (!criterion) return unknown
  if (solved !== undefined)
    return { source: 'recorded', steps: solved?.steps ?? null, seconds: solved?.seconds ?? null }
  const values = columns[criterion.metric] ?? []
  const known = values.flatMap((value, i) => (value === null ? [] : [{ i, meets: value >= criterion.from }]))
  const first = known.findIndex(({ meets }) => meets)
  if (known.length === 0 || first === 0) return unknown
  if (first < 0) return { source: 'curve', steps: null, seconds: null }
  const { i } = known[first]!
  return { source: 'curve', steps: steps[i]!, seconds: columns[elapsed]?.[i] ?? null }
}

/** Steps and training times until the runs of a group were solved. */
export interface SolvedSummary {
  /** Number of runs of which it is known whether they are solved. */
  known: number
  /** Number of runs of which it is not known. */
  unknown: number
  /** Steps of the solved runs. */
  steps: readonly number[]
  /** Training times of the solved runs, in seconds; runs without training times are left out. */
  seconds: readonly number[]
  /** Whether a number is from a curve. */
  fromCurve: boolean
}

/** Returns how many runs of a group are solved, and after how many steps and seconds. */
export function solvedSummary(
  info: ExperimentInfo,
  runs: readonly Parameters<typeof timeToSolve>[1][],
): SolvedSummary {
  const all = runs.map((run) => timeToSolve(info, run))
  const known = all.filter(({ source }) => source !== 'unknown')
  return {
    known: known.length,
    unknown: all.length - known.length,
    steps: known.flatMap(({ steps }) => steps ?? []),
    seconds: known.flatMap(({ seconds }) => seconds ?? []),
    fromCurve: known.some(({ source, steps }) => source === 'curve' && steps !== null),
  }
}

/** Returns how many runs are solved, such as “3 of 4”. */
export const solvedCount = ({ known, unknown, steps }: SolvedSummary): string =>
  known === 0 ? 'unknown' : `${steps.length} of ${known}` + (unknown > 0 ? `, ${unknown} unknown` : '')

/** Why training times of runs are not comparable. */
export const timesNote =
  'Training times of runs that were drawn while they trained, or trained at a limited speed, are longer: compare these runs by steps.'

/** Returns the values of all known runs of a group; none if a run has none: a mean over the solved runs only would be too small. */
export const completeValues = (
  { known, ...values }: SolvedSummary,
  key: 'steps' | 'seconds',
): readonly number[] => (values[key].length === known ? values[key] : [])

/** Returns the mean with half of its 95 % confidence interval, if it is finite; a dash without values. */
export function meanAndHalf(values: readonly number[], digits: number): string {
  if (values.length === 0) return '–'
  const half = halfInterval(values)
  return (
    number(meanOf(values), digits) + (Number.isFinite(half) ? `\u00a0±\u00a0${number(half, digits)}` : '')
  )
}

/** Returns the criterion of an experiment in words, such as “Mean return ≥ 475”; null without criterion. */
export function criterionText({ readings: { solved }, metrics }: ExperimentInfo): string | null {
  if (!solved) return null
  const metric = metrics.find(({ name }) => name === solved.metric)
  const isShare = metric?.unit === 'share'
  const from = isShare ? `${number(100 * solved.from, 1)}\u00a0%` : String(solved.from).replace('-', '−')
  return `${metric?.label ?? solved.metric} ≥ ${from}`
}

/** Returns a table with a row for each run. */
export function solvedTable(info: ExperimentInfo, groups: readonly ComparedGroup[]): Table {
  const rows = groups.flatMap(({ name, runs }) =>
    runs.map((run) => ({ group: name, run, solved: timeToSolve(info, run) })),
  )
  const column = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value)
  return {
    group: column(({ group }) => group),
    run: column(({ run }) => nameOf(info, run)),
    settings: column(({ run }) => settingsText(info, run.config) || 'defaults'),
    seed: column(({ run }) => run.seed),
    steps: column(({ run }) => run.curves.steps.at(-1) ?? 0),
    solved: column(({ solved }) => (solved.source === 'unknown' ? null : Number(solved.steps !== null))),
    steps_until_solved: column(({ solved }) => solved.steps),
    seconds_until_solved: column(({ solved }) => solved.seconds),
    source: column(({ solved }) => solved.source),
    trained_on: column(({ run }) => conditionsText([run])),
  }
}

const nameOf = (info: ExperimentInfo, run: ComparedRun) => `${settingsName(info, run)}, seed ${run.seed}`

/** Returns groups and runs as JSON. Intervals are halves of 95 % confidence intervals; null if unknown. */
export function solvedJson(info: ExperimentInfo, groups: readonly ComparedGroup[]): string {
  const statistics = (values: readonly number[]) => {
    const half = halfInterval(values)
    const mean = values.length > 0 ? meanOf(values) : null
    return { n: values.length, mean, interval_95: Number.isFinite(half) ? half : null }
  }
  const content = {
    experiment: info.name,
    unit: info.readings.unit,
    criterion: info.readings.solved && {
      metric: info.readings.solved.metric,
      from: info.readings.solved.from,
    },
    groups: groups.map(({ name, runs }) => {
      const summary = solvedSummary(info, runs)
      const { known, unknown, steps } = summary
      return {
        name,
        ...{ solved: steps.length, of: known, unknown },
        steps_until_solved: statistics(completeValues(summary, 'steps')),
        seconds_until_solved: statistics(completeValues(summary, 'seconds')),
        runs: runs.map((run) => {
          const { source, steps, seconds } = timeToSolve(info, run)
          return {
            ...{ settings: settingsText(info, run.config) || 'defaults', seed: run.seed },
            steps: run.curves.steps.at(-1) ?? 0,
            solved: source === 'unknown' ? null : steps !== null,
            ...{ steps_until_solved: steps, seconds_until_solved: seconds, source },
            trained_on: conditionsText([run]),
          }
        }),
      }
    }),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

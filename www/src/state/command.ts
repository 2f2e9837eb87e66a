/** The command line that runs the page's experiment with the native program. */
import type { Engine, ExperimentInfo } from '../engine/page/session'
import { differences, usedFields, type Config } from './config'

/** The run, or the runs with several seeds, that a command repeats. */
export interface CommandRun {
  config: Config
  /** Seeds in any order, at least one. */
  seeds: readonly number[]
  engine: Engine
  /** Number of steps at which the runs end; null if unknown. */
  steps: number | null
}

/** Returns the command with the changed settings that the config uses; the program refuses settings without effect. */
export function commandLine(
  { name, fields, defaults }: Pick<ExperimentInfo, 'name' | 'fields' | 'defaults'>,
  { config, seeds, engine, steps }: CommandRun,
): string {
  const settings = differences(usedFields(fields, [config]), config, defaults)
  const sorted = [...new Set(seeds)].sort((a, b) => a - b)
  const words = [
    ...(sorted.length > 1 ? ['--seeds', seedList(sorted)] : ['--seed', String(sorted[0])]),
    // Equal seeds give equal runs on one engine; the program selects the faster one by default.
    ...['--engine', engine],
    ...(steps === null ? [] : ['--steps', String(steps)]),
    ...settings.flatMap(({ path, value }) => ['--set', quoted(`${path}=${argument(value)}`)]),
  ]
  return `cargo run --release -- train ${name} ${words.join(' ')}`
}

/** Returns ascending seeds as the option `--seeds` takes them: a range such as `1-5`, or a list such as `1,3,7`. */
function seedList(sorted: readonly number[]): string {
  const [first, last] = [sorted[0]!, sorted.at(-1)!]
  return last - first === sorted.length - 1 ? `${first}-${last}` : sorted.join(',')
}

/**
 * Returns the number of steps at which runs end: the stop, the steps at which this run is paused, or the steps of the longest
 * other run. Returns null while this run trains without a later stop and without other runs.
 */
export function endOf(run: {
  /** Number of steps at which the run stops; null for none. */
  stop: number | null
  /** Whether the run was paused by the stop. */
  isStopped: boolean
  steps: number
  isRunning: boolean
  /** Number of steps of the longest of the other runs; 0 without others. */
  longest: number
}): number | null {
  const { stop, isStopped, steps, isRunning, longest } = run
  if (stop !== null && (isStopped || steps < stop)) return stop
  return Math.max(isRunning ? 0 : steps, longest) || null
}

function argument(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Quotes a word for the shell if necessary. */
function quoted(word: string): string {
  return /^[\w.=,:/@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

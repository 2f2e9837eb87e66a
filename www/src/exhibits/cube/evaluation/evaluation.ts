/** Data of the exhaustive evaluation for drawing. */
import type { CubeDepth, CubeEvaluationRow, CubeExhaustiveEvaluation } from '../../../engine/page/session'
import type { Table } from '../../../lib/csv'

/** States at one distance. */
export interface Column {
  distance: number
  states: number
  /** Fractions of the states at this distance: solved and not solved. The other states have not been evaluated. */
  solved: number
  failed: number
  meanExcess: number | null
}

/** Returns the columns of an evaluation. */
export const columns = (depths: readonly CubeDepth[]): Column[] =>
  depths.map(({ distance, states, known, solved, mean_excess }) => ({
    distance,
    states,
    solved: solved / states,
    failed: (known - solved) / states,
    meanExcess: mean_excess,
  }))

/** Returns a row for each distance of an evaluation, which is of the network after `step` samples. */
export const evaluationTable = (step: number, shown: readonly Column[]): Table => ({
  step: shown.map(() => step),
  distance: shown.map(({ distance }) => distance),
  states: shown.map(({ states }) => states),
  'solved fraction': shown.map(({ solved }) => solved),
  'fraction not solved': shown.map(({ failed }) => failed),
  'mean excess moves': shown.map(({ meanExcess }) => meanExcess),
})

/** Tested share of all states from which on the last document of an ended evaluation represents the evaluation. */
const nearlyAll = 0.9

/**
 * Returns the result of an evaluation that has ended since `last`, a document of the same evaluation; null if none has ended
 * or `last` has too few states. At full speed, the next evaluation starts before the page receives the end of this one.
 * The share of all states and the mean excess are exact. The states without a result, most of which are in cycles, are
 * divided so that the sum over the distances agrees with the share of all states.
 */
export function endedSince(
  last: CubeExhaustiveEvaluation | null,
  now: CubeExhaustiveEvaluation,
): CubeExhaustiveEvaluation | null {
  if (last?.player !== 'newest' || now.player !== 'newest' || last.done < nearlyAll) return null
  if (now.updates === last.updates) return null
  const row = now.finished.find(({ updates }) => updates === last.updates)
  if (!row) return null
  const sum = (of: 'states' | 'known' | 'solved') => last.depths.reduce((all, depth) => all + depth[of], 0)
  const unknown = sum('states') - sum('known')
  const missing = row.solved * sum('states') - sum('solved')
  const share = unknown > 0 ? Math.min(1, Math.max(0, missing / unknown)) : 0
  const depths = last.depths.map((depth) => ({
    ...depth,
    known: depth.states,
    solved: depth.solved + share * (depth.states - depth.known),
  }))
  const { solved, mean_excess } = row
  return { ...last, running: false, done: 1, solved, mean_excess, depths, finished: now.finished }
}

/**
 * Returns the newest complete evaluation of the evaluated network after a new document; null before the first. `last`: the
 * document before. All figures of the page come from the complete evaluation: an evaluation in progress starts with the
 * states nearest to the solved one.
 */
export function nextComplete(
  before: CubeExhaustiveEvaluation | null,
  now: CubeExhaustiveEvaluation | null,
  last: CubeExhaustiveEvaluation | null = null,
): CubeExhaustiveEvaluation | null {
  if (!now) return null
  // The evaluation of an untrained network has no use.
  if (now.done >= 1 && (now.player === 'opened' || now.samples > 0)) return now
  const ended = endedSince(last, now)
  if (ended && ended.samples > 0) return ended
  // An opened network is evaluated once, so that an evaluation in progress is of another one.
  return now.player === 'newest' && before?.player === 'newest' ? before : null
}

/** Result of a complete evaluation. */
export interface Evaluated {
  /** Fraction of all states that is solved. */
  solved: number
  /** Mean number of turns of a solution beyond the optimum; null if no state is solved. */
  meanExcess: number | null
  /** Samples on which the network was trained; 0 for an opened network. */
  samples: number
}

/**
 * Returns the result of the newest complete evaluation; null before the first. A restored run has the results of its
 * evaluations without their columns.
 */
export function lastEvaluation(
  complete: CubeExhaustiveEvaluation | null,
  evaluation: CubeExhaustiveEvaluation | null,
): Evaluated | null {
  // The list contains evaluations of the network in training only.
  const row = evaluation?.player === 'newest' ? evaluation.finished.at(-1) : undefined
  const last = complete ?? (row && row.samples > 0 ? row : null)
  return last && last.solved !== null
    ? { solved: last.solved, meanExcess: last.mean_excess, samples: last.samples }
    : null
}

/** Returns the number of states that the current evaluation covers. */
export const evaluatedStates = (evaluation: CubeExhaustiveEvaluation | null): number =>
  evaluation?.depths.reduce((sum, { known }) => sum + known, 0) ?? 0

/** Returns the height of a column on a logarithmic scale, 0 to 1. */
export function tall(states: number, most: number): number {
  const floor = 0.6
  return (floor + Math.log10(Math.max(1, states))) / (floor + Math.log10(Math.max(10, most)))
}

/** Formats a fraction in percent without rounding to 0 % or 100 %. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return '–'
  if (share <= 0) return '0 %'
  if (share >= 1) return '100 %'
  const left = 1 - share
  // Enough digits to differ from 100 %.
  const digits = left < 0.0005 ? 3 : left < 0.005 ? 2 : left < 0.1 || share < 0.0995 ? 1 : 0
  const text = (100 * share).toFixed(digits)
  return Number(text) >= 100 ? '> 99.999 %' : Number(text) === 0 ? '< 0.1 %' : `${text} %`
}

/** Returns the number of states that end in cycles, by cycle length: the shortest lengths, and all others together. */
export function cyclesOf(
  evaluation: CubeExhaustiveEvaluation,
  most: number,
): { label: string; states: number; count: number }[] {
  const some = evaluation.cycles.slice(0, most).map(({ length, states, count }) => ({
    label: String(length),
    states,
    count,
  }))
  const rest = evaluation.cycles.slice(most)
  if (rest.length === 0) return some
  const sum = (of: (cycle: (typeof rest)[number]) => number) => rest.reduce((a, cycle) => a + of(cycle), 0)
  return [...some, { label: 'longer', states: sum((c) => c.states), count: sum((c) => c.count) }]
}

/** Returns the points of the evaluation curve, scaled to a box. The newest evaluation is at the right end. */
export function curve(
  rows: readonly CubeEvaluationRow[],
  width: number,
  height: number,
): { x: number; y: number }[] {
  const last = Math.max(1, rows.at(-1)?.samples ?? 1)
  return rows.map(({ samples, solved }) => ({ x: (samples / last) * width, y: height * (1 - solved) }))
}

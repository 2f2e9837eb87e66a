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

/**
 * Returns the solved share of the states at a distance, in percent; empty until all of them are evaluated, because a share of the
 * evaluated states would contradict the colored part of the column.
 */
export const shareText = ({ solved, failed }: Pick<Column, 'solved' | 'failed'>): string =>
  solved + failed > 1 - 1e-9 ? percent(solved) : ''

/** Returns a row for each distance of an evaluation, which is of the network after `step` samples. */
export const evaluationTable = (step: number, shown: readonly Column[]): Table => ({
  step: shown.map(() => step),
  distance: shown.map(({ distance }) => distance),
  states: shown.map(({ states }) => states),
  'solved fraction': shown.map(({ solved }) => solved),
  'fraction not solved': shown.map(({ failed }) => failed),
  'mean excess moves': shown.map(({ meanExcess }) => meanExcess),
})

/**
 * Returns an evaluation if it is complete, else null. All figures of the page come from the complete evaluation: an
 * evaluation in progress starts with the states nearest to the solved one.
 */
export const completeOf = (evaluation: CubeExhaustiveEvaluation | null): CubeExhaustiveEvaluation | null =>
  // The evaluation of an untrained network has no use.
  evaluation?.complete && (evaluation.player === 'opened' || evaluation.samples > 0) ? evaluation : null

/** Returns the name of an evaluated network. `pretrained`: the opened network is the one that the page includes. */
export const networkName = (player: CubeExhaustiveEvaluation['player'], pretrained: boolean): string =>
  player === 'newest'
    ? 'the network in training'
    : pretrained
      ? 'the pretrained network'
      : 'the network from the file'

/** Largest distance of near states: the inner rings of the map, the core that a network solves first. */
export const innerRings = 4

/** Returns the solved shares of the states in the inner and in the outer rings of the map. */
export function ringShares({ depths }: CubeExhaustiveEvaluation): { inner: number; outer: number } {
  const share = (rings: readonly CubeDepth[]) => {
    const sum = (of: 'states' | 'solved') => rings.reduce((all, depth) => all + depth[of], 0)
    return sum('solved') / Math.max(1, sum('states'))
  }
  return {
    inner: share(depths.filter(({ distance }) => distance <= innerRings)),
    outer: share(depths.filter(({ distance }) => distance > innerRings)),
  }
}

/**
 * Says what the map of all states shows: the newest complete evaluation, and the path of `ahead` states that the greedy
 * policy takes from the interactive cube.
 */
export function mapText(complete: CubeExhaustiveEvaluation | null, ahead: number): string {
  const name = 'All states of the cube in rings by their distance from the solved state'
  if (!complete) return `${name}; no evaluation is complete yet.`
  const { inner, outer } = ringShares(complete)
  const path = ahead > 1 ? ` A path of ${ahead} states starts at the interactive cube.` : ''
  return (
    `${name}: ${percent(complete.solved)} solved, ${percent(inner)} of those up to ${innerRings} quarter turns away, ` +
    `${percent(outer)} of the others.${path}`
  )
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

/** The evaluation of all states, as it is drawn. */
import type { CubeDepth, CubeEvaluationRow, CubeExhaustiveEvaluation } from '../../../engine/page/session'

/** A distance, with what is known of it by now: of states that the evaluation has not come to yet, the last one counts. */
export interface Column {
  distance: number
  states: number
  /** Shares of the states: solved, not solved; what is left is not known. */
  solved: number
  failed: number
  /** Whether the present evaluation has come through all of them. */
  whole: boolean
  meanExcess: number | null
}

/** The columns of an evaluation after another one, if there was one. */
export function columns(now: readonly CubeDepth[], before: readonly CubeDepth[] | null): Column[] {
  return now.map(({ distance, states, known, solved, mean_excess }, i) => {
    const last = before?.[i]
    const open = states - known
    const share = last && last.known > 0 ? last.solved / last.known : null
    const rest = share === null ? [0, 0] : [open * share, open * (1 - share)]
    return {
      distance,
      states,
      solved: (solved + rest[0]!) / states,
      failed: (known - solved + rest[1]!) / states,
      whole: known === states,
      meanExcess: mean_excess ?? last?.mean_excess ?? null,
    }
  })
}

/** The result of an evaluation of all states. */
export interface Evaluated {
  /** The share of all states that is solved. */
  solved: number
  /** Mean turns of a solution above the minimum; null where nothing is solved. */
  meanExcess: number | null
}

/**
 * The last evaluation that came to its end; null before there is one. One under way does not count: it begins with the
 * states nearest to the solved one, so its share is not that of all states.
 */
export function lastEvaluation(evaluation: CubeExhaustiveEvaluation | null): Evaluated | null {
  if (!evaluation) return null
  // The list is of the network that learns; an opened network is evaluated once.
  const last =
    evaluation.player === 'newest'
      ? evaluation.finished.at(-1)
      : evaluation.done >= 1
        ? evaluation
        : undefined
  return last && last.solved !== null ? { solved: last.solved, meanExcess: last.mean_excess } : null
}

/** How many states the present evaluation has come through. */
export const evaluatedStates = (evaluation: CubeExhaustiveEvaluation | null): number =>
  evaluation?.depths.reduce((sum, { known }) => sum + known, 0) ?? 0

/** How high a column of so many states stands, 0 to 1: each step up is as many times more states. */
export function tall(states: number, most: number): number {
  const floor = 0.6
  return (floor + Math.log10(Math.max(1, states))) / (floor + Math.log10(Math.max(10, most)))
}

/** A share in percent that does not round to all, or to nothing, what is not. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return '–'
  if (share <= 0) return '0 %'
  if (share >= 1) return '100 %'
  const left = 1 - share
  // As many digits as it takes to be different from all.
  const digits = left < 0.0005 ? 3 : left < 0.005 ? 2 : left < 0.1 || share < 0.0995 ? 1 : 0
  const text = (100 * share).toFixed(digits)
  return Number(text) >= 100 ? '> 99.999 %' : Number(text) === 0 ? '< 0.1 %' : `${text} %`
}

/** The states that end in cycles, by the shortest lengths, and all others together. */
export function cyclesOf(
  evaluation: CubeExhaustiveEvaluation,
  most: number,
): { label: string; states: number; count: number }[] {
  const some = evaluation.cycles.slice(0, most).map(({ length, states, count }) => ({
    label: `of ${length}`,
    states,
    count,
  }))
  const rest = evaluation.cycles.slice(most)
  if (rest.length === 0) return some
  const sum = (of: (cycle: (typeof rest)[number]) => number) => rest.reduce((a, cycle) => a + of(cycle), 0)
  return [...some, { label: 'longer', states: sum((c) => c.states), count: sum((c) => c.count) }]
}

/** Where the finished evaluations lie in a box, the newest at its right end. */
export function curve(
  rows: readonly CubeEvaluationRow[],
  width: number,
  height: number,
): { x: number; y: number }[] {
  const last = Math.max(1, rows.at(-1)?.samples ?? 1)
  return rows.map(({ samples, solved }) => ({ x: (samples / last) * width, y: height * (1 - solved) }))
}

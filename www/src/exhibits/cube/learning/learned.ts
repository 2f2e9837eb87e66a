/** Summary of what the network in training has learned, for the first screen. */
import { compact } from '../../../lib/format'
import type { CubeExhaustiveEvaluation, CubeRun } from '../../../engine/page/session'
import { columns, completeOf, percent } from '../evaluation/evaluation'

export interface Learned {
  /** Main result in words, with an emphasized value. */
  text: readonly [before: string, value: string, after: string]
  /** The result by difficulty, easiest first, each 0 to 1. */
  bars: readonly number[]
  /** Label of the difficulties. */
  axis: string
}

/** Solved share of a distance from which on nearly all of its states are solved. */
const nearlyAll = 0.9
/** Solved share of all states from which on it is the main result. */
const noticeable = 0.01

/**
 * Returns the newest result of the network in training; null before the first. 2×2×2: distance up to which most states
 * are solved, and the solved share of all states; before the first evaluation, the distance up to which training has
 * advanced. 3×3×3: accuracy of the predicted last turn.
 */
export function learned(run: CubeRun | null, evaluation: CubeExhaustiveEvaluation | null): Learned | null {
  if (!run) return null
  if (run.accuracy_by_depth.length > 0) return ofAccuracy(run.accuracy_by_depth)
  const complete = completeOf(evaluation)
  if (complete?.player === 'newest' && complete.solved !== null)
    return ofEvaluation(
      complete.solved,
      columns(complete.depths).map(({ solved }) => solved),
      momentOf(complete.samples),
    )
  const training = ofTraining(run)
  // An evaluation of another network is shown, or a restored run has the results of its evaluations without their columns.
  const last = evaluation?.finished.at(-1)
  if (!last?.samples || last.solved === null) return training
  return {
    text: ['solves ', percent(last.solved), ` of all states${momentOf(last.samples)}`],
    bars: training?.bars ?? [],
    axis: training?.axis ?? '',
  }
}

/** Names the moment of an evaluation: training continues meanwhile, so that the counters show a later one. */
const momentOf = (samples: number): string => `, after ${compact(samples)} samples`

function ofAccuracy(bars: readonly number[]): Learned {
  const mean = bars.reduce((sum, share) => sum + share, 0) / bars.length
  return { text: ['', percent(mean), ' of last turns predicted'], bars, axis: scrambles(bars.length) }
}

function ofEvaluation(solved: number, bars: readonly number[], moment: string): Learned {
  const failed = bars.findIndex((share) => share < nearlyAll)
  const axis = `0 to ${bars.length - 1} turns from solved`
  if (failed < 0) return { text: ['solves ', percent(solved), ` of all states${moment}`], bars, axis }
  const share = solved >= noticeable ? `, ${percent(solved)} of all states` : ''
  const near = turns(Math.max(0, failed - 1))
  return { text: ['solves nearly all cubes up to ', near, ` from solved${share}${moment}`], bars, axis }
}

/** Success rate of a scramble length that counts as learned. */
const half = 0.5

/** Training knows the lengths of scrambles, not the distances of states: a longer scramble may be as near. */
function ofTraining({ levels, open_level }: CubeRun): Learned | null {
  const open = levels.find(({ level }) => level === open_level)
  if (!open || (open.episodes === 0 && open_level === 1)) return null
  const bars = levels.map(({ episodes, successes }) => (episodes > 0 ? successes / episodes : 0))
  const rate = open.episodes > 0 ? `: ${percent(open.successes / open.episodes)}` : ''
  const [kind, state] =
    open_level < levels.length ? ['scrambles of ', turns(open_level)] : ['', 'random states']
  // Without a curriculum, all levels are open from the start.
  const failed = bars.findIndex((share, i) => share < half || i === open_level - 1)
  return {
    text:
      failed === 0
        ? [`learning ${kind}`, `${state}${rate}`, '']
        : ['solves over half of the scrambles of up to ', turns(failed), `; now learning ${state}${rate}`],
    bars,
    axis: `${scrambles(levels.length - 1)}, random`,
  }
}

const turns = (count: number): string => (count === 1 ? '1 turn' : `${count} turns`)
const scrambles = (longest: number): string => `scrambles of 1 to ${longest} turns`

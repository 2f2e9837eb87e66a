// Frames of control experiments.
import type { Frame, FrameArray } from '../../../protocol/frame'

/**
 * Row-major arrays of a frame. `members` is the number of environments in the preview, `dims` the number of state
 * dimensions.
 */
export interface ControlFrame {
  /** Number of environments in the preview. */
  members: number
  /** Number of state dimensions. */
  dims: number
  /** States of the environments, [members, dims]. */
  state: Float32Array
  /** [members] return of the current episode so far, scaled from 0 (worst) to 1 (solved). */
  returns: Float32Array
  /** [members] last action, divided by the largest action: −1 to 1. */
  actions: Float32Array
  /** [members] number of steps in the current episode. */
  ages: Float32Array
  /** Heat maps, row 0 at the smallest y; `null` if the frame has none. */
  map: ControlMap | null
}

/** Heat maps of policy and value; in grid worlds also action probabilities and the optimum. */
export interface ControlMap {
  size: number
  /** States of the environments, [members, dims]; cells have the state of the focused one in all dimensions without an axis. */
  states: Float32Array
  policy: Float32Array
  value: Float32Array
  /** [size, size, actions] probability of each action; `null` if not requested. */
  actions: Float32Array | null
  /** Optimal value and action of each tile, [size, size]; `null` for environments without a grid. */
  optimum: { value: Float32Array; action: Float32Array } | null
}

const empty: FrameArray = { shape: [0, 0], data: new Float32Array(0) }

/** Returns the elements of an array. All arrays of a control experiment are of this type. */
const numbers = ({ data }: FrameArray) => data as Float32Array

/** Reads the arrays of a frame by name. */
export function controlFrame(frame: Frame): ControlFrame {
  const state = frame.arrays['preview/state'] ?? empty
  const policy = frame.arrays['map/policy']
  const value = frame.arrays['map/value']
  // The map is empty if the requested dimensions do not exist, for example after a change of the experiment.
  const size = policy?.shape[0] ?? 0
  const actions = frame.arrays['map/actions']
  const best = [frame.arrays['optimum/value'], frame.arrays['optimum/action']] as const
  const optimum = best[0] && best[1] ? { value: numbers(best[0]), action: numbers(best[1]) } : null
  return {
    members: state.shape[0] ?? 0,
    dims: state.shape[1] ?? 0,
    state: numbers(state),
    returns: numbers(frame.arrays['preview/return'] ?? empty),
    actions: numbers(frame.arrays['preview/action'] ?? empty),
    ages: numbers(frame.arrays['preview/age'] ?? empty),
    map:
      policy && value && size > 0
        ? {
            size,
            states: numbers(state),
            policy: numbers(policy),
            value: numbers(value),
            actions: actions ? numbers(actions) : null,
            optimum,
          }
        : null,
  }
}

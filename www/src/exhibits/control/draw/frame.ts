// A picture of a control experiment, from the arrays that the lab sends.
import type { Frame, FrameArray } from '../../../protocol/module'

/** The arrays that the control exhibit draws: row-major, owned by the receiver. */
export interface ControlFrame {
  /** Members of the preview. */
  members: number
  /** State dimensions of a member. */
  dims: number
  /** [members, dims] */
  state: Float32Array
  /** [members] how each is doing, 0 (worst) to 1 (solved). */
  returns: Float32Array
  /** [members] the last action, −1 to 1 of the strongest. */
  actions: Float32Array
  /** [members] steps into the episode. */
  ages: Float32Array
  /** Heat maps, row 0 at the smallest y; `null` where none was asked for. */
  map: { size: number; policy: Float32Array; value: Float32Array } | null
}

const nothing: FrameArray = { shape: [0, 0], data: new Float32Array(0) }

/** All arrays of a control experiment are of this type. */
const numbers = ({ data }: FrameArray) => data as Float32Array

/** Reads the named arrays of a control experiment. */
export function controlFrame(frame: Frame): ControlFrame {
  const state = frame.arrays['preview/state'] ?? nothing
  const policy = frame.arrays['map/policy']
  const value = frame.arrays['map/value']
  // Over dimensions that this world does not have, such as those that another one was looked at over, there is no map.
  const size = policy?.shape[0] ?? 0
  return {
    members: state.shape[0] ?? 0,
    dims: state.shape[1] ?? 0,
    state: numbers(state),
    returns: numbers(frame.arrays['preview/return'] ?? nothing),
    actions: numbers(frame.arrays['preview/action'] ?? nothing),
    ages: numbers(frame.arrays['preview/age'] ?? nothing),
    map: policy && value && size > 0 ? { size, policy: numbers(policy), value: numbers(value) } : null,
  }
}

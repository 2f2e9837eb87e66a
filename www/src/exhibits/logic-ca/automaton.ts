/** Latest frame and circuit of the automaton, and its commands. */
import type { Frame, FrameArray, LogicView } from '../../engine/page/session'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import { Commands } from '../../state/session-commands'
import type { CircuitFrame } from './circuit/netlist'
import type { Board } from './draw/board'

/** Boards and values of a frame; fields are null if the frame does not contain them. */
export interface LogicFrame {
  /** Training board at the displayed step of the recorded rollout, computed by the soft and by the hard circuit. */
  soft: Board | null
  hard: Board | null
  target: Board | null
  /** Displayed step of the recorded rollout, and its number of steps. */
  rollout: readonly [step: number, steps: number]
  sandbox: Board | null
  /** Number of steps of the sandbox since its last reset. */
  sandboxStep: number
  /** [16] number of trained gates by argmax function. */
  functions: Float32Array | null
  /** Mean over the gates of the largest function probability. */
  confidence: number | null
  /** [inputs + gates] bit (0 or 1) on each wire of the circuit for the selected cell. */
  signals: Uint8Array | null
}

const numbers = (array: FrameArray | undefined): Float32Array | null =>
  array?.data instanceof Float32Array ? array.data : null

/** Returns the circuit of a frame; null if the frame has no circuit, because the circuit is unchanged. */
export function circuitOf(frame: Frame): CircuitFrame | null {
  const [gates, outputs] = [numbers(frame.arrays['circuit/gates']), numbers(frame.arrays['circuit/outputs'])]
  const [version, size] = [numbers(frame.arrays['circuit/version']), numbers(frame.arrays['circuit/size'])]
  if (!gates || !outputs || !version || !size) return null
  return { gates, outputs, version: version[0]!, before: size[0]!, after: size[1]! }
}

function board(array: FrameArray | undefined): Board | null {
  if (!array || !(array.data instanceof Uint8Array)) return null
  const [height = 0, width = 0, channels = 1] = array.shape
  return width * height > 0 ? { width, height, channels, data: array.data } : null
}

export function logicFrame(frame: Frame): LogicFrame {
  const rollout = frame.arrays['rollout/step']?.data
  return {
    soft: board(frame.arrays['soft/cells']),
    hard: board(frame.arrays['hard/cells']),
    target: board(frame.arrays['target/cells']),
    rollout: [rollout?.[0] ?? 0, rollout?.[1] ?? 0],
    sandbox: board(frame.arrays['sandbox/cells']),
    sandboxStep: frame.arrays['sandbox/step']?.data[0] ?? 0,
    functions: numbers(frame.arrays['gates/functions']),
    confidence: frame.arrays['gates/confidence']?.data[0] ?? null,
    signals:
      frame.arrays['circuit/signals']?.data instanceof Uint8Array
        ? frame.arrays['circuit/signals'].data
        : null,
  }
}

export class Automaton extends Commands {
  /** Latest frame; not reactive, read by drawing code in every animation frame. */
  frame: LogicFrame | null = null
  /** Latest circuit that a frame contained; not reactive. */
  circuit: CircuitFrame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => {
      this.frame = frame && logicFrame(frame)
      this.circuit = frame && (circuitOf(frame) ?? this.circuit)
    })
  }

  view(request: Omit<LogicView, 'kind'>): () => void {
    return this.lab.view({ kind: 'logic_ca', ...request })
  }
}

export const [useAutomaton, automatonOf] = partOf((lab) => new Automaton(lab))

/** The newest picture of the automaton, and what a person does to its stage. */
import type { Frame, FrameArray, LogicView } from '../../engine/page/session'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import { Commands } from '../shared/commands'
import type { CircuitFrame } from './circuit/netlist'
import type { Board } from './draw/board'

/** The boards and values of a frame; null where the lab has not sent them. */
export interface LogicFrame {
  /** The same moment of the newest rollout, as it is learned from and as it is decided. */
  soft: Board | null
  hard: Board | null
  target: Board | null
  /** The step of the rollout that is shown, and the last one. */
  rollout: readonly [step: number, steps: number]
  stage: Board | null
  /** Steps of the stage since it was started. */
  stageStep: number
  /** [16] gates by function, and how decided they are on the whole. */
  functions: Float32Array | null
  decidedness: number | null
  /** [inputs and gates] what each wire carries for the chosen cell. */
  signals: Uint8Array | null
}

const numbers = (array: FrameArray | undefined): Float32Array | null =>
  array?.data instanceof Float32Array ? array.data : null

/** The circuit of a picture; null where none was sent, as it is only when it has changed. */
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
    stage: board(frame.arrays['stage/cells']),
    stageStep: frame.arrays['stage/step']?.data[0] ?? 0,
    functions: numbers(frame.arrays['gates/functions']),
    decidedness: frame.arrays['gates/decidedness']?.data[0] ?? null,
    signals:
      frame.arrays['circuit/signals']?.data instanceof Uint8Array
        ? frame.arrays['circuit/signals'].data
        : null,
  }
}

export class Automaton extends Commands {
  /** The newest picture; drawing asks for it every frame, nothing else watches it. */
  frame: LogicFrame | null = null
  /** The newest circuit, likewise. */
  circuit: CircuitFrame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => {
      this.frame = frame && logicFrame(frame)
      this.circuit = frame && (circuitOf(frame) ?? this.circuit)
    })
  }

  view(request: Omit<LogicView, 'kind'>): void {
    this.lab.view({ kind: 'logic_ca', ...request })
  }
}

export const [useAutomaton, automatonOf] = partOf((lab) => new Automaton(lab))

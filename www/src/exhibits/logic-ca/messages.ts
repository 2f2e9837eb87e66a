/** Messages of the automaton: hidden bits that become final along with the picture, measured in a rollout of the hard circuit. */
import type { Board } from './draw/board'
import { evaluate, places, type Netlist } from './circuit/netlist'

/** Bits of a board, `[channel][row · width + column]`. */
type Bits = readonly Uint8Array[]

/** Size of a board, and whether the cells beyond an edge are the cells at the opposite edge; otherwise they are 0. */
export interface Shape {
  width: number
  height: number
  periodic: boolean
}

/** Steps of a rollout: the pattern of a trained circuit is complete before. */
const rolloutSteps = 40

/** Returns the bits of all cells after a step. */
function nextBits(net: Netlist, now: Bits, { width, height, periodic }: Shape): Bits {
  const next = now.map((channel) => new Uint8Array(channel.length))
  const inputs = new Uint8Array(net.inputs)
  for (let cell = 0; cell < width * height; cell++) {
    for (let place = 0; place < places; place++) {
      let x = (cell % width) + (place % 3) - 1
      let y = Math.floor(cell / width) + Math.floor(place / 3) - 1
      if (periodic) [x, y] = [(x + width) % width, (y + height) % height]
      const isInside = x >= 0 && y >= 0 && x < width && y < height
      for (let c = 0; c < net.channels; c++)
        inputs[places * c + place] = isInside ? now[c]![y * width + x]! : 0
    }
    const values = evaluate(net, inputs)
    for (let c = 0; c < net.channels; c++) next[c]![cell] = values[net.outputs[c]!]!
  }
  return next
}

/** Returns the boards of a rollout from noise, with the board before the first step. */
export function rollout(net: Netlist, shape: Shape, random: () => number = Math.random): Bits[] {
  const noise = () => Uint8Array.from({ length: shape.width * shape.height }, () => Number(random() < 0.5))
  const boards: Bits[] = [Array.from({ length: net.channels }, noise)]
  for (let step = 0; step < rolloutSteps; step++) boards.push(nextBits(net, boards.at(-1)!, shape))
  return boards
}

/** Returns the first step from which each cell keeps its bits in these channels until the end of the rollout, [cells]. */
export function finalSteps(boards: readonly Bits[], channels: readonly number[]): number[] {
  const last = boards.at(-1)!
  return Array.from(last[0]!, (_, cell) => {
    const isFinal = (board: Bits) => channels.every((c) => board[c]![cell] === last[c]![cell])
    return boards.findLastIndex((board) => !isFinal(board)) + 1
  })
}

/** Returns the first step from which each cell is final in all rollouts, [cells]. */
export const settledSteps = (rollouts: readonly (readonly Bits[])[], channels: readonly number[]): number[] =>
  rollouts
    .map((boards) => finalSteps(boards, channels))
    .reduce((steps, others) => steps.map((step, cell) => Math.max(step, others[cell]!)))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the correlation of two lists; 0 if one of them is constant. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const centered = (values: readonly number[]) => values.map((value) => value - mean(values))
  const product = (p: readonly number[], q: readonly number[]) => mean(p.map((value, i) => value * q[i]!))
  const [p, q] = [centered(a), centered(b)]
  return product(p, q) / Math.sqrt(product(p, p) * product(q, q)) || 0
}

/**
 * Returns the channel of `hidden` that carries the message: its bits become final earlier than the picture on average, and where the
 * picture becomes final later, so do they (largest correlation of the final steps over all cells). `visible`: channels of the
 * picture. Returns null if no channel precedes the picture.
 */
export function messageChannel(
  rollouts: readonly (readonly Bits[])[],
  visible: readonly number[],
  hidden: readonly number[],
): number | null {
  const stepsOf = (channels: readonly number[]) => rollouts.flatMap((boards) => finalSteps(boards, channels))
  const picture = stepsOf(visible)
  let [best, largest] = [null as number | null, 0]
  for (const channel of hidden) {
    const steps = stepsOf([channel])
    const value = mean(steps) < mean(picture) ? correlation(steps, picture) : 0
    if (value > largest) [best, largest] = [channel, value]
  }
  return best
}

/** Names of the quarters of a board, row by row. */
export const quarterNames = ['upper left', 'upper right', 'lower left', 'lower right'] as const

/** Returns the first step from which each quarter of a board is final, [4]. A middle row or column belongs to the quarters after it. */
export function quarterSteps(steps: readonly number[], { width, height }: Shape): number[] {
  const quarters = [0, 0, 0, 0]
  for (const [cell, step] of steps.entries()) {
    const quarter = 2 * Number(Math.floor(cell / width) >= height >> 1) + Number(cell % width >= width >> 1)
    quarters[quarter] = Math.max(quarters[quarter]!, step)
  }
  return quarters
}

/** Returns channels of a board for display. */
export function boardOf(bits: Bits, channels: readonly number[], { width, height }: Shape): Board {
  const data = new Uint8Array(width * height * channels.length)
  for (let i = 0; i < data.length; i++)
    data[i] = 255 * bits[channels[i % channels.length]!]![Math.floor(i / channels.length)]!
  return { width, height, channels: channels.length, data }
}

/** Messages of the automaton: the bits through which a cell of the picture gets its final bit, measured in rollouts of the hard circuit. */
import type { Board } from './draw/board'
import { cone, evaluate, places, type Netlist } from './circuit/netlist'

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

/** Returns the neighbor of a cell at a place of its neighborhood; null beyond the border. */
function neighborOf(cell: number, place: number, { width, height, periodic }: Shape): number | null {
  let x = (cell % width) + (place % 3) - 1
  let y = Math.floor(cell / width) + Math.floor(place / 3) - 1
  if (periodic) [x, y] = [(x + width) % width, (y + height) % height]
  return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : null
}

/** Writes the bits that a cell reads to `inputs`. */
function readNeighbors(inputs: Uint8Array, now: Bits, cell: number, shape: Shape): void {
  for (let place = 0; place < places; place++) {
    const neighbor = neighborOf(cell, place, shape)
    for (const [c, bits] of now.entries())
      inputs[places * c + place] = neighbor === null ? 0 : bits[neighbor]!
  }
}

/** Returns the bits of all cells after a step. */
function nextBits(net: Netlist, now: Bits, shape: Shape): Bits {
  const next = now.map((channel) => new Uint8Array(channel.length))
  const inputs = new Uint8Array(net.inputs)
  for (let cell = 0; cell < shape.width * shape.height; cell++) {
    readNeighbors(inputs, now, cell, shape)
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

/** A bit of the boards. */
interface Bit {
  channel: number
  cell: number
  /** First step from which the bit is final in all rollouts. */
  step: number
}

/**
 * Returns the longest way of a message to a cell of the picture, from the first bit to the bit of this cell. Each bit depends on the
 * one before: with the opposite one, it would be wrong in its step of a rollout. The way returns to no cell. Among ways with the same
 * number of cells, it begins at the border. `visible`: channels of the picture.
 */
export function messageWay(
  net: Netlist,
  rollouts: readonly (readonly Bits[])[],
  visible: readonly number[],
  shape: Shape,
): Bit[] {
  const steps = Array.from({ length: net.channels }, (_, channel) => settledSteps(rollouts, [channel]))
  const bitAt = (channel: number, cell: number): Bit => ({ channel, cell, step: steps[channel]![cell]! })
  const picture = visible.flatMap((channel) => steps[channel]!.map((_, cell) => bitAt(channel, cell)))
  const inputs = new Uint8Array(net.inputs)
  /** Returns the bits before a step on which the bit of this step depends in a rollout. */
  const sourcesOf = ({ channel, cell, step }: Bit, before: Bits): Bit[] => {
    readNeighbors(inputs, before, cell, shape)
    const next = () => evaluate(net, inputs)[net.outputs[channel]!]
    const bit = next()
    const marks = cone(net, net.outputs[channel]!)
    const sources: Bit[] = []
    for (let input = 0; input < net.inputs; input++) {
      const neighbor = neighborOf(cell, input % places, shape)
      if (neighbor === null) continue
      const source = bitAt(Math.floor(input / places), neighbor)
      // Bits that are final at the start are no messages.
      if (!marks[input] || source.step === 0 || source.step >= step) continue
      inputs[input]! ^= 1
      if (next() !== bit) sources.push(source)
      inputs[input]! ^= 1
    }
    return sources
  }
  const isAtBorder = ({ cell }: Bit) =>
    Array.from({ length: places }, (_, place) => neighborOf(cell, place, shape)).includes(null)
  const value = (way: Bit[]) => [
    new Set(way.map(({ cell }) => cell)).size,
    Number(way.slice(0, 1).some(isAtBorder)),
  ]
  const better = (a: Bit[], b: Bit[]) => {
    const [[cells, start], [others, other]] = [value(a), value(b)] as [[number, number], [number, number]]
    return (others - cells || other - start) > 0 ? b : a
  }
  const ways = new Map<number, Bit[]>()
  const wayTo = (bit: Bit): Bit[] => {
    const key = bit.cell * net.channels + bit.channel
    const known = ways.get(key)
    if (known) return known
    const sources = rollouts.flatMap((boards) => {
      const before = boards[bit.step - 1]
      return before ? sourcesOf(bit, before) : []
    })
    const isOnward = (way: Bit[]) =>
      way.at(-1)!.cell === bit.cell || way.every(({ cell }) => cell !== bit.cell)
    const way = [...sources.map(wayTo).filter(isOnward).reduce(better, []), bit]
    ways.set(key, way)
    return way
  }
  return picture.map(wayTo).reduce(better, [])
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

import { expect, test } from 'vitest'
import { netlist } from './circuit/netlist'
import { boardOf, finalSteps, messageWay, quarterSteps, rollout, settledSteps } from './messages'

const shape = { width: 6, height: 4, periodic: false }

/** Returns numbers in [0, 1) that are the same in each test. */
function numbers(seed: number): () => number {
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647
}

/** Value number of the left neighbor, of the cell itself and of the right neighbor in a channel. */
const [left, itself, right] = [3, 4, 5].map((place) => (channel: number) => 9 * channel + place) as [
  (channel: number) => number,
  (channel: number) => number,
  (channel: number) => number,
]

/**
 * Channel 0, the picture, follows channel 2 one step later. Channel 1 is 1 at once. Channel 2 moves zeros from the left border by a
 * cell in each step. Channel 3 follows the picture.
 */
const traveling = netlist({
  // Function 15 is TRUE.
  gates: Float32Array.of(15, 0, 0, -1),
  outputs: Float32Array.of(itself(2), 36, left(2), itself(0)),
})

test('zeros from the border make cells final, one column in each step', () => {
  const boards = rollout(traveling, shape, () => 0)
  expect(boards[0]!.every((channel) => channel.every((bit) => bit === 1))).toBe(true)
  expect(finalSteps(boards, [2]).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
  expect(finalSteps(boards, [0]).slice(0, 6)).toEqual([2, 3, 4, 5, 6, 7])
  expect(finalSteps(boards, [0, 3]).slice(0, 6)).toEqual([3, 4, 5, 6, 7, 8])
  expect([...boardOf(boards[2]!, [2], shape).data.slice(0, 6)]).toEqual([0, 0, 255, 255, 255, 255])
  // Across the edges, only ones arrive.
  const around = rollout(traveling, { ...shape, periodic: true }, () => 0)
  expect(finalSteps(around, [2])).toEqual(Array(24).fill(0))
})

test('the way of a message leads from the border to the cell that is farthest from it', () => {
  const rollouts = [1, 2, 3, 4, 5, 6].map((seed) => rollout(traveling, shape, numbers(seed)))
  const way = messageWay(traveling, rollouts, [0], shape)
  const row = Math.floor(way.at(-1)!.cell / shape.width)
  expect(way.map(({ channel, cell, step }) => [channel, cell - row * shape.width, step])).toEqual([
    [2, 0, 1],
    [2, 1, 2],
    [2, 2, 3],
    [2, 3, 4],
    [2, 4, 5],
    [2, 5, 6],
    [0, 5, 7],
  ])
  // Channel 3 follows the picture.
  expect(messageWay(traveling, rollouts, [3], shape).slice(-2)).toMatchObject([
    { channel: 0, step: 7 },
    { channel: 3, step: 8 },
  ])
})

test('the way of a message returns to no cell', () => {
  // Zeros from the left border move to the right in channels 4 to 2, to the left in channel 1, and to the right in channel 0.
  const returning = netlist({
    gates: Float32Array.of(15, 0, 0, -1),
    outputs: Float32Array.of(left(1), right(2), left(3), left(4), left(4)),
  })
  const rollouts = [1, 2, 3, 4, 5, 6].map((seed) => rollout(returning, shape, numbers(seed)))
  const cells = messageWay(returning, rollouts, [0], shape).map(({ cell }) => cell)
  expect(cells.length).toBeGreaterThan(1)
  expect(new Set(cells).size).toBe(cells.length)
})

test('a cell is settled once it is final in all rollouts', () => {
  // Noise may be right by chance; the message decides.
  const rollouts = [1, 2, 3, 4, 5, 6].map((seed) => rollout(traveling, shape, numbers(seed)))
  expect(settledSteps(rollouts, [2]).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
})

test('the steps of quarters are those of their last cells', () => {
  const small = { width: 3, height: 2, periodic: false }
  expect(quarterSteps([1, 2, 5, 4, 3, 0], small)).toEqual([1, 5, 4, 3])
})

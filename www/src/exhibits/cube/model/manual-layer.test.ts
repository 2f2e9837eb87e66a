import { expect, test } from 'vitest'
import { ManualLayer } from './manual-layer'

const layer = { axis: [1, 0, 0], from: 1, to: 1 } as const
const quarter = Math.PI / 2

/** Releases a layer dragged by an angle and returns its final quarter turns. */
function released(angle: number): number {
  const hand = new ManualLayer()
  hand.take(layer)
  hand.drag(angle)
  hand.release()
  expect(hand.settles).toBe(true)
  for (let i = 0; i < 1000; i++) {
    const before = hand.angle
    const quarters = hand.advance(0.01)
    if (quarters !== null) {
      expect([hand.layer, hand.angle]).toEqual([null, 0])
      return quarters
    }
    expect(Math.abs(hand.angle - before)).toBeGreaterThan(0)
  }
  throw new Error('The layer does not arrive.')
}

test.each([
  [0.1, 0],
  [0.39, 0],
  [0.45, 1],
  [1.3, 1],
  [1.5, 2],
  [-0.3, 0],
  [-0.5, -1],
  [-2.2, -2],
])('dragged by %d quarters, it is released to %d', (far, quarters) => {
  expect(released(far * quarter) + 0).toBe(quarters)
})

test('stays while held, and disappears when canceled', () => {
  const hand = new ManualLayer()
  expect(hand.advance(1)).toBeNull()
  hand.take(layer)
  hand.drag(0.7)
  expect([hand.advance(1), hand.angle, hand.settles]).toEqual([null, 0.7, false])
  hand.drop()
  expect(hand.layer).toBeNull()
})

test('a key turns it without a drag', () => {
  const hand = new ManualLayer()
  hand.push(layer, -1)
  expect(hand.advance(0.01)).toBeNull()
  expect(hand.angle).toBeLessThan(0)
  expect(hand.advance(1)).toBe(-1)
  hand.push(layer, 2)
  expect(hand.finish()).toBe(2)
})

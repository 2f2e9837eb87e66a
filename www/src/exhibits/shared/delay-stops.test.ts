import { expect, test } from 'vitest'
import { nearestDelayStop, delayStopsOf } from './delay-stops'
import { speedStopsOf, stopOf } from './speed'

test('a delay selects the nearest stop', () => {
  const stops = delayStopsOf([2, 1, 0.12], 'turn')
  expect(stops.map(({ name }) => name)).toEqual([
    'step by step',
    '2 s a turn',
    '1 s a turn',
    'fast',
    'at once',
  ])
  expect(stops.map(({ seconds }) => nearestDelayStop(stops, seconds))).toEqual([0, 1, 2, 3, 4])
  expect(nearestDelayStop(stops, 0.7)).toBe(2)
})

test('a speed selects the nearest stop', () => {
  const stops = speedStopsOf([10, 1000], 'moves')
  expect(stops.map(({ name }) => name)).toEqual(['10 moves/s', '1,000 moves/s', 'full speed'])
  expect(([10, 600, 'max'] as const).map((speed) => stopOf(stops, speed))).toEqual([0, 1, 2])
})

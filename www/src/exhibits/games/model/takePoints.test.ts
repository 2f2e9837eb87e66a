import { expect, test } from 'vitest'
import { takePoints, takePointsText } from './takePoints'

test('without gammons, the take points are 25 % and 20 %', () => {
  expect(takePoints([0.7, 0, 0, 0, 0])).toEqual({ dead: expect.closeTo(0.25), live: expect.closeTo(0.2) })
  expect(takePoints([1, 0, 0, 0, 0])).toBeNull()
})

test('gammons of the player on roll raise the take points, gammons of the opponent lower the take points', () => {
  // A third of the wins are gammons: a loss of 4/3 points.
  const { dead, live } = takePoints([0.6, 0.2, 0, 0, 0])!
  expect([dead, live]).toEqual([expect.closeTo(5 / 14), expect.closeTo(5 / 17)])
  expect(takePoints([0.6, 0, 0, 0.1, 0])!.dead).toBeLessThan(0.25)
})

test('are described', () => {
  expect(takePointsText([0.7, 0, 0, 0, 0])?.replaceAll('\u00a0', ' ')).toBe(
    'Take points: 25.0 % (dead cube), 20.0 % (live cube).',
  )
})

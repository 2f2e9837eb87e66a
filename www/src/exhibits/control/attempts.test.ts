import { expect, test } from 'vitest'
import { Attempts } from './attempts'

/** Returns the summary after frames with these ages. */
function after(...frames: number[][]) {
  const attempts = new Attempts()
  for (const ages of frames) attempts.update(Float32Array.from(ages))
  return attempts.summary
}

test('an attempt counts if its start and its end were seen', () => {
  // The first environment ends an attempt of unknown start, then one of 3 steps; the third one continues.
  expect(after([8, 4, 1], [1, 5, 2], [2, 6, 3])).toEqual({ ended: 0, mean: 0, longest: 0 })
  expect(after([8, 4, 1], [1, 5, 2], [2, 6, 3], [0, 7, 4])).toEqual({ ended: 1, mean: 3, longest: 3 })
})

test('the length is exact if a frame follows several steps later', () => {
  // After 4 steps, the second attempt is one step old: its predecessor had 5 steps.
  expect(after([8, 0], [2, 4], [1, 8])).toEqual({ ended: 1, mean: 5, longest: 5 })
})

test('only one attempt of each environment counts', () => {
  const frames = [
    [1, 0],
    [0, 1],
    [1, 2],
    [0, 3],
    [1, 4],
    [2, 5],
    [0, 6],
  ]
  expect(after(...frames)).toEqual({ ended: 1, mean: 2, longest: 2 })
})

test('a frame without steps changes nothing, and a reset or another number of environments begins again', () => {
  const measured = [
    [1, 0],
    [0, 1],
    [0, 2],
  ]
  expect(after(...measured, [0, 2]).ended).toBe(1)
  expect(after(...measured, [0, 0]).ended).toBe(0)
  expect(after(...measured, [0, 2, 5]).ended).toBe(0)
})

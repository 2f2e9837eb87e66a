import { describe, expect, test } from 'vitest'
import { FakeSession } from '../../../tests/fixtures/fake-session'
import type { Speed } from '../engine/page/session'
import { openingSpeed, Pace, secondsPerSpeed } from './pace.svelte'
import { changeBetween } from './single-step.svelte'

/** Returns a pace, and the limits that its session has received. */
function paced() {
  const session = new FakeSession()
  const limits: Speed[] = []
  session.setSpeed = (speed) => void limits.push(speed)
  return { pace: new Pace(() => [session]), limits }
}

describe('the pace', () => {
  test('rises from speed to speed and ends at the last', () => {
    const speeds = [50, 200, 'max'] as const
    const after = [0, 0.99, 1, 2, 100].map((times) => openingSpeed(speeds, times * secondsPerSpeed))
    expect(after).toEqual([50, 50, 200, 'max', 'max'])
    const { pace, limits } = paced()
    pace.open(speeds)
    expect([pace.speed, pace.opening]).toEqual([50, speeds])
    pace.advance(1)
    pace.advance(secondsPerSpeed)
    pace.advance(2 * secondsPerSpeed)
    expect([limits, pace.opening, pace.isAutomatic]).toEqual([[50, 200, 'max'], null, true])
  })

  test('stays where the user sets it', () => {
    const { pace, limits } = paced()
    pace.open([50, 200, 'max'])
    pace.set(50)
    pace.advance(100)
    expect([limits, pace.speed, pace.opening, pace.isAutomatic]).toEqual([[50, 50], 50, null, false])
  })

  test('stays without speeds to open with', () => {
    const { pace, limits } = paced()
    pace.open([])
    expect([limits, pace.opening]).toEqual([[], null])
  })
})

test('the change of a step names what is different', () => {
  const progress = { steps: 10, updates: 1, episodes: 0, total_steps: null }
  const change = changeBetween(
    { progress, latest: { loss: 2, entropy: 1 } },
    { progress: { ...progress, steps: 30, updates: 2 }, latest: { loss: 1, entropy: 1, kl: 0.5 } },
  )
  expect(change).toEqual({
    steps: 20,
    metrics: [
      { name: 'loss', before: 2, after: 1 },
      { name: 'kl', before: undefined, after: 0.5 },
    ],
  })
})

import { expect, test } from 'vitest'
import { guide } from './guides/cartpole'

test('the first step leaves an untrained run', () => {
  expect(guide[0]!.finish).toEqual([{ kind: 'restart', preset: 'default', held: true }])
})

test('the test with the long pole compares with random pushes, if the network is worse, with this length only', () => {
  const text = (evaluated: number, parameter: number) => {
    const outcome = guide[5]!.outcome({ parameter, evaluated }, {})
    return typeof outcome === 'object' ? outcome?.text : outcome
  }
  expect(text(17.9, 1.5)).toMatch(/switches too late\. Random pushes.*about 42 steps/)
  expect(text(60, 1.5)).not.toMatch(/Random/)
  expect(text(17.9, 1.8)).not.toMatch(/Random/)
})

test('the last step names the end of the track as the reason of short attempts', () => {
  const text = (mean: number) => {
    const outcome = guide.at(-1)!.outcome({ setting: 0.8, mean, updates: 600, steps: 153_600 }, {})
    return typeof outcome === 'object' ? outcome?.text : outcome
  }
  expect(text(275)).toMatch(/the cart leaves the track/)
  expect(text(480)).toMatch(/A horizon of five steps is enough/)
})

test('the attempts stand still while an update is compared, since the map depends on them', () => {
  const { setup, leave } = guide[2]!
  expect(setup).toContainEqual({ kind: 'act', on: false })
  expect(leave).toContainEqual({ kind: 'act', on: true })
})

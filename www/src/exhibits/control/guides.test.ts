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
  expect(text(17.9, 1.5)).toMatch(/one way for too long\. Random pushes.*about 42 steps/)
  expect(text(60, 1.5)).not.toMatch(/Random/)
  expect(text(17.9, 1.8)).not.toMatch(/Random/)
})

import { beforeEach, expect, test } from 'vitest'
import { stubStorage } from '../lib/storage.stub'
import { guideProgress, storedGuesses, storeGuesses, storeGuideStep } from './guide-progress'

beforeEach(() => void stubStorage())

test('the guide that was opened last is the first one, and a finished guide stays finished', () => {
  storeGuideStep('cartpole', 8, true)
  storeGuideStep('acrobot', 2)
  storeGuideStep('cartpole', 3)
  storeGuideStep('no-exhibit', 1)
  expect(guideProgress()).toEqual([
    { world: 'cartpole', step: 3, done: true },
    { world: 'acrobot', step: 2, done: false },
  ])
})

test('the guesses in a guide outlive its further steps', () => {
  expect(storedGuesses('cartpole')).toEqual({})
  storeGuideStep('cartpole', 2)
  storeGuesses('cartpole', { 0: true, 1: null })
  storeGuideStep('cartpole', 3)
  expect(storedGuesses('cartpole')).toEqual({ 0: true, 1: null })
  expect(storedGuesses('acrobot')).toEqual({})
})

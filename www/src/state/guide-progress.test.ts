import { beforeEach, expect, test } from 'vitest'
import { stubStorage } from '../lib/storage.stub'
import {
  forgetGuesses,
  guideProgress,
  storedGuesses,
  storedOutcomes,
  storeGuesses,
  storeGuideStep,
  storeOutcome,
} from './guide-progress'

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

test('outcomes are kept until the guide begins again', () => {
  const outcome = { text: 'After 33 k steps.', guess: 0, right: 1 }
  storeGuesses('cartpole', { 1: false })
  storeOutcome('cartpole', 1, outcome)
  storeOutcome('cartpole', 2, { ...outcome, guess: null })
  expect(storedOutcomes('cartpole')).toEqual({ 1: outcome, 2: { ...outcome, guess: null } })
  forgetGuesses('cartpole')
  expect(storedOutcomes('cartpole')).toEqual({})
  expect(storedGuesses('cartpole')).toEqual({})
})

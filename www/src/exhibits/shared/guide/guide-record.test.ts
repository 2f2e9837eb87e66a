import { beforeEach, expect, test, vi } from 'vitest'
import { stubStorage } from '../../../lib/storage.stub'
import { storedGuesses, storedOutcomes } from '../../../state/guide-progress'
import type { Guide } from './guide'
import { GuideRecord } from './guide-record.svelte'
import type { StepExperiment } from './step-experiment.svelte'

// The address and the frame need a window.
vi.mock('../../../state/address.svelte', () => ({ address: { page: 'cartpole' } }))
vi.mock('../../../host/embed', () => ({ embedded: false }))
beforeEach(() => void stubStorage())

const guide = [{ title: 'A' }, { title: 'B' }] as unknown as Guide
const done = (text: string, guess: number | null, isRight: boolean | null) =>
  ({
    ...{ step: guide[1]!, isDecided: true, isRight },
    stored: { text, guess, right: 1 },
    restore: vi.fn(),
  }) as unknown as StepExperiment

test('a later visit restores the last outcome and the first guess; the first step begins without them', () => {
  const record = new GuideRecord(guide, 1)
  record.add({ ...done('', null, null), isDecided: false, stored: null } as unknown as StepExperiment)
  expect(record.done.size).toBe(0)
  record.add(done('First', 0, false))
  record.add(done('Second', 0, false))
  // The same text with another guess.
  record.add(done('Second', 1, true))
  expect(storedGuesses('cartpole')).toEqual({ 1: false })
  const later = new GuideRecord(guide, 1)
  expect(later.guesses).toEqual({ 1: false })
  const experiment = done('', null, null)
  later.restore(experiment)
  expect(vi.mocked(experiment).restore).toHaveBeenCalledWith({ text: 'Second', guess: 1, right: 1 })
  // The summary tells the steps with an outcome from the skipped ones.
  expect([later.done, new GuideRecord(guide, 0).done]).toEqual([new Set([1]), new Set()])
  expect([storedGuesses('cartpole'), storedOutcomes('cartpole')]).toEqual([{}, {}])
})

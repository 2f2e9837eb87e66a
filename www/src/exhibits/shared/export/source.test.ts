import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../../../engine/page/session'
import experiments from '../../../protocol/experiments.json'
import type { Lab } from '../../../state/lab.svelte'
import { sourceOf } from './source'

const info = (experiments as unknown as ExperimentInfo[]).find(({ name }) => name === 'cartpole')!

test('the source of a picture has the steps of the shown state: the run, or a snapshot', () => {
  const lab = { info, config: info.defaults, seed: 3, progress: { steps: 81_920 }, earlierSteps: 0 }
  const source = (shown: number | null, earlierSteps = 0) =>
    sourceOf({ ...lab, earlierSteps, timeline: { shown } } as unknown as Lab)
  expect(source(null)).toBe('CartPole, Default, seed 3, 81,920\u00a0steps')
  expect(source(8192)).toBe('CartPole, Default, seed 3, 8,192\u00a0steps')
  expect(source(0, 5000)).toMatch(/, 0\u00a0steps after 5,000\u00a0steps in earlier training$/)
})

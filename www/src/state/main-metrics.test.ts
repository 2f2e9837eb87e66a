import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { smallCurves } from './main-metrics'

const info = (name: string) =>
  (experiments as unknown as ExperimentInfo[]).find((experiment) => experiment.name === name)!

test('the small charts follow the config', () => {
  const first = (name: string, config: Record<string, unknown>) => smallCurves(info(name), config)[0]
  expect(first('cartpole', { learner: 'dqn' })).toBe('loss')
  expect(first('cartpole', { learner: 'ppo' })).toBe('policy_loss')
  expect(first('pendulum', {})).toBe('policy_loss')
  const cube = (demonstrations: number) => smallCurves(info('cube2'), { dqn: { demonstrations } })
  expect(cube(0)).not.toContain('lesson_loss')
  expect(cube(1000)).toContain('lesson_loss')
})

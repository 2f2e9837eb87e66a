import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { comparedCurves, smallCurves } from './main-metrics'

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

test('the charts of compared runs have the results of all experiments', () => {
  const drawn = (name: string) => {
    const about = info(name)
    return [...about.readings.large.slice(0, 1), ...comparedCurves(about, about.defaults as never)]
  }
  expect(drawn('cartpole')[0]).toBe('return_mean')
  expect(drawn('logic-ca')).toEqual(['soft_loss', 'hard_accuracy', 'hard_loss', 'decidedness'])
  for (const [name, result] of [
    ['connect-four', 'wins_minimax_6'],
    ['backgammon', 'wins_pubeval'],
    ['cube2', 'solved'],
    ['cube3', 'solved_256'],
    ['language', 'perplexity'],
  ] as const)
    expect(drawn(name)[0]).toBe(result)
  for (const { name } of experiments as unknown as ExperimentInfo[])
    expect(new Set(drawn(name)).size).toBe(drawn(name).length)
})

import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { presetConfig, withSettings, type Config } from '../config'
import { exhibitHash } from '../route'
import { isOwn, nameOf, plainTitleOf, titleOf } from './describe'
import type { RunDescription } from './store'

const infos = experiments as unknown as ExperimentInfo[]
const info = infos.find(({ name }) => name === 'cartpole')!
const run = (config: Config, some: Partial<RunDescription> = {}) =>
  ({
    experiment: 'cartpole',
    title: '',
    address: exhibitHash(info, config, 7),
    ...some,
  }) as RunDescription

test('a stored run is named by its title, or by its settings and their changes', () => {
  const moon = presetConfig(
    info,
    info.presets.find(({ name }) => name === 'moon')!,
  )
  const own = withSettings(info.defaults as Config, [
    { path: 'world.gravity', value: 3 },
    { path: 'ppo.learning_rate', value: 0.001 },
  ])
  expect(titleOf(run(moon), infos)).toBe('CartPole, Moon gravity')
  expect(titleOf(run(own), infos)).toBe('CartPole, Gravity 3, Learning rate 0.001')
  const changes = [{ steps: 20_000, path: 'ppo.learning_rate', before: 0.0003, text: '' }]
  expect(nameOf(run(own, { changes }), info)).toBe(
    'Gravity 3, Learning rate 0.0003 → 0.001 at 20.0\u00a0k steps',
  )
  expect(titleOf(run(own, { title: 'Slow' }), infos)).toBe('Slow')
  expect(nameOf(run(own, { title: 'Slow' }), info)).toBe('Slow')
})

test('a run whose settings or experiment are unknown has a name', () => {
  const unknown = run(info.defaults as Config, { address: '#/cartpole?absent=1' })
  expect(nameOf(unknown, info)).toBe('unknown settings')
  expect(titleOf({ ...unknown, experiment: 'absent' }, infos)).toBe('absent')
})

test('the home page names a run by its title or its preset, without settings', () => {
  const plain = (some: Partial<RunDescription>) => plainTitleOf(run(info.defaults as Config, some), infos)
  expect(plain({ preset: 'default' })).toBe('CartPole')
  expect(plain({ preset: 'moon' })).toBe('CartPole, Moon gravity')
  expect(plain({ preset: '' })).toBe('CartPole, own settings')
  const changes = [{ steps: 20_000, path: 'ppo.learning_rate', before: 0.0003, text: '' }]
  expect(plain({ preset: 'default', changes })).toBe('CartPole, own settings')
  expect(plain({ preset: '', title: 'Slow' })).toBe('Slow')
})

test('a run that only guides have used is not one of the visitor', () => {
  const own = (steps: number, guideSteps?: number | null) =>
    isOwn(run(info.defaults as Config, { steps, ...(guideSteps !== undefined && { guideSteps }) }))
  // A match at the table, or a cube that was turned, has no steps.
  expect([own(0), own(0, null), own(10), own(20, 10)]).toEqual([true, true, true, true])
  expect([own(0, 0), own(10, 10)]).toEqual([false, false])
})

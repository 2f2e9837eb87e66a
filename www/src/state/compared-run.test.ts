import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { contrasts, settingsAt, settingsName } from './compared-run'
import { presetConfig, withSettings, type Config } from './config'
import { exhibitHash } from './route'

const infos = experiments as unknown as ExperimentInfo[]
const info = infos.find(({ name }) => name === 'cartpole')!
const defaults = info.defaults as Config
const moon = presetConfig(
  info,
  info.presets.find(({ name }) => name === 'moon')!,
)
const changed = (...settings: [string, unknown][]) =>
  withSettings(
    defaults,
    settings.map(([path, value]) => ({ path, value })),
  )

test('only the settings that differ are listed, with label, values and unit', () => {
  const config = changed(['world.pole_mass', 0.5], ['ppo.hidden', [32, 32]], ['learner', 'dqn'])
  const found = contrasts(info, { config, seed: 2 }, { config: defaults, seed: 1 })
  expect(found).toContainEqual({
    path: 'world.pole_mass',
    label: 'Pole mass',
    value: '0.5\u00a0kg',
    baseline: '0.1\u00a0kg',
  })
  expect(found).toContainEqual({ path: 'seed', label: 'Seed', value: '2', baseline: '1' })
  expect(found.map(({ value }) => value)).toEqual(['0.5\u00a0kg', 'dqn', '32, 32\u00a0units', '2'])
  expect(found).toHaveLength(4)
  expect(contrasts(info, { config, seed: 2 }, { config, seed: 2 })).toEqual([])
})

test('a run is named after its title, its preset, or the first settings that differ from the defaults', () => {
  const name = (config: Config, title = '') => settingsName(info, { title, config })
  expect(name(moon, 'Slow')).toBe('Slow')
  expect(name(moon)).toBe('Moon gravity')
  const three = changed(['world.gravity', 3], ['world.pole_mass', 0.5], ['ppo.num_envs', 64])
  expect(name(three)).toBe('Gravity 3, Pole mass 0.5 and 1 more')
})

test('a run with changed settings is named by its first settings and the changes', () => {
  const name = (config: Config, ...changes: [steps: number, path: string, before?: unknown][]) =>
    settingsName(info, {
      ...{ title: '', config },
      changes: changes.map(([steps, path, before]) => ({ steps, path, before, text: '' })),
    })
  const faster = changed(['ppo.learning_rate', 0.001])
  expect(name(faster, [20_000, 'ppo.learning_rate', 0.0003])).toBe(
    `Learning rate 0.0003 → 0.001 at 20.0\u00a0k steps`,
  )
  const low = withSettings(moon, [{ path: 'ppo.learning_rate', value: 0.001 }])
  const rate = info.fields.find(({ path }) => path === 'ppo.learning_rate')!.default
  expect(name(low, [20_000, 'ppo.learning_rate', rate])).toMatch(
    /^Moon gravity, Learning rate .* → 0\.001 at/,
  )
  // Each change of a field starts at the value of the one before.
  expect(
    name(
      changed(['world.gravity', 5], ['world.pole_mass', 0.5]),
      [1000, 'world.gravity', 9.8],
      [2000, 'world.gravity', 20],
    ),
  ).toBe(
    'Gravity 9.8 → 20\u00a0m/s² at 1.00\u00a0k steps, Gravity 20 → 5\u00a0m/s² at 2.00\u00a0k steps and 1 more',
  )
  // A slider that was moved back; a change whose former value is unknown.
  expect(name(moon, [1000, 'world.pole_mass', 0.1])).toBe('Moon gravity')
  expect(name(changed(['world.gravity', 3]), [1000, 'world.gravity'])).toBe(
    'Gravity 3\u00a0m/s² from 1.00\u00a0k steps',
  )
})

test('the address of a run gives its settings', () => {
  expect(settingsAt(info, exhibitHash(info, moon, 3))).toEqual({ config: moon, seed: 3 })
  expect(settingsAt(info, '#/acrobot?seed=3')).toBeNull()
  expect(settingsAt(info, '#/cartpole?world.gravity=heavy')).toBeNull()
  expect(settingsAt(info, 'nonsense')).toBeNull()
})

test('settings of a learner that neither run uses are not listed, and equal labels have different paths', () => {
  const rates: [string, unknown][] = [
    ['ppo.learning_rate', 0.01],
    ['dqn.learning_rate', 0.02],
  ]
  const paths = (run: Config) =>
    contrasts(info, { config: run, seed: 1 }, { config: defaults, seed: 1 }).map(({ path }) => path)
  expect(paths(changed(...rates))).toEqual(['ppo.learning_rate'])
  expect(paths(changed(...rates, ['learner', 'dqn']))).toEqual([
    'learner',
    'ppo.learning_rate',
    'dqn.learning_rate',
  ])
})

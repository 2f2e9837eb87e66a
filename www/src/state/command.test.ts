import { describe, expect, test } from 'vitest'
import type { ExperimentInfo, FieldInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { commandLine, endOf } from './command'
import { withSettings } from './config'

const field = (kind: FieldInfo['kind']): FieldInfo => ({
  ...{ path: 'a.b', label: 'B', unit: 'm', help: '', live: false, kind, default: 1 },
})

const infos = experiments as unknown as ExperimentInfo[]

describe('the native command', () => {
  const cartpole = infos.find(({ name }) => name === 'cartpole')!
  const withChanges = (...settings: [path: string, value: unknown][]) =>
    withSettings(
      cartpole.defaults,
      settings.map(([path, value]) => ({ path, value })),
    )

  const run = { config: cartpole.defaults, seeds: [0], engine: 'cpu', steps: null } as const

  test('contains the experiment, the seed and the changed settings', () => {
    const config = withChanges(['world.gravity', 12], ['ppo.hidden', [32, 32]])
    expect(commandLine(cartpole, { ...run, config, seeds: [3] })).toBe(
      "cargo run --release -- train cartpole --seed 3 --engine cpu --set world.gravity=12 --set 'ppo.hidden=[32,32]'",
    )
  })

  test('leaves out settings of a learner that is not selected, which the program refuses', () => {
    const config = withChanges(['learner', 'dqn'], ['ppo.horizon', 64], ['dqn.n_step', 5])
    expect(commandLine(cartpole, { ...run, config, seeds: [3] })).toBe(
      'cargo run --release -- train cartpole --seed 3 --engine cpu --set learner=dqn --set dqn.n_step=5',
    )
  })

  test('defaults need no settings', () => {
    const line = 'cargo run --release -- train cartpole --seed 0 --engine cpu'
    expect(commandLine(cartpole, run)).toBe(line)
    expect(commandLine(cartpole, { ...run, engine: 'gpu' })).toBe(line.replace('cpu', 'gpu'))
  })

  test('special characters are quoted', () => {
    const info = { name: 'any', fields: [field({ type: 'text' } as FieldInfo['kind'])], defaults: {} }
    const line = commandLine(info as unknown as ExperimentInfo, {
      ...run,
      config: { a: { b: "x'; rm -rf ~; '" } },
    })
    expect(line.endsWith(`--set 'a.b=x'\\''; rm -rf ~; '\\'''`)).toBe(true)
  })

  test('ends at the steps of the run, and trains all seeds of its band', () => {
    const line = (seeds: number[], steps: number | null) => commandLine(cartpole, { ...run, seeds, steps })
    expect(line([4], 100_000)).toBe(
      'cargo run --release -- train cartpole --seed 4 --engine cpu --steps 100000',
    )
    expect(line([3, 1, 2], null)).toBe('cargo run --release -- train cartpole --seeds 1-3 --engine cpu')
    expect(line([7, 1, 3], 4096)).toContain(' --seeds 1,3,7 --engine cpu --steps 4096')
    expect(line([2, 3], null)).toContain(' --seeds 2-3 ')
    expect(line([2, 2], null)).toContain(' --seed 2 ')
  })

  test('runs without a stop end where the longest of the others ends, if it is longer than this run', () => {
    const at = { stop: null, isStopped: false, steps: 5000, isRunning: false, longest: 300_000 }
    expect(endOf(at)).toBe(300_000)
    expect(endOf({ ...at, isRunning: true })).toBe(300_000)
    expect(endOf({ ...at, steps: 400_000 })).toBe(400_000)
    expect(endOf({ ...at, steps: 0 })).toBe(300_000)
    expect(endOf({ ...at, stop: 8000 })).toBe(8000)
  })

  test('a run ends at its stop, or where it is paused', () => {
    const at = { stop: null, isStopped: false, steps: 5000, isRunning: false, longest: 0 }
    expect(endOf(at)).toBe(5000)
    expect(endOf({ ...at, isRunning: true })).toBeNull()
    expect(endOf({ ...at, steps: 0 })).toBeNull()
    expect(endOf({ ...at, stop: 8000, isRunning: true })).toBe(8000)
    // The last update ends after the stop.
    expect(endOf({ ...at, stop: 4000, isStopped: true })).toBe(4000)
    // The run was continued after the stop.
    expect(endOf({ ...at, stop: 4000 })).toBe(5000)
    expect(endOf({ ...at, stop: 4000, isRunning: true })).toBeNull()
  })
})

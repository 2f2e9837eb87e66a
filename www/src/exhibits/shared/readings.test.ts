import { describe, expect, test } from 'vitest'
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { helpOf, textOf, type Figured } from './readings'

const info = (name: string) =>
  (experiments as unknown as ExperimentInfo[]).find((experiment) => experiment.name === name)!

const run: Figured = {
  progress: { steps: 1_204_000, updates: 0, episodes: 7, total_steps: null },
  latest: { peak_share: 0.384, gates_kept: 1234 },
  stepsPerSecond: 0,
}

const figure = (some: Partial<Reading>): Reading => ({
  source: 'progress',
  name: 'steps',
  label: 'Steps',
  help: '',
  optional: false,
  ...some,
})

describe('a figure', () => {
  test('is read from where it is said to be', () => {
    const text = (some: Partial<Reading>, of = 'cartpole') => textOf(figure(some), info(of), run)
    expect(text({})).toBe('1.20\u00a0M')
    expect(text({ name: 'episodes' })).toBe('7')
    expect(text({ source: 'metric', name: 'gates_kept' }, 'logic-ca')).toBe('1.23\u00a0k')
    expect(text({ source: 'metric', name: 'peak_share' }, 'language')).toBe('38 %')
  })

  test('of an unknown value is a dash; an optional one is omitted', () => {
    const text = (some: Partial<Reading>) => textOf(figure(some), info('cartpole'), run)
    expect(text({ name: 'speed' })).toBe('–')
    expect(text({ source: 'metric', name: 'entropy' })).toBe('–')
    expect(text({ source: 'exhibit', name: 'steps' })).toBe('–')
    expect(text({ source: 'metric', name: 'entropy', optional: true })).toBeNull()
    expect(text({ name: 'updates' })).toBe('0')
    expect(text({ name: 'updates', optional: true })).toBeNull()
  })

  test('of the speed keeps its last value while training is paused', () => {
    const speed = (some: Partial<Figured>) =>
      textOf(figure({ name: 'speed' }), info('connect-four'), { ...run, ...some })
    expect(speed({ latest: { steps_per_second: 1234 } })).toBe('1.23\u00a0k')
    expect(speed({ latest: { steps_per_second: 1234 }, stepsPerSecond: 2000 })).toBe('2.00\u00a0k')
  })

  test('has a help text, its own or its metric’s', () => {
    const help = (some: Partial<Reading>) => helpOf(figure(some), info('cartpole'))?.text
    expect(help({ help: 'A figure' })).toBe('A figure')
    expect(help({ source: 'metric', name: 'entropy' })).toContain('entropy of the policy')
    expect(help({})).toContain('steps of training')
    expect(help({ name: 'unknown' })).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import type { Config } from '../../state/config'
import {
  commonStep,
  comparedMetrics,
  helpOf,
  smallCurves,
  textOf,
  type Figured,
  type RunState,
} from './readings'

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

test('the small charts follow the config', () => {
  const first = (name: string, config: Record<string, unknown>) => smallCurves(info(name), config)[0]
  expect(first('cartpole', { learner: 'dqn' })).toBe('loss')
  expect(first('cartpole', { learner: 'ppo' })).toBe('policy_loss')
  expect(first('pendulum', {})).toBe('policy_loss')
  const cube = (demonstrations: number) => smallCurves(info('cube2'), { dqn: { demonstrations } })
  expect(cube(0)).not.toContain('lesson_loss')
  expect(cube(1000)).toContain('lesson_loss')
})

const endsAt = (step: number) => ({ steps: [step], columns: {} })

test('the metrics of two runs are compared: results first, then the charts, and no metric that neither run has', () => {
  const about = info('logic-ca')
  const rows = comparedMetrics(
    about,
    about.defaults as Config,
    [{ curves: endsAt(1000), latest: { hard_accuracy: 0.975, hard_loss: 12, soft_loss: 0.125 } }],
    [{ curves: endsAt(1000), latest: { hard_accuracy: 0.5, hard_loss: 20, decidedness: 0.25 } }],
  )
  expect(rows).toEqual([
    {
      name: 'hard_accuracy',
      label: 'Hard accuracy',
      own: '97.5 %',
      baseline: '50.0 %',
      difference: '+47.5 pp',
    },
    { name: 'soft_loss', label: 'Soft loss', own: '0.125', baseline: '–', difference: '–' },
    { name: 'hard_loss', label: 'Hard loss', own: '12', baseline: '20', difference: '−8' },
    { name: 'decidedness', label: 'Gate confidence', own: '–', baseline: '25.0 %', difference: '–' },
  ])
})

test('two runs are compared at the last step that both have reached', () => {
  const about = info('logic-ca')
  const long = {
    curves: {
      steps: [100, 200, 400, 800],
      columns: {
        hard_loss: [50, 40, 20, 5],
        hard_accuracy: [0.5, null, null, 1],
        soft_loss: [7, null, null, null],
      },
    },
    latest: { hard_loss: 4, hard_accuracy: 1, soft_loss: 1 },
  }
  const short = { curves: endsAt(300), latest: { hard_loss: 25, hard_accuracy: 0.6, soft_loss: 2 } }
  for (const [own, baseline] of [
    [long, short],
    [short, long],
  ] as const) {
    expect(commonStep([own, baseline])).toBe(300)
    const rows = comparedMetrics(about, about.defaults, [own], [baseline])
    const side = own === long ? 'own' : 'baseline'
    const at = (name: string) => rows.find((row) => row.name === name)?.[side]
    expect(at('hard_loss')).toBe('30')
    expect(Number.parseFloat(at('hard_accuracy')!)).toBeCloseTo(50 + (50 * 200) / 700, 0)
    expect(at('soft_loss')).toBe('7')
  }
})

test('means of several runs are compared at the last step of the shortest run, with an interval if both sides have several', () => {
  const about = info('logic-ca')
  const runOf = (loss: number, accuracy?: number, step = 1000) => ({
    curves: { steps: [0, step], columns: { hard_loss: [loss, loss] } },
    latest: { hard_loss: loss, ...(accuracy !== undefined && { hard_accuracy: accuracy }) },
  })
  const rows = (own: RunState[], baseline: RunState[]) =>
    comparedMetrics(about, about.defaults, own, baseline).map(({ own, baseline, difference }) => [
      own,
      baseline,
      difference,
    ])
  const own = [runOf(1, 0.9), runOf(2, 0.8), runOf(3, 0.7)]
  const baseline = [runOf(11, 0.5), runOf(12, 0.4), runOf(13, 0.3)]
  // Standard error of the difference √(2/3) of the standard deviation; 4 degrees of freedom.
  expect(rows(own, baseline)).toEqual([
    ['80.0 %', '40.0 %', '+40.0\u00a0±\u00a022.7 pp'],
    ['2', '12', '−10\u00a0±\u00a02.267'],
  ])
  expect(rows(own.slice(0, 1), baseline)[1]).toEqual(['1', '12', '−11'])
  expect(commonStep([...own, runOf(4, 1, 700)])).toBe(700)
})

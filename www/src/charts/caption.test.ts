import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import type { ComparedRun } from '../state/compared-run'
import { withSettings, type Config } from '../state/config'
import { stepUnit } from './axis-unit'
import { chartCaption } from './caption'
import type { ChartData } from './figure'

const info = (experiments as unknown as ExperimentInfo[]).find(({ name }) => name === 'cartpole')!
const config = info.defaults as Config
const heavy = withSettings(config, [{ path: 'world.gravity', value: 20 }])

const chart: ChartData = {
  ...{ name: 'return_mean', title: 'Mean return', run: 'Default, seed 1', note: '', unit: '' },
  ...{
    xUnit: stepUnit('steps'),
    positions: [8],
    floor: null,
    range: null,
    line: null,
    marks: [],
    visible: null,
  },
  series: [{ label: 'Mean return', values: [1], tone: 'accent', width: 1.75 }],
}
const run = (seed: number, config: Config): ComparedRun => ({
  ...{ id: `${seed}`, experiment: 'cartpole', title: '', config, seed, latest: {} },
  curves: { steps: [8], columns: {} },
})
const own = { name: 'Default, seed 1', runs: [run(1, config)], isBaseline: false }

test('the caption of one run has its title and its source', () => {
  const text = chartCaption(chart, {
    info,
    source: 'CartPole, Default, seed 1',
    groups: [own],
    own: { config },
  })
  expect(text).toBe('Mean return. CartPole, Default, seed 1.')
})

test('the caption of several runs names the lines, the bands, the settings that differ, and the marks', () => {
  const other = { ...chart.series[0]!, positions: [8], dash: [6, 3], label: 'Gravity 20, seeds 2, 3, mean' }
  const text = chartCaption(
    {
      ...chart,
      ...{
        note: 'Band: minimum to maximum of the n runs.',
        line: { at: 475, label: 'solved, 475' },
        marks: [4],
      },
      series: [...chart.series, other, { ...other, dash: [9, 3, 2, 3], label: 'Third' }],
    },
    {
      ...{ info, source: 'CartPole, 3 runs' },
      groups: [
        own,
        { name: 'Gravity 20, seeds 2, 3', runs: [run(2, heavy), run(3, heavy)], isBaseline: false },
      ],
      own: { config, changes: [{ steps: 4, path: 'world.force', text: '', before: 12 }] },
    },
  )
  expect(text.replaceAll('\u00a0', ' ')).toBe(
    'Mean return. CartPole, 3 runs. ' +
      'Lines: Default, seed 1 (solid); Gravity 20, seeds 2, 3, mean (dashed); Third (dash-dotted). ' +
      'Band: minimum to maximum of the n runs. ' +
      'Settings that differ from Default, seed 1: Gravity 20, seeds 2, 3: Gravity 20 m/s² instead of 9.8 m/s². ' +
      'Dashed horizontal line: solved, 475. ' +
      'Dotted vertical lines: Force 12 → 10 N at 4 steps.',
  )
})

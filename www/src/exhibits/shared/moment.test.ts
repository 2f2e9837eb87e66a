import { expect, test } from 'vitest'
import experiments from '../../protocol/experiments.json'
import type { ExperimentInfo } from '../../engine/page/session'
import { History } from '../../state/history'
import type { Lab } from '../../state/lab.svelte'
import { momentText, shownValue, valueAt } from './moment'

const info = (name: string) => experiments.find((info) => info.name === name) as unknown as ExperimentInfo

test('the result of a moment is the last one before it', () => {
  const history = new History()
  for (const [steps, value] of [
    [8192, 21.4],
    [16_384, 63],
  ] as const)
    history.push({ steps, values: [['return_mean', value]] })
  expect([0, 8191, 8192, 10_000, 1e9].map((steps) => valueAt(history, 'return_mean', steps))).toEqual([
    null,
    null,
    21.4,
    21.4,
    63,
  ])
  const value = (shown: number | null) =>
    shownValue(
      { timeline: { shown }, history, latest: { return_mean: 500 } } as unknown as Lab,
      'return_mean',
    )
  expect([null, 0, 8192].map(value)).toEqual([500, undefined, 21.4])
  const text = (shown: number | null) => momentText(info('cartpole'), history, shown)
  expect([null, 0, 10_000].map(text)).toEqual([
    'now',
    'Before training',
    'After 10.0\u00a0k steps: mean return 21.4',
  ])
})

import { expect, test } from 'vitest'
import experiments from '../../protocol/experiments.json'
import type { ExperimentInfo } from '../../engine/page/session'
import { History } from '../../state/history'
import { momentText, valueAt } from './moment'

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
  const text = (shown: number | null) => momentText(info('cartpole'), history, shown)
  expect([null, 0, 10_000].map(text)).toEqual([
    'now',
    'Before training',
    'After 10.0 k steps: mean return 21.4',
  ])
})

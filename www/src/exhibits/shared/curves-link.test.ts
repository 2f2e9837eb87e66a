import { expect, test } from 'vitest'
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { withSettings, type Config } from '../../state/config'
import { History } from '../../state/history'
import type { Lab } from '../../state/lab.svelte'
import { decodeComparison } from '../../state/shared-curves'
import { linkedCurves } from './curves-link'
import { mainMetrics } from '../../state/main-metrics'

const info = (experiments as unknown as ExperimentInfo[]).find(({ name }) => name === 'cartpole')!
const config = info.defaults as Config

test('a link has the current run, then the compared runs, with the baseline and the kind of the bands', async () => {
  const history = new History()
  history.push({
    ...{ steps: 8 },
    values: [
      ['return_mean', 20],
      ['elapsed', 1.5],
    ],
  })
  const lab = {
    info,
    config,
    seed: 4,
    changes: [],
    progress: { steps: 8 },
    engine: 'gpu',
    history,
    latest: { return_mean: 20, elapsed: 1.5 },
  } as unknown as Lab
  const comparison = comparisonOf(lab)
  const heavy = withSettings(config, [{ path: 'world.gravity', value: 20 }])
  comparison.select({
    ...{ id: 'a', experiment: 'cartpole', title: 'Mine', config: heavy, seed: 1 },
    ...{ curves: { steps: [8, 16], columns: { return_mean: [1, 9] } }, latest: { return_mean: 9 } },
  })
  comparison.pin('a')
  comparison.band = 'interval'
  const { text, omitted } = await linkedCurves(lab, mainMetrics(info, config))
  expect(omitted).toEqual([])
  const { runs, baseline, interval } = await decodeComparison(text)
  expect(runs.map(({ address, title, steps, latest }) => [address, title, steps, latest])).toEqual([
    ['#/cartpole?seed=4&engine=gpu', '', [8], { return_mean: 20, elapsed: 1.5 }],
    ['#/cartpole?world.gravity=20', 'Mine', [8, 16], { return_mean: 9 }],
  ])
  expect(runs[0]!.columns.elapsed).toEqual([1.5])
  expect(runs.map(({ styles }) => styles)).toEqual([
    [-1, -1],
    [0, 0],
  ])
  expect([baseline, interval]).toEqual([1, true])

  // Before its first step, the current run is not in the link.
  const untrained = { ...lab, history: new History(), latest: {} } as unknown as Lab
  const other = comparisonOf(untrained)
  for (const run of comparison.runs) other.select(run)
  other.pin('a')
  const shared = await decodeComparison((await linkedCurves(untrained, mainMetrics(info, config))).text)
  expect([shared.runs.map(({ title }) => title), shared.baseline]).toEqual([['Mine'], 0])
})

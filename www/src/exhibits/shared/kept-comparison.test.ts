import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { besideId, type ComparedRun } from '../../state/compared-run'
import type { Config } from '../../state/config'
import { History } from '../../state/history'
import type { Lab } from '../../state/lab.svelte'
import { Pace } from '../../state/pace.svelte'
import type { Run } from '../../state/storage/runs.svelte'
import { KeptComparison, type RunSource } from './kept-comparison.svelte'
import { storedComparison } from './stored-comparison'

const infos = experiments as unknown as ExperimentInfo[]
const info = infos.find(({ name }) => name === 'cartpole')!

const run = (id: string, seed: number): ComparedRun => ({
  ...{ id, experiment: 'cartpole', title: '', config: info.defaults as Config, seed, latest: {} },
  curves: { steps: [8], columns: { return_mean: [seed] } },
})

/** A browser whose storage has these runs. */
const source = (...stored: ComparedRun[]): RunSource => ({
  list: stored.map(({ id }) => ({ id }) as Run),
  refresh: async () => {},
  compared: async ({ id }) => stored.find((one) => one.id === id)!,
})

/** A lab of a page that was opened now. */
function page() {
  const fields = { info, run: 1, config: info.defaults, seed: 9, history: new History(), latest: {} }
  const rest = { changes: [], progress: { steps: 0 }, runStorage: { current: '' }, pace: new Pace(() => []) }
  const lab = { ...fields, ...rest } as unknown as Lab
  return { lab, comparison: comparisonOf(lab), kept: new KeptComparison(lab) }
}

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('location', { pathname: '/' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('runs, baseline, bands and stop are as before a reload; runs that no longer exist are dropped', async () => {
  const [a, b, c] = [run('a', 1), run('b', 2), run('c', 3)]
  const before = page()
  await before.kept.load(info, source(a, b, c), false)
  for (const one of [a, b, c, { ...run(besideId, 4), origin: 'Second run' }]) before.comparison.select(one)
  before.comparison.combined = false
  before.comparison.pin('b')
  before.comparison.band = 'range'
  before.lab.pace.stopAt(50_000)
  before.kept.save()

  const { lab, comparison, kept } = page()
  await kept.load(info, source(b, c), false)
  expect(comparison.runs.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(comparison.baseline?.runs[0]!.id).toBe('b')
  expect([comparison.combined, comparison.band, lab.pace.stop]).toEqual([false, 'range', 50_000])
  // The storage no longer has the missing run.
  kept.save()
  expect(storedComparison('cartpole')).toEqual({
    ...{ runs: ['b', 'c'], baseline: 'b', combined: false, band: 'range', stop: 50_000 },
  })
  expect(storedComparison('pendulum')).toBeNull()
})

test('a link with curves leaves the stored comparison as it is until the visitor changes the present one', async () => {
  const before = page()
  await before.kept.load(info, source(), false)
  before.comparison.select(run('a', 1))
  before.kept.save()

  const { comparison, kept } = page()
  kept.save()
  await kept.load(info, source(run('a', 1)), true)
  comparison.select({ ...run('link-0', 5), origin: 'From the link' })
  kept.save()
  expect(comparison.runs.map(({ id }) => id)).toEqual(['link-0'])
  expect(storedComparison('cartpole')?.runs).toEqual(['a'])
  comparison.select(run('b', 2))
  kept.save()
  expect(storedComparison('cartpole')?.runs).toEqual(['b'])
})

test('a comparison that the storage has damaged is none', () => {
  for (const text of ['', 'x', '[1]', '{"runs":3,"stop":-1,"band":"none"}', 'null']) {
    localStorage.setItem('vivarium:/comparison-cartpole', text)
    const stored = storedComparison('cartpole')
    if (stored) expect(stored).toMatchObject({ runs: [], baseline: null, band: 'interval', stop: null })
  }
})

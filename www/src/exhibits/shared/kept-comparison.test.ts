import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { besideId, type ComparedRun } from '../../state/compared-run'
import { stubStorage } from '../../lib/storage.stub'
import type { Config } from '../../state/config'
import { History } from '../../state/history'
import type { Lab } from '../../state/lab.svelte'
import { Pace } from '../../state/pace.svelte'
import type { Run } from '../../state/storage/runs.svelte'
import { KeptComparison, type RunSource } from './kept-comparison.svelte'
import { storedComparison } from './stored-comparison'

const infos = experiments as unknown as ExperimentInfo[]
const [cartpole, pendulum] = ['cartpole', 'pendulum'].map((name) =>
  infos.find((info) => info.name === name)!,
) as [ExperimentInfo, ExperimentInfo]

const run = (id: string, seed: number): ComparedRun => ({
  ...{ id, experiment: 'cartpole', title: '', config: cartpole.defaults as Config, seed, latest: {} },
  curves: { steps: [8], columns: { return_mean: [seed] } },
})

/** A browser whose storage has these runs. Runs in `unreadable` cannot be read. */
const source = (stored: readonly ComparedRun[], unreadable: readonly ComparedRun[] = []): RunSource => ({
  list: [...stored, ...unreadable].map(({ id }) => ({ id }) as Run),
  refresh: async () => {},
  compared: async ({ id }) => stored.find((one) => one.id === id) ?? Promise.reject(new Error()),
})

/** A lab of a page that was opened now. */
function page(info: ExperimentInfo = cartpole) {
  const fields = { info, run: 1, config: info.defaults, seed: 9, history: new History(), latest: {} }
  const rest = { changes: [], progress: { steps: 0 }, runStorage: { current: '' }, pace: new Pace(() => []) }
  const lab = { ...fields, ...rest } as unknown as Lab
  return { lab, comparison: comparisonOf(lab), kept: new KeptComparison(lab) }
}

const ids = ({ runs }: { runs: readonly ComparedRun[] }) => runs.map(({ id }) => id)

const [a, b, c] = [run('a', 1), run('b', 2), run('c', 3)]

/** Stores a comparison of CartPole: run b is the baseline, runs stop at 50,000 steps. */
async function storeRuns(...runs: ComparedRun[]): Promise<void> {
  const { lab, comparison, kept } = page()
  await kept.load(cartpole, source(runs), null)
  for (const one of runs) comparison.select(one)
  comparison.combined = false
  comparison.pin('b')
  comparison.band = 'range'
  lab.pace.stopAt(50_000)
  kept.save()
}

beforeEach(() => {
  stubStorage()
  stubStorage('sessionStorage')
})
afterEach(() => void vi.unstubAllGlobals())

test('runs, baseline, bands and stop are as before a reload; runs that no longer exist are dropped', async () => {
  await storeRuns(a, b, c, { ...run(besideId, 4), origin: 'Second run' })
  const { lab, comparison, kept } = page()
  await kept.load(cartpole, source([b, c]), null)
  expect(ids(comparison)).toEqual(['b', 'c'])
  expect(comparison.baseline?.runs[0]!.id).toBe('b')
  expect([comparison.combined, comparison.band, lab.pace.stop]).toEqual([false, 'range', 50_000])
  // The storage no longer has the missing run.
  kept.save()
  expect(storedComparison('cartpole')).toEqual({
    ...{ runs: ['b', 'c'], baseline: 'b', combined: false, band: 'range', stop: 50_000 },
  })
  expect(storedComparison('pendulum')).toBeNull()
})

test('a guide leaves the stored comparison as it is; the comparison is drawn when the guide ends', async () => {
  await storeRuns(a, b)
  const before = storedComparison('cartpole')
  const { lab, comparison, kept } = page()
  await kept.load(cartpole, source([a, b, c]), null)
  kept.openGuide()
  expect(lab.pace.stop).toBeNull()
  comparison.deselect('a')
  comparison.select(c)
  comparison.band = 'interval'
  lab.pace.stopAt(1000)
  kept.save()
  expect(storedComparison('cartpole')).toEqual(before)
  await kept.load(cartpole, source([a, b, c]), null)
  kept.save()
  expect(new Set(ids(comparison))).toEqual(new Set(['a', 'b', 'c']))
  expect(storedComparison('cartpole')).toEqual({ ...before, runs: ['a', 'b', 'c'] })
  expect(lab.pace.stop).toBe(50_000)
})

test('a link with curves has a comparison of its own, which a reload restores', async () => {
  await storeRuns(a, b)
  const before = storedComparison('cartpole')
  /** The page of a link that was opened now, and its state after it was drawn. */
  const opened = async (link: string) => {
    const one = page()
    one.comparison.select({ ...run('link-0', 5), origin: 'From the link' })
    one.comparison.pin('link-0')
    one.comparison.band = 'range'
    await one.kept.load(cartpole, source([a, b, c]), link)
    one.kept.save()
    return { ...one, state: [ids(one.comparison), one.comparison.baseline?.runs[0]!.id, one.lab.pace.stop] }
  }
  const fresh = [['link-0'], 'link-0', null]
  expect((await opened('first')).state).toEqual(fresh)
  // The reader has changed nothing: the reload shows the link.
  const { comparison, kept, state, lab } = await opened('first')
  expect([state, comparison.band]).toEqual([fresh, 'range'])
  comparison.select(c)
  comparison.pin('c')
  lab.pace.stopAt(8000)
  kept.save()
  expect((await opened('first')).state).toEqual([['link-0', 'c'], 'c', 8000])
  expect((await opened('second')).state).toEqual(fresh)
  expect(storedComparison('cartpole')).toEqual(before)
})

test('an exhibit and a link that are opened in turns keep comparisons of their own', async () => {
  await storeRuns(a, b)
  const before = storedComparison('cartpole')
  const { comparison, kept } = page()
  const load = (curves: string | null) => kept.load(cartpole, source([a, b, c]), curves)
  await load(null)
  comparison.select({ ...run('link-0', 5), origin: 'From the link' })
  await load('first')
  kept.save()
  expect(ids(comparison)).toEqual(['link-0'])
  expect(storedComparison('cartpole', 'first')).toBeNull()
  comparison.select(c)
  kept.save()
  await load(null)
  kept.save()
  expect(ids(comparison)).toEqual(['link-0', 'a', 'b'])
  expect(storedComparison('cartpole')).toEqual(before)
  expect(storedComparison('cartpole', 'first')?.runs).toEqual(['c'])
})

test('runs stay stored if the browser refuses to list them', async () => {
  await storeRuns(a, b)
  const before = storedComparison('cartpole')
  const { comparison, kept } = page()
  const refused = { ...source([]), refresh: () => Promise.reject(new Error('refused')) }
  await kept.load(cartpole, refused, null)
  comparison.combined = true
  kept.save()
  expect(storedComparison('cartpole')).toEqual({ ...before, combined: true })
})

test('the current run stays selected, and a run that cannot be read stays stored', async () => {
  await storeRuns(a, b)
  const first = page()
  await first.kept.load(cartpole, source([a, b]), null)
  // The baseline is opened under Runs.
  Object.assign(first.lab.runStorage!, { current: 'b' })
  first.comparison.combined = true
  first.kept.save()
  expect(storedComparison('cartpole')).toMatchObject({ runs: ['a', 'b'], baseline: 'b', combined: true })

  const { comparison, kept } = page()
  await kept.load(cartpole, source([a], [b]), null)
  comparison.select(c)
  kept.save()
  expect(storedComparison('cartpole')).toMatchObject({ runs: ['a', 'b', 'c'], baseline: 'b' })
  // The visitor selects the run in the menu once it can be read, and deselects it.
  comparison.select(b)
  kept.save()
  comparison.deselect('b')
  kept.save()
  expect(storedComparison('cartpole')).toMatchObject({ runs: ['a', 'c'], baseline: null })
})

test('a change in one tab leaves the changes of another tab as they are', async () => {
  await storeRuns(a, b)
  const [one, other] = [page(), page()]
  for (const { kept } of [one, other]) await kept.load(cartpole, source([a, b, c]), null)
  one.comparison.select(c)
  one.comparison.deselect('a')
  one.kept.save()
  other.lab.pace.stopAt(1000)
  other.comparison.select(run('d', 4))
  other.kept.save()
  expect(storedComparison('cartpole')).toMatchObject({ runs: ['b', 'c', 'd'], baseline: 'b', stop: 1000 })
})

test('the comparison of an exhibit that was left while its link was read is not drawn', async () => {
  await storeRuns(a, b)
  const { lab, comparison, kept } = page(pendulum)
  await kept.load(pendulum, source([]), null)
  await kept.load(cartpole, source([a, b]), null)
  expect([comparison.band, lab.pace.stop]).toEqual(['interval', null])
  lab.pace.stopAt(9000)
  kept.save()
  expect(storedComparison('pendulum')?.stop).toBe(9000)
  // A guide was opened while the runs were read.
  Object.assign(lab, { info: cartpole })
  const loaded = kept.load(cartpole, source([a, b]), null)
  kept.openGuide()
  await loaded
  kept.save()
  expect([comparison.runs, lab.pace.stop]).toEqual([[], null])
})

test('an exhibit without a stored comparison has the defaults, not the bands of the exhibit before', async () => {
  await storeRuns(a, b)
  const { lab, comparison, kept } = page()
  await kept.load(cartpole, source([a, b]), null)
  Object.assign(lab, { info: pendulum })
  await kept.load(pendulum, source([]), null)
  expect([comparison.combined, comparison.band, lab.pace.stop]).toEqual([true, 'interval', null])
  lab.pace.stopAt(9000)
  kept.save()
  expect(storedComparison('pendulum')).toEqual({
    ...{ runs: [], baseline: null, combined: true, band: 'interval', stop: 9000 },
  })
})

test('a comparison that the storage has damaged is none', () => {
  for (const text of ['', 'x', '[1]', '{"runs":3,"stop":-1,"band":"none"}', 'null']) {
    localStorage.setItem('vivarium:/comparison-cartpole', text)
    const stored = storedComparison('cartpole')
    if (stored) expect(stored).toMatchObject({ runs: [], baseline: null, band: 'interval', stop: null })
  }
})

import { beforeEach, expect, test } from 'vitest'
import type { ExperimentInfo, MetricRow } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { besideId, linkedId, type ComparedRun, type RunSettings } from '../state/compared-run'
import { withSettings, type Config } from '../state/config'
import { History } from '../state/history'
import type { Lab } from '../state/lab.svelte'
import { encodeComparison, type RunStyles } from '../state/shared-curves'
import { toasts } from '../state/toasts.svelte'
import { chartAxis } from './chart-axis.svelte'
import { comparisonOf } from './comparison.svelte'
import { commonSteps } from './step-range'
import { visibleStepsOf } from './visible-steps.svelte'

const info = (experiments as unknown as ExperimentInfo[]).find(({ name }) => name === 'cartpole')!
const defaults = info.defaults as Config
const heavy = withSettings(defaults, [{ path: 'world.gravity', value: 20 }])

const run = (id: string, seed: number, config = defaults): ComparedRun => ({
  ...{ id, experiment: 'cartpole', title: '', config, seed },
  curves: { steps: [8, 16], columns: { return_mean: [seed, 10 * seed] } },
  latest: { return_mean: 10 * seed },
})

const labWith = (current = '') =>
  ({
    info,
    run: 1,
    config: heavy,
    seed: 4,
    history: new History(),
    latest: {},
    changes: [],
    progress: { steps: 0 },
    runStorage: { current },
  }) as unknown as Lab

beforeEach(() => {
  toasts.dismissAll()
  chartAxis.select('steps')
})

test('runs with equal settings are one line with a band, from the minimum to the maximum', () => {
  const comparison = comparisonOf(labWith())
  comparison.band = 'range'
  for (const one of [run('a', 1), run('b', 3), run('c', 2, heavy)]) comparison.select(one)
  expect(comparison.groups.map(({ name }) => name)).toEqual(['Default, seeds 1, 3', 'Gravity 20, seed 2'])
  expect(comparison.series('return_mean')).toMatchObject([
    {
      label: 'Default, seeds 1, 3, mean and range, n\u00a0=\u00a02',
      ...{ positions: [8, 16], values: [2, 20], band: { low: [1, 10], high: [3, 30] } },
    },
    { label: 'Gravity 20, seed 2', positions: [8, 16], values: [2, 20] },
  ])
  expect(comparison.series('entropy')).toEqual([])
  expect(comparison.hasSeeds).toBe(true)
  comparison.combined = false
  expect(comparison.series('return_mean').map(({ values }) => values)).toEqual([
    [1, 10],
    [3, 30],
    [2, 20],
  ])
  expect(comparison.hasSeeds).toBe(true)
})

test('the current run belongs to the band of other seeds with its settings', () => {
  const lab = labWith()
  lab.history.push({ steps: 8, values: [['return_mean', 7]] } as MetricRow)
  const comparison = comparisonOf(lab)
  comparison.band = 'range'
  const names = () => comparison.groups.map(({ name }) => name)
  comparison.select(run('a', 5, heavy))
  // One other run is a line of its own.
  expect(names()).toEqual(['Gravity 20, seed 5'])
  comparison.select(run('b', 6, heavy))
  // The current run is in the band once it is as long as the others.
  expect(names()).toEqual(['Gravity 20, seeds 5, 6'])
  expect(comparison.series('return_mean')).toMatchObject([{ positions: [8, 16], values: [5.5, 55] }])
  lab.history.push({ steps: 16, values: [['return_mean', 70]] } as MetricRow)
  expect(names()).toEqual(['Gravity 20, seeds 4 to 6'])
  expect(comparison.series('return_mean')).toMatchObject([
    { positions: [8, 16], values: [6, 60], band: { low: [5, 50], high: [7, 70] } },
  ])
  // A saved state of the current run.
  comparison.select(run('c', 4, heavy))
  expect(names()).toEqual(['Gravity 20, seeds 4 to 6'])
  expect(comparison.series('return_mean')[0]!.values).toEqual([5, 50])
})

test('over training time, each run is at its own times; runs without times are named and not drawn', () => {
  const lab = labWith()
  const comparison = comparisonOf(lab)
  comparison.band = 'range'
  const timed = (id: string, seed: number, times: number[]): ComparedRun => ({
    ...run(id, seed),
    curves: { steps: [8, 16], columns: { return_mean: [0, 8], elapsed: times } },
  })
  comparison.select(timed('a', 1, [2, 6]))
  comparison.select(timed('b', 2, [1, 3]))
  comparison.select(run('c', 3))
  comparison.select(run('d', 4, heavy))
  lab.history.push({ steps: 8, values: [['return_mean', 7]] } as MetricRow)
  expect(comparison.groups.map((group) => comparison.drawnCount(group))).toEqual([3, 1])
  expect(comparison.withoutTimes).toEqual([])
  chartAxis.select('time')
  expect(comparison.series('return_mean')).toMatchObject([
    {
      label: 'Default, seeds 1 to 3, mean and range, n\u00a0=\u00a02',
      ...{ positions: [2, 3], values: [2, 5], band: { low: [0, 2], high: [4, 8] } },
    },
  ])
  expect(comparison.positions).toEqual([
    [0, 2],
    [0, 1, 3],
  ])
  expect(comparison.groups.map((group) => comparison.drawnCount(group))).toEqual([2, 0])
  expect(comparison.withoutTimes).toEqual(['this run', 'Default, seed 3', 'Gravity 20, seed 4'])
})

test('a band ends with its shortest run, and the axes with the bands; the common steps are a range of their own', () => {
  const lab = labWith()
  const comparison = comparisonOf(lab)
  const long = { steps: [8, 16, 3000], columns: { return_mean: [4, 40, 400] } }
  comparison.select(run('a', 1))
  comparison.select({ ...run('b', 2), curves: long })
  expect(comparison.series('return_mean')).toMatchObject([
    { label: 'Default, seeds 1, 2, mean and 95\u00a0% interval, n\u00a0=\u00a02', positions: [8, 16] },
  ])
  expect(comparison.positions.flat()).toEqual([8, 16, 8, 16])
  comparison.combined = false
  expect(Math.max(...comparison.positions.flat())).toBe(3000)
  expect([comparison.commonEnd, visibleStepsOf(lab).ranges]).toMatchObject([16, [{ label: 'Common steps' }]])
  comparison.deselect('b')
  expect(comparison.commonEnd).toBeNull()
})

test('lines of several seeds have different colors, also after a line is removed', () => {
  const comparison = comparisonOf(labWith())
  for (const seed of [1, 2, 3, 4]) comparison.select(run(`a${seed}`, seed))
  for (const seed of [5, 6]) comparison.select(run(`b${seed}`, seed, heavy))
  const tones = () => comparison.groups.map(({ style }) => style.tone)
  expect(tones()).toEqual(['run-1', 'run-2'])
  comparison.deselect('a1')
  expect(tones()).toEqual(['run-1', 'run-2'])
  for (const seed of [2, 3, 4]) comparison.deselect(`a${seed}`)
  expect(tones()).toEqual(['run-2'])
})

test('the current run and other seeds of its settings are compared with the line of the pinned run', () => {
  const lab = labWith()
  lab.history.push({ steps: 8, values: [['return_mean', 7]] } as MetricRow)
  const comparison = comparisonOf(lab)
  for (const one of [run('a', 1), run('b', 2), run('c', 5, heavy), run('d', 6, heavy)]) comparison.select(one)
  const sides = () =>
    [comparison.sides?.baseline, comparison.sides?.own].map((side) => side?.runs.map(({ id }) => id))
  expect(sides()).toEqual([undefined, undefined])
  comparison.pin('b')
  expect(sides()).toEqual([
    ['a', 'b'],
    ['', 'c', 'd'],
  ])
  expect(comparison.sides?.own.name).toBe('Gravity 20, seeds 4 to 6')
  expect(comparison.compared.map(({ name, runs, isBaseline }) => [name, runs.length, isBaseline])).toEqual([
    ['Default, seeds 1, 2', 2, true],
    ['Gravity 20, seeds 4 to 6', 3, false],
  ])
  // Other seeds of the current run are the baseline themselves.
  comparison.pin('c')
  expect(sides()).toEqual([['c', 'd'], ['']])
  // The own seed is not part of the baseline.
  expect(comparison.sides?.baseline.name).toBe('Gravity 20, seeds 5, 6')
  comparison.combined = false
  expect(sides()).toEqual([['c'], ['']])
})

test('before the current run has a curve, the drawn runs with its settings are compared, such as those of a link', () => {
  const comparison = comparisonOf(labWith())
  const linked = (id: string, seed: number, config = defaults) => ({
    ...run(id, seed, config),
    origin: 'From the link',
  })
  for (const one of [linked('a', 1), linked('b', 4, heavy), linked('c', 5, heavy)]) comparison.select(one)
  comparison.pin('a')
  expect(comparison.sides?.own.runs.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(comparison.compared.map(({ name }) => name)).toEqual(['Default, seed 1', 'Gravity 20, seeds 4, 5'])
  for (const id of ['b', 'c']) comparison.deselect(id)
  expect(comparison.sides).toBeNull()
})

test('a 95 % interval is within the range of the metric', () => {
  const comparison = comparisonOf(labWith())
  const columns = (seed: number) => ({ return_mean: [490 + seed], value_loss: [seed], policy_loss: [seed] })
  for (const seed of [1, 3])
    comparison.select({ ...run(`r${seed}`, seed), curves: { steps: [8], columns: columns(seed) } })
  comparison.band = 'range'
  expect(comparison.bandNote('return_mean')).toBe('Band: minimum to maximum of the n runs.')
  comparison.band = 'interval'
  const bandOf = (metric: string) => comparison.series(metric)[0]!.band!
  // Student's t with one degree of freedom.
  const half = 12.706
  // The return of an episode is at most 500, and a loss is not negative.
  expect(bandOf('return_mean')).toEqual({ low: [expect.closeTo(492 - half, 2)], high: [500] })
  expect(bandOf('value_loss')).toEqual({ low: [0], high: [expect.closeTo(2 + half, 2)] })
  expect(bandOf('policy_loss').low).toEqual([expect.closeTo(2 - half, 2)])
  const method = 'Band: 95\u00a0% confidence interval of the mean of n runs (Student’s t-distribution)'
  expect(comparison.bandNote('return_mean')).toBe(`${method}, cut at the range of the metric (0 to 500).`)
  expect(comparison.bandNote('value_loss')).toBe(`${method}, cut at the range of the metric (at least 0).`)
  expect(comparison.bandNote('policy_loss')).toBe(`${method}.`)
  comparison.combined = false
  expect(comparison.bandNote('return_mean')).toBe('')
})

test('all drawn runs are named by their settings if they differ in the seed only, otherwise counted', () => {
  const comparison = comparisonOf(labWith())
  const drawn = () => comparison.drawnRuns
  expect(drawn()).toBe('Gravity 20, seed 4')
  comparison.select(run('a', 7, heavy))
  expect(drawn()).toBe('Gravity 20, seeds 4, 7')
  for (const seed of [5, 6]) comparison.select(run(`b${seed}`, seed, heavy))
  expect(drawn()).toBe('Gravity 20, seeds 4 to 7')
  comparison.select(run('c', 1))
  expect(drawn()).toBe('5 runs')
})

test('the run of a second lab is a line of its own, and the axes contain its steps', () => {
  const comparison = comparisonOf(labWith())
  const beside = { ...run(besideId, 2), origin: 'Second run' }
  comparison.select(run('a', 1))
  comparison.select(beside)
  expect(comparison.groups.map(({ name }) => name)).toEqual([
    'Default, seed 1',
    'Second run: Default, seed 2',
  ])
  const style = comparison.groups[1]!.style
  const newer = { steps: [8, 16, 4000], columns: { return_mean: [2, 20, 40] } }
  comparison.select({ ...beside, curves: newer })
  expect(comparison.groups[1]!.style).toEqual(style)
  expect(commonSteps(comparison.positions)).toEqual([0, 8, 16, 4000])
  expect(comparison.series('return_mean')[1]).toMatchObject({ values: [2, 20, 40] })
  comparison.deselect(besideId)
  expect(comparison.runs.map(({ id }) => id)).toEqual(['a'])
})

test('two labs draw each of their two runs in the same color', () => {
  const [first, second] = [comparisonOf(labWith()), comparisonOf(labWith())]
  first.select(run('a', 1))
  first.select({ ...run(besideId, 2), origin: 'Second run' })
  second.select({ ...run(besideId, 3), origin: 'First run' })
  expect([second.ownTone, first.toneOf('unknown')]).toEqual(['accent', null])
  second.drawOwnAs(first.toneOf(besideId))
  expect(second.ownTone).toBe(first.groups[1]!.style.tone)
  expect(second.toneOf(besideId)).toBe(first.ownTone)
  second.drawOwnAs(null)
  expect(second.ownTone).toBe('accent')
  expect(second.toneOf(besideId)).not.toBe('accent')
})

test('a run whose settings were changed is not a seed of the runs that had the last settings from their first step', () => {
  const comparison = comparisonOf(labWith())
  const changes = [{ steps: 8, path: 'world.gravity', text: 'Gravity 20', before: 9.8 }]
  for (const one of [run('a', 1, heavy), run('b', 2, heavy), { ...run('c', 3, heavy), changes }])
    comparison.select(one)
  expect(comparison.groups.map(({ name }) => name)).toEqual([
    'Gravity 20, seeds 1, 2',
    'Gravity 9.8 → 20\u00a0m/s² at 8 steps, seed 3',
  ])
  const seedsWith = (settings: RunSettings) => comparison.runsWith(settings).map(({ seed }) => seed)
  expect([seedsWith({ config: heavy }), seedsWith({ config: heavy, changes })]).toEqual([[1, 2], [3]])
})

test('a setting that no step of the current run has used neither names the run nor removes it from its band', () => {
  const lab = Object.assign(labWith(), { config: defaults, progress: { steps: 16 } })
  lab.history.push({ steps: 16, values: [['return_mean', 7]] } as MetricRow)
  const lower = withSettings(defaults, [{ path: 'ppo.learning_rate', value: 0.0005 }])
  const change = { steps: 16, path: 'ppo.learning_rate', text: '', before: 0.0025 }
  const comparison = comparisonOf(lab)
  comparison.select(run('a', 2))
  comparison.select(run('b', 3))
  Object.assign(lab, { config: lower, changes: [change] })
  expect([comparison.ownName, comparison.groups.map(({ name }) => name)]).toEqual([
    'Default, seed 4',
    ['Default, seeds 2 to 4'],
  ])
  Object.assign(lab, { progress: { steps: 24 } })
  expect(comparison.ownName).toMatch(/^Learning rate 0\.0025 → 0\.0005/)
})

test('the current run is named by its settings and seed', () => {
  expect(comparisonOf(labWith()).ownName).toBe('Gravity 20, seed 4')
})

test('a line keeps its style when other runs are selected or removed', () => {
  const comparison = comparisonOf(labWith())
  for (let seed = 1; seed <= 12; seed++) comparison.select(run(`r${seed}`, seed))
  comparison.combined = false
  const styles = () => comparison.groups.map(({ style: { tone, dash } }) => `${tone} ${dash}`)
  const before = styles()
  expect(new Set(before).size).toBe(12)
  comparison.deselect('r2')
  expect(styles()).toEqual(before.filter((_, i) => i !== 1))
  comparison.select(run('r13', 13))
  expect(styles().at(-1)).toBe(before[1])
  comparison.select(run('r1', 1))
  expect(styles().at(0)).toBe(before[0])
})

test('the current run, and runs of other experiments, are not drawn', () => {
  const comparison = comparisonOf(labWith('b'))
  comparison.select(run('a', 1))
  comparison.select(run('b', 2))
  comparison.select({ ...run('c', 3), experiment: 'acrobot' })
  expect(comparison.runs.map(({ id }) => id)).toEqual(['a'])
  comparison.pin('b')
  expect(comparison.baseline).toBeNull()
  comparison.pin('a')
  expect(comparison.baseline?.name).toBe('Default, seed 1')
})

test('the curves of a link are drawn and named; a defect is reported, and nothing is drawn', async () => {
  const comparison = comparisonOf(labWith())
  const curves = { steps: [8, 16], columns: { return_mean: [1, 5] }, latest: { return_mean: 5 } }
  const text = async (address: string) =>
    (
      await encodeComparison({ runs: [{ address, title: '', ...curves }], baseline: null, interval: false }, [
        'return_mean',
      ])
    ).text
  await comparison.open(await text('#/cartpole?preset=moon&seed=3'), info)
  expect(comparison.groups.map(({ name }) => name)).toEqual(['From the link: Moon gravity, seed 3'])
  expect(comparison.series('return_mean')).toMatchObject([{ positions: [8, 16], values: [1, 5] }])
  expect(toasts.list).toEqual([])

  const broken = comparisonOf(labWith())
  await broken.open('damaged', info)
  await broken.open(await text('#/acrobot'), info)
  expect(broken.runs).toEqual([])
  expect(toasts.list.map(({ message }) => message)).toEqual([
    'The curves in this link cannot be read: the data is incomplete or damaged.',
    'The curves in this link are not of CartPole, or have unknown settings.',
  ])
})

test('a link carries all runs with titles and baseline, and runs of a link that differ in the seed only are a band', async () => {
  const shared = (address: string, title: string, scale: number) => ({
    ...{ address, title, steps: [8, 16], latest: { return_mean: 5 * scale } },
    columns: { return_mean: [scale, 5 * scale] },
  })
  const runs = [
    shared('#/cartpole?preset=moon&seed=3', '', 1),
    shared('#/cartpole?preset=moon&seed=4', '', 3),
    shared('#/cartpole?seed=2', 'Mine', 2),
  ]
  const { text } = await encodeComparison({ runs, baseline: 2, interval: true }, ['return_mean'])
  const comparison = comparisonOf(labWith())
  comparison.select(run('a', 1))
  await comparison.open(text, info)
  expect(comparison.groups.map(({ name }) => name)).toEqual([
    'Default, seed 1',
    'From the link: Moon gravity, seeds 3, 4',
    'From the link: Mine, seed 2',
  ])
  expect(comparison.band).toBe('interval')
  comparison.band = 'range'
  expect(comparison.series('return_mean')[1]).toMatchObject({ band: { low: [1, 5], high: [3, 15] } })
  expect(comparison.baseline?.runs).toMatchObject([{ title: 'Mine', seed: 2, latest: { return_mean: 10 } }])
})

test('a link has its baseline and bands again after another exhibit, which does not get them', async () => {
  const shared = (seed: number) => ({
    ...{ address: `#/cartpole?seed=${seed}`, title: '', steps: [8], latest: {} },
    columns: { return_mean: [seed] },
  })
  const runs = [shared(1), shared(2)]
  const { text } = await encodeComparison({ runs, baseline: 1, interval: false }, ['return_mean'])
  const lab = labWith()
  const comparison = comparisonOf(lab)
  const visit = (name: string) => Object.assign(lab, { info: { ...info, name } })
  // The visitor opens another exhibit before the link has been read.
  const opened = comparison.open(text, info)
  visit('pendulum')
  await opened
  expect([comparison.runs, comparison.pinned, comparison.band]).toEqual([[], null, 'interval'])
  for (let visits = 0; visits < 2; visits++) {
    visit('cartpole')
    await comparison.open(text, info)
    expect(comparison.runs.map(({ seed }) => seed)).toEqual([1, 2])
    expect([comparison.baseline?.runs.length, comparison.pinned, comparison.band]).toEqual([
      ...[2, linkedId(1), 'range'],
    ])
    visit('pendulum')
    comparison.pin('other')
    comparison.band = 'interval'
  }
})

test('the lines of a link have the colors that they have on the page of its sender', async () => {
  const lab = labWith()
  lab.history.push({ steps: 8, values: [['return_mean', 7]] } as MetricRow)
  const sender = comparisonOf(lab)
  for (const one of [
    run('a', 1),
    run('b', 2),
    run('c', 3, withSettings(defaults, [{ path: 'world.force', value: 12 }])),
  ])
    sender.select(one)
  sender.deselect('a')
  const tones = ({ groups }: typeof sender) => groups.map(({ name, style }) => [name, style.tone])
  expect(tones(sender)).toEqual([
    ['Default, seed 2', 'run-1'],
    ['Force 12, seed 3', 'run-2'],
  ])
  const shared = (address: string, styles: RunStyles) => ({
    ...{ address, title: '', steps: [8], latest: {}, columns: { return_mean: [1] }, styles },
  })
  const runs = [
    shared('#/cartpole?world.gravity=20&seed=4', sender.ownStyles),
    shared('#/cartpole?seed=2', sender.stylesOf('b')!),
    shared('#/cartpole?world.force=12&seed=3', sender.stylesOf('c')!),
  ]
  const encoded = await encodeComparison({ runs, baseline: null, interval: false }, ['return_mean'])
  const receiver = comparisonOf(labWith())
  await receiver.open(encoded.text, info)
  expect(tones(receiver)).toEqual([
    // The run of the sender has the color of the current run, dashed.
    ['From the link: Gravity 20, seed 4', 'accent'],
    ['From the link: Default, seed 2', 'run-1'],
    ['From the link: Force 12, seed 3', 'run-2'],
  ])
  expect(receiver.groups[0]!.style.dash).not.toEqual([])
  // A color that another line has is not given twice.
  const drawn = comparisonOf(labWith())
  drawn.select(run('own', 9))
  await drawn.open(encoded.text, info)
  expect(new Set(drawn.groups.map(({ style }) => style.tone)).size).toBe(4)
  // Other seeds of the sender's settings are one line with its run.
  sender.select(run('d', 8, heavy))
  expect(sender.ownStyles[1]).toBe(sender.stylesOf('d')![1])
})

test('a run that is replaced stays in the band of its settings', () => {
  const lab = labWith()
  const comparison = comparisonOf(lab)
  comparison.select(run('a', 1))
  lab.onstored!(run('b', 3))
  // Other settings, and a seed that is drawn already.
  lab.onstored!(run('c', 2, heavy))
  lab.onstored!(run('d', 1))
  expect(comparison.groups.map(({ name }) => name)).toEqual(['Default, seeds 1, 3'])
})

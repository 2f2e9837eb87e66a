import { expect, test } from 'vitest'
import { random } from '../lib/random'
import { History } from './history'
import type { HistoryData } from './history'
import { decodeComparison, encodeComparison, mostCharacters } from './shared-curves'

/** A history of `count` reports with noisy curves; `sparse` has a value in every tenth report. */
function historyOf(count: number, names: readonly string[]) {
  const next = random(3)
  const history = new History()
  for (let i = 1; i <= count; i++) {
    const values = names
      .filter((name) => name !== 'sparse' || i % 10 === 0)
      .map((name, k) => [name, (k + 1) * 100 * (1 - Math.exp(-i / 200)) + 5 * next()] as [string, number])
    history.push({ steps: 2048 * i, values })
  }
  return history
}

/** Encodes a single run. */
const encodeRun = (
  address: string,
  { steps, columns }: HistoryData,
  latest: Record<string, number>,
  names: readonly string[],
  most?: number,
) =>
  encodeComparison(
    { runs: [{ address, title: '', steps, columns, latest }], baseline: null, interval: false },
    names,
    most,
  )

/** Decodes a single run. */
const decodeRun = async (text: string) => (await decodeComparison(text)).runs[0]!

const packed = async (json: unknown) => {
  const stream = new Blob([JSON.stringify(json)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
}

test('a history of any length is thinned to the points that a link has room for, and keeps its early rows', async () => {
  for (const count of [1, 7, 100, 101, 1023, 50_000]) {
    const history = historyOf(count, ['return'])
    const { steps } = await decodeRun((await encodeRun('#/cartpole', history.dump(), {}, ['return'])).text)
    expect(steps.length).toBeLessThanOrEqual(100)
    expect(steps.length).toBeGreaterThanOrEqual(Math.min(count, 70))
    expect(steps.slice(0, 8)).toEqual(history.steps.slice(0, 8))
    expect(steps.at(-1)).toBe(history.steps.at(-1))
  }
})

test('curves are the same after a round trip, to a thousandth of their range', async () => {
  const history = historyOf(90, ['return', 'loss', 'sparse'])
  const latest = { return: 87.65432109, loss: 1e-7 }
  const address = '#/cartpole?preset=moon&seed=3'
  const { text, omitted } = await encodeRun(address, history.dump(), latest, [
    'return',
    'unknown',
    'loss',
    'sparse',
  ])
  expect(text).toMatch(/^[\w-]+$/)
  expect(omitted).toEqual([])
  const read = await decodeRun(text)
  expect([read.address, read.steps]).toEqual([address, history.steps])
  expect(Object.keys(read.columns)).toEqual(['return', 'loss', 'sparse'])
  for (const name of ['return', 'loss', 'sparse']) {
    const column = history.column(name)
    const known = column.filter((value) => value !== null)
    const range = Math.max(...known) - Math.min(...known)
    for (const [i, value] of read.columns[name]!.entries()) {
      if (column[i] === null) expect(value).toBeNull()
      else expect(Math.abs(value! - column[i]!)).toBeLessThan(range / 1000)
    }
  }
  expect(read.latest.return).toBeCloseTo(87.6543, 4)
  expect(read.latest.loss).toBe(1e-7)
  // Without a latest value: the last value of the curve.
  expect(read.latest.sparse).toBeCloseTo(
    history.column('sparse').findLast((value) => value !== null)!,
    2,
  )
})

test('a constant curve stays constant', async () => {
  const history = new History()
  for (let i = 1; i < 9; i++) history.push({ steps: i, values: [['rate', 0.0003]] })
  const { text } = await encodeRun('#/cartpole', history.dump(), {}, ['rate'])
  expect(new Set((await decodeRun(text)).columns.rate)).toEqual(new Set([0.0003]))
})

test('curves that do not fit are omitted, the last ones first, and named', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `metric_${i}`)
  const history = historyOf(1000, names)
  const { text, omitted } = await encodeRun('#/cartpole', history.dump(), {}, names)
  expect(text.length).toBeLessThanOrEqual(mostCharacters)
  expect(omitted.length).toBeGreaterThan(0)
  const { columns } = await decodeRun(text)
  expect([...Object.keys(columns), ...omitted]).toEqual(names)
  const all = await encodeRun('#/cartpole', history.dump(), {}, names, 1e6)
  expect(all.omitted).toEqual([])
  await expect(encodeRun('#/cartpole', history.dump(), {}, names, 100)).rejects.toThrow('no curve')
  await expect(encodeRun('#/cartpole', new History().dump(), {}, names)).rejects.toThrow('no curve')
})

test('a link with eight curves stays within the limit', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `metric_${i}`)
  const { omitted } = await encodeRun('#/cartpole?preset=moon', historyOf(1000, names).dump(), {}, names)
  expect(omitted).toEqual([])
})

const good = { range: [0, 1], latest: 1, changes: [0, 4095] }
const run = { address: '#/cartpole', steps: [8, 8], curves: { loss: good } }
const whole = { version: 2, runs: [run], baseline: null }
const unpacked = {
  address: '#/cartpole',
  title: '',
  steps: [8, 16],
  columns: { loss: [0, 1] },
  latest: { loss: 1 },
}

test('malformed curves are refused with the defect', async () => {
  const of = (change: object) => packed({ ...whole, runs: [{ ...run, ...change }] })
  const { text } = await encodeRun('#/cartpole', historyOf(50, ['return']).dump(), {}, ['return'])
  for (const [malformed, problem] of [
    ['', 'incomplete'],
    ['!!', 'characters'],
    ['aGVsbG8', 'incomplete'],
    [text.slice(0, -8), 'incomplete'],
    [text.repeat(100), 'too long'],
    [await packed([]), 'form'],
    [await packed(null), 'form'],
    [await packed({ ...whole, version: 3 }), 'formats 1 and 2, not 3'],
    [await packed({ ...whole, runs: [] }), 'form'],
    [await packed({ ...whole, runs: [run, null] }), 'form'],
    [await packed({ ...whole, baseline: 1 }), 'form'],
    [await packed({ ...whole, interval: 1 }), 'form'],
    [await of({ address: 4 }), 'form'],
    [await of({ title: 4 }), 'form'],
    [await of({ steps: [8, -8] }), 'form'],
    [await of({ steps: Array(101).fill(1) }), 'form'],
    [await of({ steps: [8] }), 'form'],
    [await of({ curves: { loss: { ...good, range: [0] } } }), 'form'],
    [await of({ curves: { loss: { ...good, changes: [0, 'x'] } } }), 'form'],
    [await of({ curves: { loss: { ...good, latest: null } } }), 'form'],
  ] as const)
    await expect(decodeRun(malformed), problem).rejects.toMatchObject({
      message: expect.stringContaining(problem),
    })
})

test('both versions of the format are read', async () => {
  expect(await decodeComparison(await packed({ version: 1, ...run }))).toEqual({
    runs: [unpacked],
    baseline: null,
    interval: false,
  })
  const titled = { ...run, title: 'Mine' }
  expect(await decodeComparison(await packed({ version: 2, runs: [run, titled], baseline: 1 }))).toEqual({
    runs: [unpacked, { ...unpacked, title: 'Mine' }],
    baseline: 1,
    interval: false,
  })
})

test('a comparison within the limit has all runs: first the last metrics are omitted, then points', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `metric_${i}`)
  const runsOf = (count: number) =>
    Array.from({ length: count }, (_, seed) => {
      const { steps, columns } = historyOf(700 + 100 * seed, names).dump()
      return { address: `#/cartpole?seed=${seed}`, title: `Run ${seed}`, steps, columns, latest: {} }
    })
  for (const [count, metrics, points] of [
    [2, 4, 50],
    [6, 1, 50],
    [16, 1, 12],
  ] as const) {
    const runs = runsOf(count)
    const { text, omitted } = await encodeComparison({ runs, baseline: 1, interval: true }, names)
    expect(text.length).toBeLessThanOrEqual(mostCharacters)
    const read = await decodeComparison(text)
    expect([read.baseline, read.interval]).toEqual([1, true])
    expect(read.runs.map(({ address, title }) => [address, title])).toEqual(
      runs.map(({ address, title }) => [address, title]),
    )
    for (const run of read.runs) {
      expect([...Object.keys(run.columns), ...omitted]).toEqual(names)
      expect(Object.keys(run.columns).length).toBeGreaterThanOrEqual(metrics)
      expect(run.steps.length).toBeGreaterThanOrEqual(points / 2)
    }
  }
})

test('a link has the conditions under which its runs have trained', async () => {
  const trainedOn = [
    { engine: 'cpu', threads: 4, isBeside: false },
    { engine: 'gpu', threads: 1, isBeside: true },
  ] as const
  const run = { address: '#/cartpole', title: '', steps: [8], columns: { a: [1] }, latest: { a: 1 } }
  const runs = [{ ...run, trainedOn }, run]
  const { text } = await encodeComparison({ runs, baseline: null, interval: false }, ['a'])
  const read = await decodeComparison(text)
  expect(read.runs.map((run) => run.trainedOn)).toEqual([trainedOn, undefined])
})

test('a link has when its runs were solved, and the changes of their settings', async () => {
  const curve = { address: '#/cartpole', title: '', latest: {}, steps: [8], columns: { return: [1] } }
  const changes = [
    { steps: 4, path: 'world.gravity', text: 'Gravity 3', before: 9.8 },
    { steps: 6, path: 'world.force', text: 'Force 12' },
  ]
  const runs = [
    { ...curve, solved: { steps: 8, seconds: 1.5 }, changes },
    { ...curve, solved: null },
    { ...curve, solved: undefined },
  ]
  const { text } = await encodeComparison({ runs, baseline: null, interval: false }, ['return'])
  const read = (await decodeComparison(text)).runs
  expect(read.map(({ solved }) => solved)).toEqual([{ steps: 8, seconds: 1.5 }, null, undefined])
  expect(read[0]!.changes).toEqual([
    { steps: 4, path: 'world.gravity', text: '', before: 9.8 },
    { steps: 6, path: 'world.force', text: '' },
  ])
  const { title: _, latest: __, columns: ___, ...rest } = curve
  const bad = [{ solved: [1] }, { solved: 5 }, { changes: [['x', 'world.gravity']] }, { changes: {} }]
  for (const defect of bad)
    await expect(
      decodeComparison(await packed({ version: 2, runs: [{ ...rest, curves: {}, ...defect }] })),
    ).rejects.toMatchObject({
      message: expect.stringContaining('not in the expected form'),
    })
})

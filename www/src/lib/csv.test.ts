import { expect, test } from 'vitest'
import { metricsCsv, runsCsv, tableCsv } from './csv'

test('rows of a step are merged, names are quoted, and values that are not finite are empty', () => {
  const table = metricsCsv({
    steps: [8, 8, 16],
    columns: { loss: [1e-7, null, NaN], eval_return: [null, 20, null], 'a,"b"': [null, null, -2.5] },
  })
  expect(table).toBe('step,loss,eval_return,"a,""b"""\r\n8,1e-7,20,\r\n16,,,-2.5\r\n')
})

test('values are rounded to the digits of single precision', () => {
  expect(metricsCsv({ steps: [8, 16], columns: { loss: [21.860714285714284, 1234567] } })).toBe(
    'step,loss\r\n8,21.86071\r\n16,1234567\r\n',
  )
})

test('the later value of a metric in the same step is kept', () => {
  expect(metricsCsv({ steps: [8, 8], columns: { loss: [1, 2] } })).toBe('step,loss\r\n8,2\r\n')
})

test('several runs are one table with name, settings and seed of the run in each row', () => {
  const table = runsCsv([
    { name: 'this run', settings: 'defaults', seed: 1, metrics: { steps: [8], columns: { loss: [1] } } },
    {
      name: 'Gravity 3, seed 2',
      settings: 'world.gravity=3, learner=dqn',
      seed: 2,
      metrics: { steps: [8, 16], columns: { entropy: [0.5, null], loss: [2, 3] } },
    },
  ])
  expect(table).toBe(
    'run,settings,seed,step,loss,entropy\r\nthis run,defaults,1,8,1,\r\n"Gravity 3, seed 2","world.gravity=3, learner=dqn",2,8,2,0.5\r\n"Gravity 3, seed 2","world.gravity=3, learner=dqn",2,16,3,\r\n',
  )
})

// crates/py/tests/test_page_csv.py reads the file with pandas; `npx vitest run www/src/lib/csv.test.ts -u` writes it.
test('the file for the tests with pandas is what the page exports', async () => {
  const run = {
    settings: 'world.gravity=3, learner=dqn',
    metrics: { steps: [8192, 8192, 16384], columns: {} },
  }
  const columns = {
    elapsed: [0.25, 0.25, 0.5],
    return_mean: [21.860714285714284, null, -1.5e-7],
    eval_return: [null, 475, NaN],
    loss: [Infinity, null, 3],
  }
  const table = runsCsv([
    { ...run, name: 'Gravity 3, seed 1', seed: 1, metrics: { ...run.metrics, columns } },
    {
      ...run,
      name: 'a "second" run',
      seed: 2,
      metrics: { steps: [4096, 1_000_000_000], columns: { entropy: [null, 0.125], loss: [0.5, 0.25] } },
    },
  ])
  await expect(table).toMatchFileSnapshot('../../../tests/fixtures/metrics-of-runs.csv')
})

test('a table has texts and numbers', () => {
  const table = { tile: ['ice', 'a "hole", deep'], value: Float32Array.of(0.1, NaN), best: [null, 2] }
  expect(tableCsv(table)).toBe('tile,value,best\r\nice,0.1,\r\n"a ""hole"", deep",,2\r\n')
  expect(tableCsv({})).toBe('\r\n')
})

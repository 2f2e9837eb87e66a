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

test('a table has texts and numbers', () => {
  const table = { tile: ['ice', 'a "hole", deep'], value: Float32Array.of(0.1, NaN), best: [null, 2] }
  expect(tableCsv(table)).toBe('tile,value,best\r\nice,0.1,\r\n"a ""hole"", deep",,2\r\n')
  expect(tableCsv({})).toBe('\r\n')
})

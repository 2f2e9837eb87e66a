import { expect, test } from 'vitest'
import type { DoublingReport, RolledDoubling } from '../../../engine/page/session'
import { ratedColumns, reportColumn, rolledColumn } from './doublingTable'

test('each column of the equities of a doubling decision names its source', () => {
  const rolled = {
    no_double: { mean: 0.8, error: 0.01 },
    double_take: { mean: 0.7, error: 0.02 },
    double_pass: 1,
  } as RolledDoubling
  const { source, equities } = rolledColumn(1296, rolled)
  expect(source).toBe('Rollout, 1,296 trials')
  expect([equities.no_double, equities.double_pass]).toEqual([
    { mean: 0.8, error: 0.01 },
    { mean: 1, error: null },
  ])
  expect(rolledColumn(35, rolled).equities.no_double.error, 'few trials').toBeNull()
  const doubling = { no_double: 500, double_take: 400, double_pass: 1000, best: '' }
  const rated = { doubling: { ...doubling, probabilities: [0, 0, 0, 0, 0] as never }, plies: 2 }
  expect(ratedColumns(rated)).toMatchObject([
    {
      source: 'Evaluation, 2\u00a0plies',
      equities: { no_double: { mean: 0.5 }, double_take: { mean: 0.4 } },
    },
  ])
  expect(ratedColumns({ doubling: null, plies: 2 })).toEqual([])
  const report = { equities: [0.5, 0.4, 1] } as DoublingReport
  expect(reportColumn(report)).toMatchObject({
    source: 'Evaluation',
    equities: { double_take: { mean: 0.4 } },
  })
})

import { expect, test } from 'vitest'
import type { TrainedOn } from '../state/saving'
import { conditionsDiffer, conditionsText } from './conditions'

const cpu: TrainedOn = { engine: 'cpu', threads: 2, isBeside: false }
const gpu: TrainedOn = { engine: 'gpu', threads: 2, isBeside: false }

test('conditions do not depend on the order in which a run has trained under them', () => {
  const runs = [{ trainedOn: [gpu, cpu] }, { trainedOn: [cpu, gpu] }]
  expect(conditionsDiffer(runs)).toBe(false)
  expect(runs.map((run) => conditionsText([run]))).toEqual(['CPU, 2 threads; GPU', 'CPU, 2 threads; GPU'])
  expect(conditionsDiffer([...runs, { trainedOn: [cpu] }])).toBe(true)
})

import { expect, test } from 'vitest'
import all from '../../protocol/experiments.json'
import { loadExperiments } from './experiments'

test('the files of the families contain all experiments, in display order', async () => {
  expect(await loadExperiments()).toEqual(all)
})

test('the file of a family contains its experiments', async () => {
  const experiments = await loadExperiments('logic_ca')
  expect(experiments.map(({ name }) => name)).toEqual(['logic-ca'])
})

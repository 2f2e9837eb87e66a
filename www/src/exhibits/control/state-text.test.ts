import { expect, test } from 'vitest'
import { isControl, type ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { stateText } from './state-text'

/** Returns the texts of a state of an experiment. */
function texts(name: string, state: readonly number[]): string[] {
  const info = (experiments as unknown as ExperimentInfo[]).find((one) => one.name === name)!
  if (!isControl(info)) throw new Error(`${name} has no state`)
  const { dimensions, grid } = info.world
  return state.map((value, i) => stateText(dimensions[i]!, value, grid !== null))
}

test('tiles are counted from 1, also while an agent moves between two of them', () => {
  expect(texts('frozen-lake', [0, 3])).toEqual(['1', '4'])
  expect(texts('frozen-lake', [1.08, 0.6])).toEqual(['2', '2'])
})

test('other states have digits and units, and angles are in degrees', () => {
  expect(texts('cartpole', [-1.5, 0.25, 0.1])).toEqual(['−1.50 m', '0.25 m/s', '5.7°'])
})

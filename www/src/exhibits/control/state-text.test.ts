import { expect, test } from 'vitest'
import { isControl, type ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { displayUnit, shortState, stateText } from './state-text'

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
  expect(texts('cartpole', [-1.5, 0.25, 0.1, 2])).toEqual([
    '−1.50\u00a0m',
    '0.25\u00a0m/s',
    '5.7°',
    '115\u00a0°/s',
  ])
  const angle = { name: 'angle', label: 'Angle', unit: 'rad', low: -0.21, high: 0.21, angle: true }
  expect([displayUnit(angle).unit, shortState(angle, angle.low)]).toEqual(['°', '−12'])
})

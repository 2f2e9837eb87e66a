import { expect, test } from 'vitest'
import type { DimensionInfo } from '../../engine/page/session'
import { figureAxis, heldDimensions, heldText, lakeTable, mapTable, policyText, valueText } from './map-data'

const dimension = (label: string, unit: string, low: number, high: number): DimensionInfo => ({
  ...{ name: label, label, unit, low, high, angle: false },
})
const axes = { x: dimension('Position', 'm', -2, 2), y: dimension('Speed', 'm/s', 0, 4) }
// Row 0 has the lowest y.
const values = Float32Array.of(-1, 1, -0.5, 3)

test('a heat map is a table of its cells, with the states at their centers', () => {
  expect(mapTable(axes, [], 2, 'Value', values)).toEqual({
    'Position (m)': [-1, 1, -1, 1],
    'Speed (m/s)': [1, 1, 3, 3],
    Value: values,
  })
})

test('a map states the values of the dimensions without an axis: the state of the focused environment', () => {
  const pole = dimension('Pole angle', 'rad', -0.2, 0.2)
  const wheel = dimension('Wheel', 'm', 0, 1)
  const all = [axes.x, pole, axes.y, wheel]
  const states = Float32Array.of(9, 8, 7, 6, 1, Math.PI / 60, 3, 0.5)
  const held = heldDimensions(all, axes, states, 1)
  expect(heldText(held)).toBe('Same for the whole map: Pole angle 3.0°, Wheel 0.50\u00a0m.')
  // The preview may have fewer environments than before.
  expect(heldDimensions(all, axes, states, 7)).toEqual(held)
  expect(heldText(heldDimensions([axes.x, axes.y], axes, Float32Array.of(1, 3), 0))).toBe('')
  expect(mapTable(axes, held, 2, 'Value', values)).toMatchObject({
    'Pole angle (rad)': Array(4).fill(states[5]),
    'Wheel (m)': [0.5, 0.5, 0.5, 0.5],
  })
})

test('the axis of a figure has its unit and ticks at its ends and in the middle, angles in degrees', () => {
  expect(figureAxis(axes.x)).toEqual({ label: 'Position (m)', ticks: ['−2', '0', '2'] })
  expect(figureAxis(dimension('Angle', 'rad', -Math.PI, Math.PI))).toEqual({
    ...{ label: 'Angle (°)', ticks: ['−180', '0', '180'] },
  })
  expect(figureAxis(dimension('Position', '', -1.2, 0.6)).label).toBe('Position')
})

test('the text of a value map names its highest and its lowest value, with their states', () => {
  expect(valueText(axes, 2, values)).toBe(
    'Value over Position and Speed: highest 3 at Position 1.00\u00a0m, Speed 3.00\u00a0m/s; lowest −1 at Position −1.00\u00a0m, Speed 1.00\u00a0m/s.',
  )
})

test('the text of a policy map says where each action dominates', () => {
  expect(policyText('Policy', axes, 2, values, ['push left', 'push right'])).toBe(
    'Policy over Position and Speed: push left on 50 % of the map, mostly at low Position; ' +
      'push right on 50 % of the map, mostly at high Position.',
  )
  const alwaysRight = Float32Array.of(1, 1, 1, 1)
  expect(policyText('Policy', axes, 2, alwaysRight, ['push left', 'push right'])).toBe(
    'Policy over Position and Speed: push left nowhere; push right on 100 % of the map.',
  )
})

test('the boards of a lake are a table of the tiles', () => {
  const map = {
    size: 2,
    states: Float32Array.of(0, 0),
    policy: values,
    value: values,
    actions: Float32Array.of(0.25, 0.75, 1, 0, 0.5, 0.5, 0, 1),
    optimum: { value: Float32Array.of(0.1, 0.2, 0.3, 1), action: Float32Array.of(0, 1, 1, 0) },
  }
  const tiles = ['start', 'ice', 'hole', 'goal']
  expect(lakeTable(map, tiles, 2, ['left', 'right'])).toEqual({
    row: [1, 1, 2, 2],
    column: [1, 2, 1, 2],
    tile: tiles,
    'learned value': values,
    'probability of left': [0.25, 1, 0.5, 0],
    'probability of right': [0.75, 0, 0.5, 1],
    'optimal value': map.optimum.value,
    'optimal action': ['left', 'right', 'right', 'left'],
  })
  expect(lakeTable({ ...map, actions: null }, tiles, 2, ['left', 'right'])).toBeNull()
})

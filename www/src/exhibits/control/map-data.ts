/** Numbers and text alternatives of the heat maps, and the numbers of the boards of a lake. */
import type { DimensionInfo } from '../../engine/page/session'
import type { HeatMap } from '../../charts/heat-map'
import type { Table } from '../../lib/csv'
import { number, short } from '../../lib/format'
import type { ControlMap } from './draw/frame'
import { displayUnit, shortState, stateText } from './state-text'

/** The state dimensions of both axes. */
export interface MapAxes {
  x: DimensionInfo
  y: DimensionInfo
}

/** Returns the value of a dimension in the middle of a cell. */
const centerOf = ({ low, high }: DimensionInfo, cell: number, size: number) =>
  low + ((cell + 0.5) / size) * (high - low)

const header = ({ label, unit }: Pick<DimensionInfo, 'label' | 'unit'>) =>
  unit ? `${label} (${unit})` : label

/** A state dimension without an axis, and its value in all cells of a map. */
export interface HeldDimension {
  dimension: DimensionInfo
  value: number
}

/** Returns the state dimensions that have no axis, with their values in the state of environment `member`. */
export function heldDimensions(
  dimensions: readonly DimensionInfo[],
  axes: MapAxes,
  states: Float32Array,
  member: number,
): HeldDimension[] {
  const count = dimensions.length
  const first = count * Math.min(member, states.length / count - 1)
  return dimensions.flatMap((dimension, i) =>
    dimension === axes.x || dimension === axes.y ? [] : [{ dimension, value: states[first + i]! }],
  )
}

/** Returns the values of the state dimensions without an axis as a sentence; empty if all dimensions have an axis. */
export function heldText(held: readonly HeldDimension[]): string {
  const values = held.map(
    ({ dimension, value }) => `${dimension.label} ${stateText(dimension, value, false)}`,
  )
  return values.length > 0 ? `Same for the whole map: ${values.join(', ')}.` : ''
}

/** Returns a heat map as a table: a row for each cell, with its state and the value of the map there. */
export function mapTable(
  { x, y }: MapAxes,
  held: readonly HeldDimension[],
  size: number,
  name: string,
  values: Float32Array,
): Table {
  const cells = Array.from(values, (_, cell) => cell)
  return {
    [header(x)]: cells.map((cell) => centerOf(x, cell % size, size)),
    [header(y)]: cells.map((cell) => centerOf(y, Math.floor(cell / size), size)),
    ...Object.fromEntries(held.map(({ dimension, value }) => [header(dimension), cells.map(() => value)])),
    [name]: values,
  }
}

/** Returns the axis of a figure for a dimension, in the displayed unit, with ticks at its ends and in the middle. */
export const figureAxis = (dimension: DimensionInfo): HeatMap['x'] => ({
  label: header({ ...dimension, ...displayUnit(dimension) }),
  ticks: [0, 0.5, 1].map((at) =>
    shortState(dimension, dimension.low + at * (dimension.high - dimension.low)),
  ),
})

const axesText = ({ x, y }: MapAxes) => `over ${x.label} and ${y.label}`

/** Says where the value estimate is highest and lowest. */
export function valueText(axes: MapAxes, size: number, values: Float32Array): string {
  const placeOf = (cell: number) =>
    ([axes.x, axes.y] as const)
      .map((axis, i) => {
        const at = i === 0 ? cell % size : Math.floor(cell / size)
        return `${axis.label} ${stateText(axis, centerOf(axis, at, size), false)}`
      })
      .join(', ')
  const [low, high] = [values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))]
  const end = (name: string, cell: number) => `${name} ${short(values[cell]!)} at ${placeOf(cell)}`
  return `Value ${axesText(axes)}: ${end('highest', high)}; ${end('lowest', low)}.`
}

/** Smallest distance of a center from the middle of the map that is mentioned, as a fraction of the side. */
const offCenter = 0.08

/**
 * Says on which part of the map each action dominates. `names`: the actions of values below and above 0.
 */
export function policyText(
  name: string,
  axes: MapAxes,
  size: number,
  values: Float32Array,
  names: readonly [low: string, high: string],
): string {
  const parts = ([-1, 1] as const).map((sign, i) => {
    let [count, x, y] = [0, 0, 0]
    for (const [cell, value] of values.entries()) {
      if (Math.sign(value) !== sign) continue
      count++
      x += (cell % size) + 0.5
      y += Math.floor(cell / size) + 0.5
    }
    if (count === 0) return `${names[i]} nowhere`
    const share = `${number((100 * count) / values.length, 0)} %`
    const at = (sum: number) => sum / count / size - 0.5
    const sides = [
      Math.abs(at(x)) < offCenter ? '' : `${at(x) < 0 ? 'low' : 'high'} ${axes.x.label}`,
      Math.abs(at(y)) < offCenter ? '' : `${at(y) < 0 ? 'low' : 'high'} ${axes.y.label}`,
    ].filter(Boolean)
    const where = sides.length > 0 ? `, mostly at ${sides.join(' and ')}` : ''
    return `${names[i]} on ${share} of the map${where}`
  })
  return `${name} ${axesText(axes)}: ${parts.join('; ')}.`
}

/** Returns both boards of a lake as a table: a row for each tile. `actions`: the names of the actions. */
export function lakeTable(
  { value, actions, optimum }: ControlMap,
  tiles: readonly string[],
  side: number,
  names: readonly string[],
): Table | null {
  if (!actions || !optimum || value.length !== tiles.length) return null
  const indices = tiles.map((_, tile) => tile)
  return {
    row: indices.map((tile) => Math.floor(tile / side) + 1),
    column: indices.map((tile) => (tile % side) + 1),
    tile: tiles,
    'learned value': value,
    ...Object.fromEntries(
      names.map((name, action) => [
        `probability of ${name}`,
        indices.map((tile) => actions[tile * names.length + action]!),
      ]),
    ),
    'optimal value': optimum.value,
    'optimal action': indices.map((tile) => names[optimum.action[tile]!] ?? ''),
  }
}

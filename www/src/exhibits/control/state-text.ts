/** State of an environment as text. */
import type { DimensionInfo } from '../../engine/page/session'
import { number, short, withUnit } from '../../lib/format'

const degrees = 180 / Math.PI

/** Returns the unit in which a state dimension is displayed, and the factor to this unit: degrees for angles. */
export const displayUnit = ({ unit }: Pick<DimensionInfo, 'unit'>): { unit: string; factor: number } =>
  unit.startsWith('rad') ? { unit: unit.replace('rad', '°'), factor: degrees } : { unit, factor: 1 }

/** Returns a value of a state dimension briefly, in the displayed unit and without it. */
export const shortState = (dimension: DimensionInfo, value: number): string =>
  short(Number((value * displayUnit(dimension).factor).toPrecision(3)))

/**
 * Returns the value of a state dimension with its unit, angles in degrees. `isGrid`: whether the dimension is the column or
 * row of a tile. Rows and columns are counted from 1; between two steps the preview moves through fractions.
 */
export function stateText(dimension: DimensionInfo, value: number, isGrid: boolean): string {
  if (isGrid) return number(Math.round(value) + 1, 0)
  const { unit, factor } = displayUnit(dimension)
  if (unit === '°') return `${number(value * factor, 1)}°`
  if (unit.startsWith('°')) return withUnit(number(value * factor, 0), unit)
  return withUnit(number(value, dimension.high < 0.1 ? 3 : 2), unit)
}

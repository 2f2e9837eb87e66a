/** State of a focused environment as text. */
import type { DimensionInfo } from '../../engine/page/session'
import { number } from '../../lib/format'

/**
 * Returns the value of a state dimension with its unit, angles in degrees. `isGrid`: whether the dimension is the column or
 * row of a tile. Rows and columns are counted from 1; between two steps the preview moves through fractions.
 */
export function stateText({ unit, high }: DimensionInfo, value: number, isGrid: boolean): string {
  if (isGrid) return number(Math.round(value) + 1, 0)
  if (unit === 'rad') return `${number((value * 180) / Math.PI, 1)}°`
  const shown = number(value, high < 0.1 ? 3 : 2)
  return unit ? `${shown} ${unit}` : shown
}

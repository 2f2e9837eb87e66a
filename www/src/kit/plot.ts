/** SVG paths of plots. */

export interface PlotPoint {
  x: number
  y: number
}

/** Returns the SVG path of a polyline, rounded to 0.1 pixels. */
export const linePath = (points: readonly PlotPoint[]): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${tenth(x)} ${tenth(y)}`).join('')

/** Returns the SVG path of the area between two polylines with the same direction. */
export const areaPath = (low: readonly PlotPoint[], high: readonly PlotPoint[]): string =>
  low.length < 2 ? '' : `${linePath([...high, ...low.toReversed()])}Z`

const tenth = (value: number): number => Math.round(value * 10) / 10

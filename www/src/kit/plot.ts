/** Lines of a plot. */

export interface PlotPoint {
  x: number
  y: number
}

/** A line through points, as the path of an SVG, to a tenth of a pixel. */
export const linePath = (points: readonly PlotPoint[]): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${tenth(x)} ${tenth(y)}`).join('')

const tenth = (value: number): number => Math.round(value * 10) / 10

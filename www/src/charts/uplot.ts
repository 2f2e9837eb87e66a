/** uPlot, the library that draws line charts. It is loaded with the first data of a chart. */
import type uPlot from 'uplot'

export type LineChartLibrary = typeof uPlot

/** Loads the library; resolves to null if the request fails. */
export const loadLibrary = (): Promise<LineChartLibrary | null> =>
  import('uplot').then(
    ({ default: library }) => library,
    () => null,
  )

/** uPlot, the library that draws line charts. */
import type uPlot from 'uplot'
import { firstViewComplete } from '../state/first-view'

export type LineChartLibrary = typeof uPlot

/** Loads the library after the first view; resolves to null if the request fails. */
export async function loadLibrary(): Promise<LineChartLibrary | null> {
  await firstViewComplete
  const loaded = await import('uplot').catch(() => null)
  return loaded && loaded.default
}

/** The charts of a lab that are displayed, for the export. */
import { partOf } from '../state/context'
import type { ChartData } from './figure'

class DisplayedCharts {
  private readonly sources = new Set<() => ChartData>()

  /** Adds a chart. Returns a function that removes it. */
  add(source: () => ChartData): () => void {
    this.sources.add(source)
    return () => this.sources.delete(source)
  }

  /** Returns the charts that have data, in the order of the page. */
  list(): ChartData[] {
    return [...this.sources]
      .map((source) => source())
      .filter(({ series }) => series.some(({ values }) => values.some((value) => value !== null)))
  }
}

export const [useDisplayedCharts, displayedChartsOf] = partOf(() => new DisplayedCharts())

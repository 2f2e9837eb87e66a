/** Text that describes the displayed moment of a run. */
import type { ExperimentInfo } from '../../engine/page/session'
import { compact, number, short } from '../../lib/format'
import type { History } from '../../state/history'
import type { Lab } from '../../state/lab.svelte'

/**
 * Returns the number of steps of the displayed snapshot and the result at that step; “now” if the current state is
 * displayed.
 */
export function momentText(info: ExperimentInfo, history: History, shown: number | null): string {
  if (shown === null) return 'now'
  const when = shown === 0 ? 'Before training' : `After ${compact(shown)} ${info.readings.unit}`
  const metric = info.readings.results
    .map((name) => info.metrics.find((metric) => metric.name === name))
    .find((metric) => metric && valueAt(history, metric.name, shown) !== null)
  if (!metric) return when
  const value = valueAt(history, metric.name, shown)!
  const text = metric.unit === 'share' ? `${number(100 * value, 0)} %` : short(Number(value.toPrecision(3)))
  return `${when}: ${metric.label.slice(0, 1).toLowerCase()}${metric.label.slice(1)} ${text}`
}

/** Returns a metric at the displayed moment; undefined if it is unknown. Reactive. */
export function shownValue(lab: Lab, metric: string): number | undefined {
  const { shown } = lab.timeline
  if (shown === null) return lab.latest[metric]
  void lab.revision
  return valueAt(lab.history, metric, shown) ?? undefined
}

/** Returns the last value of a metric up to `steps`; null if there is none. */
export function valueAt(history: History, metric: string, steps: number): number | null {
  const values = history.column(metric)
  for (let i = history.length - 1; i >= 0; i--)
    if (history.steps[i]! <= steps && values[i] != null) return values[i]!
  return null
}

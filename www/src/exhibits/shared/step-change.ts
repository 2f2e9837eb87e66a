/** Selects the metrics that are shown after a single step of training. */
import type { ExperimentInfo } from '../../engine/page/session'
import type { StepChange } from '../../state/single-step.svelte'

/** Number of metrics that are shown. */
const shown = 4

/** Returns the metrics that a step has changed, with their labels: first the headline metric, then charted metrics. */
export function changedMetrics(
  { metrics }: StepChange,
  { metrics: declared, readings }: ExperimentInfo,
): { label: string; before: number | undefined; after: number }[] {
  const order = [readings.headline?.name, ...readings.small.flatMap((small) => small.metrics)]
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : Infinity)
  return metrics
    .flatMap(({ name, before, after }) => {
      const label = declared.find((metric) => metric.name === name)?.label
      return label ? [{ name, label, before, after }] : []
    })
    .sort((a, b) => (rank(a.name) < rank(b.name) ? -1 : rank(a.name) > rank(b.name) ? 1 : 0))
    .slice(0, shown)
    .map(({ label, before, after }) => ({ label, before, after }))
}

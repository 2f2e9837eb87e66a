/** The curves of all drawn runs as text for a link. */
import { comparisonOf } from '../../charts/comparison.svelte'
import { currentState } from '../../state/compared-run'
import type { Lab } from '../../state/lab.svelte'
import { elapsed } from '../../state/history'
import { shortHash } from '../../state/route'
import { encodeComparison } from '../../state/shared-curves'

export interface LinkedCurves {
  text: string
  /** Labels of the metrics that the text has no room for. */
  omitted: readonly string[]
}

/**
 * Returns the curves of all drawn runs, the current one first if it is trained, with their training times. `metrics`: names of the metrics, the most
 * important first.
 */
export async function linkedCurves(lab: Lab, metrics: readonly string[]): Promise<LinkedCurves> {
  const { engine } = lab
  const info = lab.info!
  const comparison = comparisonOf(lab)
  const { runs: others, baseline, band } = comparison
  const own = {
    ...currentState(lab),
    ...comparison.own,
    ...{ engine, title: '', styles: comparison.ownStyles },
  }
  const drawn = others.map((run) => ({ ...run, styles: comparison.stylesOf(run.id) }))
  // A run without steps has no curve.
  const trained = lab.history.length > 0 ? [own] : []
  const runs = [...trained, ...drawn].map(({ config, seed, engine, title, curves, ...state }) => ({
    ...{ address: shortHash(info, config, seed, engine && { engine }), title },
    ...{ latest: state.latest, solved: state.solved, changes: state.changes },
    ...{ styles: state.styles, trainedOn: state.trainedOn },
    ...{ steps: curves.steps, columns: curves.columns },
  }))
  const { text, omitted } = await encodeComparison(
    {
      runs,
      baseline: baseline && trained.length + others.indexOf(baseline.runs[0]!),
      interval: band === 'interval',
    },
    // All curves need the training times for their horizontal axis; without room, other metrics are omitted first.
    [...metrics.slice(0, 1), elapsed, ...metrics.slice(1)],
  )
  const labelOf = (name: string) =>
    name === elapsed ? 'Training time' : (info.metrics.find((metric) => metric.name === name)?.label ?? name)
  return { text, omitted: omitted.map(labelOf) }
}

/** Keeps the comparison of runs and the stop of each experiment in the storage of the browser. */
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import type { ComparedRun } from '../../state/compared-run'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import type { Run } from '../../state/storage/runs.svelte'
import { storeComparison, storedComparison, type StoredComparison } from './stored-comparison'

/** The stored runs of this browser. */
export interface RunSource {
  readonly list: readonly Run[]
  refresh(): Promise<void>
  compared(run: Run, info: ExperimentInfo): Promise<ComparedRun | null>
}

export class KeptComparison {
  /** Experiment whose stored comparison is drawn; null until then. */
  private loaded = $state<string | null>(null)
  /** The stored text of this comparison. */
  private text = ''

  constructor(private readonly lab: Lab) {}

  /** The present comparison. Runs of a link, and the run beside the current one, are not stored. */
  private get present(): StoredComparison {
    const { runs, baseline, combined, band } = comparisonOf(this.lab)
    const stored = runs.filter(({ origin }) => origin === undefined).map(({ id }) => id)
    const pinned = baseline?.runs.find(({ id }) => stored.includes(id))?.id ?? null
    return { runs: stored, baseline: pinned, combined, band, stop: this.lab.pace.stop }
  }

  /**
   * Draws the runs of the stored comparison of an experiment that still exist. `isReplaced`: whether a link or a guide determines
   * what the charts draw; the stored comparison then stays as it is until the visitor changes the present one.
   */
  async load(info: ExperimentInfo, source: RunSource, isReplaced: boolean): Promise<void> {
    const { lab } = this
    const comparison = comparisonOf(lab)
    this.loaded = null
    const stored = isReplaced ? null : storedComparison(info.name)
    if (stored) {
      const { runs, baseline, combined, band, stop } = stored
      Object.assign(comparison, { combined, band })
      // A demonstration of the experiment may train already.
      if (lab.pace.stop !== stop) lab.pace.stopAt(stop)
      if (runs.length > 0) await source.refresh()
      for (const id of runs) {
        const run = source.list.find((one) => one.id === id)
        const compared = run && (await source.compared(run, info).catch(() => null))
        if (lab.info !== info) return
        if (compared) comparison.select(compared)
      }
      if (baseline !== null) comparison.pin(baseline)
    }
    this.text = JSON.stringify(stored ?? this.present)
    this.loaded = info.name
  }

  /** Stores the present comparison if it has changed. */
  save(): void {
    const { loaded, lab, present } = this
    const text = JSON.stringify(present)
    if (loaded === null || loaded !== lab.info?.name || text === this.text) return
    this.text = text
    storeComparison(loaded, present)
  }
}

export const [useKeptComparison, keptComparisonOf] = partOf((lab) => new KeptComparison(lab))

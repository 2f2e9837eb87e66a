/** Keeps the comparison of runs and the stop of each experiment in the storage of the browser. */
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import type { ComparedRun } from '../../state/compared-run'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import type { Run } from '../../state/storage/runs.svelte'
import { emptyComparison, storeChanges, storedComparison, type StoredComparison } from './stored-comparison'

/** The stored runs of this browser. */
export interface RunSource {
  readonly list: readonly Run[]
  refresh(): Promise<void>
  compared(run: Run, info: ExperimentInfo): Promise<ComparedRun | null>
}

/** Experiment and curves of a link, if any, whose comparison is drawn. */
interface ComparisonView {
  experiment: string
  curves: string | null
}

const isDone = () => true
const isFailed = () => false

export class KeptComparison {
  /** What {@link load} draws or has drawn; null after {@link close}. */
  private view: ComparisonView | null = null
  /** The view that was drawn last. */
  private last: ComparisonView | null = null
  /** The view whose stored comparison is drawn completely; null until then. */
  private loaded = $state.raw<ComparisonView | null>(null)
  /** The comparison whose changes are stored: without runs that could not be read. */
  private saved = emptyComparison

  constructor(private readonly lab: Lab) {}

  /** The present comparison. Runs of a link, and the run beside the current one, are not stored. */
  private get present(): StoredComparison {
    const { selectedRuns, pinned, combined, band } = comparisonOf(this.lab)
    const runs = selectedRuns.filter(({ origin }) => origin === undefined).map(({ id }) => id)
    const baseline = pinned !== null && runs.includes(pinned) ? pinned : null
    return { runs, baseline, combined, band, stop: this.lab.pace.stop }
  }

  /**
   * Draws the runs of the stored comparison of an experiment that still exist, and stores changes from then on. `curves`: text of
   * the curves in a link, which are drawn already; null without. A link has a comparison of its own.
   */
  async load(info: ExperimentInfo, source: RunSource, curves: string | null): Promise<void> {
    const { lab } = this
    // The visitor has left the exhibit while its link was read.
    if (lab.info !== info) return
    this.close()
    const view = (this.view = { experiment: info.name, curves })
    const comparison = comparisonOf(lab)
    // The bands of a link are those of its sender.
    const first = curves === null ? emptyComparison : { ...emptyComparison, band: comparison.band }
    const stored = storedComparison(info.name, curves) ?? first
    const { runs, baseline, combined, band, stop } = stored
    Object.assign(comparison, { combined, band })
    this.stopAt(stop)
    this.leaveLast(view, runs)
    // Runs that cannot be listed are not missing.
    const isListed = runs.length === 0 || (await source.refresh().then(isDone, isFailed))
    const unread: string[] = []
    for (const id of runs) {
      const run = source.list.find((one) => one.id === id)
      const compared = run && (await source.compared(run, info).catch(() => null))
      if (this.view !== view || lab.info !== info) return
      if (compared) comparison.select(compared)
      else if (run || !isListed) unread.push(id)
    }
    if (baseline !== null) comparison.pin(baseline)
    const isRead = (id: string | null) => id !== null && !unread.includes(id)
    this.saved = { ...stored, runs: runs.filter(isRead), baseline: isRead(baseline) ? baseline : null }
    this.loaded = view
  }

  /**
   * No longer draws the runs of the last view that the view `view` does not have, if one of them is a link: a link and its exhibit
   * have comparisons of their own. `runs`: ids of the stored runs of the view.
   */
  private leaveLast(view: ComparisonView, runs: readonly string[]): void {
    const { last } = this
    this.last = view
    if (last?.experiment !== view.experiment || last.curves === view.curves) return
    const comparison = comparisonOf(this.lab)
    for (const { id, origin } of comparison.selectedRuns)
      if (origin === undefined && !runs.includes(id)) comparison.deselect(id)
  }

  /** Stores the changes of the present comparison. */
  save(): void {
    const { loaded, lab, present, saved } = this
    if (loaded === null || loaded.experiment !== lab.info?.name) return
    if (JSON.stringify(present) === JSON.stringify(saved)) return
    this.saved = present
    storeChanges(loaded.experiment, loaded.curves, saved, present)
  }

  /** Ends storing changes, until the next {@link load}. */
  close(): void {
    this.view = null
    this.loaded = null
  }

  /** Ends storing changes, and removes the stop: the steps of a guide train as long as they need. */
  openGuide(): void {
    this.close()
    this.stopAt(null)
  }

  /** Sets the stop. A demonstration of the experiment may train already. */
  private stopAt(stop: number | null): void {
    const { pace } = this.lab
    if (pace.stop !== stop) pace.stopAt(stop)
  }
}

export const [useKeptComparison, keptComparisonOf] = partOf((lab) => new KeptComparison(lab))

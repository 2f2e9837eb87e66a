/** Records of a run that are not in its checkpoint: progress, metrics, training time, frames. */
import type { ExperimentInfo, Frame, MetricRow, Progress } from '../engine/page/session'
import { changesWorld, changeText, isUnused, withChange, type SettingChange } from './changes'
import { holdsGoal } from './goal'
import { elapsed, History } from './history'
import type { Mark, PageState, Solved, TrainedOn } from './saving'
import { Stopwatch } from './stopwatch'

export class RunObservations {
  progress = $state.raw<Progress>({ steps: 0, updates: 0, episodes: 0, total_steps: null })
  stepsPerSecond = $state(0)
  /** Latest value of each metric. */
  latest = $state.raw<Record<string, number>>({})
  /** Number of changes of `history`; reactive, unlike `history`. */
  revision = $state(0)
  readonly history = new History()
  solved = $state.raw<Solved | null>(null)
  marks = $state.raw<readonly Mark[]>([])
  /** Changes of settings during the run. */
  changes = $state.raw<readonly SettingChange[]>([])
  /** Steps that the weights of an opened file were trained for before this run, which counts from 0. */
  earlierSteps = $state(0)

  /** All conditions under which the run has trained, in order; null if some are unknown. */
  trainedOn = $state.raw<readonly TrainedOn[] | null>([])

  /** Whether the run was recorded from its first step, so that the time to solve is known. */
  whole = false
  private readonly stopwatch = new Stopwatch()
  private speeds: number[] = []
  private watchers = new Set<(frame: Frame | null) => void>()

  /** Training time in seconds, without pauses. */
  get seconds(): number {
    return this.stopwatch.seconds
  }

  /** Changes of settings since the last step. */
  get unusedChanges(): readonly SettingChange[] {
    return this.changes.filter((change) => isUnused(change, this.progress.steps))
  }

  /** Steps of the run at the last change of the environment; undefined without one. */
  get changedAt(): number | undefined {
    return this.changes.findLast(changesWorld)?.steps
  }

  /** Whether the environment was changed after the run was solved. */
  get isSolvedBeforeChange(): boolean {
    const { solved, changedAt = -Infinity } = this
    return solved !== null && changedAt >= solved.steps
  }

  /** Whether the latest metrics were recorded before the last change of the environment. */
  get precedesChange(): boolean {
    void this.revision
    const { changedAt } = this
    return changedAt !== undefined && (this.history.steps.at(-1) ?? 0) <= changedAt
  }

  /** Whether the run has reached its configured end. */
  get over(): boolean {
    const { steps, total_steps } = this.progress
    return total_steps !== null && steps >= total_steps
  }

  /**
   * Calls `watcher` with each frame, and with null when another experiment starts. Returns a function that
   * unsubscribes.
   */
  watch(watcher: (frame: Frame | null) => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** Calls `listener` when another experiment starts. Returns a function that unsubscribes. */
  watchStarts(listener: () => void): () => void {
    return this.watch((frame) => {
      if (!frame) listener()
    })
  }

  protected show(frame: Frame | null): void {
    for (const watcher of this.watchers) watcher(frame)
  }

  /** All records, to be saved with the checkpoint. */
  get pageState(): PageState {
    const { history, latest, solved, seconds, whole, marks, changes, earlierSteps, trainedOn } = this
    const records = { latest, solved, seconds, whole, marks, changes, earlierSteps, trainedOn }
    return { curves: history.dump(), ...records }
  }

  /**
   * Starts recording a run, with its saved records if any. `trained`: number of steps in the header of the opened file; a
   * file with weights only starts a run with fewer steps.
   */
  protected observe(progress: Progress, saved: PageState | null, trained = 0): void {
    this.progress = progress
    this.earlierSteps = saved?.earlierSteps ?? Math.max(0, trained - progress.steps)
    this.whole = saved?.whole ?? progress.steps === 0
    this.latest = saved?.latest ?? {}
    this.solved = saved?.solved ?? null
    this.marks = saved?.marks ?? []
    this.changes = saved?.changes ?? []
    this.trainedOn = saved ? (saved.trainedOn ?? null) : this.whole ? [] : null
    this.stopwatch.reset(saved?.seconds ?? 0)
    if (saved) this.history.load(saved.curves)
    else this.history.clear()
    this.rewind(progress.steps)
    this.forgetSpeed()
  }

  /** Updates the progress. A decrease means that the run was resumed from an older state; later records are dropped. */
  protected advance(progress: Progress): void {
    if (progress.steps < this.progress.steps) this.rewind(progress.steps)
    this.progress = progress
  }

  protected record(rows: readonly MetricRow[], info: ExperimentInfo | null): void {
    const latest = { ...this.latest }
    for (const row of rows) {
      // The training time of an opened checkpoint is unknown.
      const values: [string, number][] = this.whole ? [[elapsed, this.seconds]] : []
      values.push(...row.values)
      if (this.stepsPerSecond > 0) values.push(['steps_per_second', this.stepsPerSecond])
      this.history.push({ ...row, values })
      for (const [name, value] of values) latest[name] = value
      // `progress` may be older or newer than the row.
      if (!this.solved && this.whole && info && holdsGoal(info, row))
        this.solved = { steps: row.steps, seconds: this.seconds }
    }
    this.latest = latest
    this.revision++
  }

  /** Records the conditions under which the run trains. */
  protected trainOn(on: TrainedOn): void {
    const { trainedOn } = this
    const isKnown = trainedOn?.some(
      ({ engine, threads, isBeside }) =>
        engine === on.engine && threads === on.threads && isBeside === on.isBeside,
    )
    if (trainedOn && !isKnown) this.trainedOn = [...trainedOn, on]
  }

  /** Marks a change of a setting on the curves. */
  protected markChange(info: ExperimentInfo, path: string, value: unknown, before: unknown): void {
    const { steps } = this.progress
    if (steps > 0 && value !== before)
      this.changes = withChange(this.changes, { steps, path, text: changeText(info, path, value), before })
  }

  /** Removes the changes since the last step, and returns them, the newest first. */
  protected takeUnused(): SettingChange[] {
    const { unusedChanges } = this
    this.changes = this.changes.filter((change) => !unusedChanges.includes(change))
    return unusedChanges.toReversed()
  }

  /** Updates the speed: the mean of several reports, because rollouts and updates alternate. */
  protected clock(stepsPerSecond: number): void {
    this.speeds = [...this.speeds.slice(-5), stepsPerSecond]
    this.stepsPerSecond = this.speeds.reduce((a, b) => a + b, 0) / this.speeds.length
  }

  protected forgetSpeed(): void {
    this.speeds = []
    this.stepsPerSecond = 0
  }

  protected time(training: boolean): void {
    this.stopwatch.run(training)
  }

  private rewind(steps: number): void {
    this.history.rewind(steps)
    this.revision++
    if (this.solved && this.solved.steps > steps) this.solved = null
    this.changes = this.changes.filter((change) => change.steps <= steps)
  }
}

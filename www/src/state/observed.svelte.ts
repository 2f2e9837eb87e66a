/** The page's observations of a run: progress, measurements, training time, pictures. A checkpoint holds none of them. */
import type { ExperimentInfo, Frame, MetricRow, Progress } from '../engine/page/session'
import { reaches } from './goal'
import { History } from './history'
import type { Mark, PageState, Solved } from './saving'
import { Stopwatch } from './stopwatch'

export class Observed {
  progress = $state.raw<Progress>({ steps: 0, updates: 0, episodes: 0, total_steps: null })
  stepsPerSecond = $state(0)
  /** The newest value of each metric. */
  latest = $state.raw<Record<string, number>>({})
  /** Counts changes of `history`, which is too large to be watched itself. */
  revision = $state(0)
  readonly history = new History()
  solved = $state.raw<Solved | null>(null)
  marks = $state.raw<readonly Mark[]>([])

  /** Whether the run was seen from its first step, so that it is known when it was solved. */
  private whole = false
  private readonly stopwatch = new Stopwatch()
  private speeds: number[] = []
  private watchers = new Set<(frame: Frame | null) => void>()

  /** Seconds of training so far, without pauses. */
  get seconds(): number {
    return this.stopwatch.seconds
  }

  /** Whether the run has reached the end that its settings gave it. */
  get over(): boolean {
    const { steps, total_steps } = this.progress
    return total_steps !== null && steps >= total_steps
  }

  /** Calls `watcher` with each picture, and with null when another experiment begins; returns how to end that. */
  watch(watcher: (frame: Frame | null) => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  protected show(frame: Frame | null): void {
    for (const watcher of this.watchers) watcher(frame)
  }

  /** All observations, to be saved with the checkpoint. */
  get pageState(): PageState {
    const { history, latest, solved, seconds, whole, marks } = this
    return { curves: history.dump(), latest, solved, seconds, whole, marks }
  }

  /** Begins with another run: with what was kept of it, or with nothing. */
  protected observe(progress: Progress, kept: PageState | null): void {
    this.progress = progress
    this.whole = kept?.whole ?? progress.steps === 0
    this.latest = kept?.latest ?? {}
    this.solved = kept?.solved ?? null
    this.marks = kept?.marks ?? []
    this.stopwatch.reset(kept?.seconds ?? 0)
    if (kept) this.history.load(kept.curves)
    else this.history.clear()
    this.rewind(progress.steps)
    this.forgetSpeed()
  }

  /** Fewer steps than before: the run goes on from an older copy of its state. */
  protected advance(progress: Progress): void {
    if (progress.steps < this.progress.steps) this.rewind(progress.steps)
    this.progress = progress
  }

  protected record(rows: readonly MetricRow[], info: ExperimentInfo | null): void {
    const latest = { ...this.latest }
    for (const row of rows) {
      const values = [...row.values]
      if (this.stepsPerSecond > 0) values.push(['steps_per_second', this.stepsPerSecond])
      this.history.push({ ...row, values })
      for (const [name, value] of values) latest[name] = value
      // The steps are those of the measurement: progress may be older or newer.
      if (info && this.whole && !this.solved && reaches(info, row))
        this.solved = { steps: row.steps, seconds: this.seconds }
    }
    this.latest = latest
    this.revision++
  }

  /** Experience comes in rollouts with updates between them, so the speed is averaged over some of them. */
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
  }
}

/** Measures the training time of a run, without pauses. */
export class Stopwatch {
  private total = 0
  /** Start time by `performance.now()`; null while stopped. */
  private since: number | null = null

  /** Training time in seconds, without pauses. */
  get seconds(): number {
    return this.total + (this.since === null ? 0 : (performance.now() - this.since) / 1000)
  }

  /** Stops the watch and sets the elapsed time. */
  reset(seconds: number): void {
    this.total = seconds
    this.since = null
  }

  run(on: boolean): void {
    this.reset(this.seconds)
    if (on) this.since = performance.now()
  }
}

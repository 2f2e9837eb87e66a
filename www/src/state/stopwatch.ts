/** Measures for how long a run trains: neither while it is paused nor in a hidden tab, which does not train. */
export class Stopwatch {
  private total = 0
  /** When it was started, by `performance.now()`; null while it is stopped. */
  private since: number | null = null

  /** Seconds so far. */
  get seconds(): number {
    return this.total + (this.since === null ? 0 : (performance.now() - this.since) / 1000)
  }

  /** Stops it, at so many seconds. */
  reset(seconds: number): void {
    this.total = seconds
    this.since = null
  }

  run(on: boolean): void {
    this.reset(this.seconds)
    if (on) this.since = performance.now()
  }
}

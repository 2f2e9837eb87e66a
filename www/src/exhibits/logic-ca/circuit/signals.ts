/** Signals of the displayed circuit, and the animation of an update from the inputs to the outputs. */

/** Maximum duration of the animation of an update, and minimum interval of animated updates, in milliseconds. */
const longestUpdate = 1100
const tooFast = 90

export class Signals {
  /** Latest signals, [values]; they may belong to a circuit that is not displayed yet. */
  latest: Uint8Array | null = null
  /** Displayed signals and, during an animation, the signals before the update. */
  now: Uint8Array | null = null
  before: Uint8Array | null = null

  private updated = -Infinity
  private updateTime = 0

  forget(): void {
    this.latest = this.now = this.before = null
  }

  /** Displays signals without animation. */
  show(signals: Uint8Array | null): void {
    this.now = signals
    this.before = null
  }

  /** Displays new signals at time `time` (ms), without animation if `still`. Returns whether the update is animated. */
  update(signals: Uint8Array | null, time: number, still: boolean): boolean {
    const since = time - this.updated
    const follow = signals !== null && this.now !== null && since > tooFast && !still
    this.before = follow ? this.now : null
    this.now = signals
    this.updateTime = Math.min(longestUpdate, 0.8 * since)
    this.updated = time
    return follow
  }

  /**
   * Returns the progress of the animation at `time` (ms). From 1 on it is finished; the previous signals are dropped.
   */
  done(time: number): number {
    const done = this.before ? (time - this.updated) / this.updateTime : 1
    if (done >= 1) this.before = null
    return done
  }
}

/**
 * Returns the horizontal position of the update front at progress `done`, 0 to 1. The front passes gates more slowly
 * than wires.
 */
export function front(columns: Float64Array, done: number): number {
  const at = Math.min(1, Math.max(0, done)) * (columns.length + 0.5) - 0.5
  const k = Math.min(columns.length - 2, Math.max(0, Math.floor(at)))
  const step = columns.length > 1 ? columns[k + 1]! - columns[k]! : 100
  const t = at - k
  return columns[k]! + step * (t >= 0 && t <= 1 ? t + 0.12 * Math.sin(2 * Math.PI * t) * -1 : t)
}

export function same(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((bit, i) => bit === b[i]))
}

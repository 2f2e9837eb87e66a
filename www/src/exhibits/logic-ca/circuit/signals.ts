/** The signals of a circuit, and how an update of them runs through it, from the inputs to the outputs. */

/** The longest that an update takes to run through, milliseconds, and updates that come too fast to be followed. */
const longestUpdate = 1100
const tooFast = 90

export class Signals {
  /** The newest; they may be those of a circuit that waits to be shown. */
  latest: Uint8Array | null = null
  /** Those on show, and those before them as long as an update runs through. */
  now: Uint8Array | null = null
  before: Uint8Array | null = null

  private updated = -Infinity
  private updateTime = 0

  forget(): void {
    this.latest = this.now = this.before = null
  }

  /** Shows these, whatever was before. */
  show(signals: Uint8Array | null): void {
    this.now = signals
    this.before = null
  }

  /** Goes on to these; whether it can be followed. */
  update(signals: Uint8Array | null, time: number, still: boolean): boolean {
    const since = time - this.updated
    const follow = signals !== null && this.now !== null && since > tooFast && !still
    this.before = follow ? this.now : null
    this.now = signals
    this.updateTime = Math.min(longestUpdate, 0.8 * since)
    this.updated = time
    return follow
  }

  /** How far the update has come: 1 and more once it is through, and what was before is forgotten. */
  done(time: number): number {
    const done = this.before ? (time - this.updated) / this.updateTime : 1
    if (done >= 1) this.before = null
    return done
  }
}

/** Where an update has come to that is so far: it passes the gates of a layer more slowly than the wires between. */
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

/** Lengths of the attempts in the preview, measured from its frames. */

/**
 * Measures one whole attempt of each environment: the first one whose start and end are between two frames. An attempt that
 * was in progress at the first frame does not count.
 */
export class Attempts {
  private ages: Float32Array | null = null
  /** Whether the attempt in progress began after the first frame, of each environment. */
  private begun: boolean[] = []
  /** Steps of the measured attempt of each environment; undefined while it has none. */
  private lengths: (number | undefined)[] = []

  /** Adds a frame: `ages` are the steps of the attempts in progress. */
  update(ages: Float32Array): void {
    const before = this.ages
    this.ages = ages.slice()
    // All environments take the same steps, and at least one of them continues its attempt.
    const steps = before ? ages.reduce((most, age, i) => Math.max(most, age - before[i]!), 0) : 0
    if (!before || before.length !== ages.length || ages.every((age) => age === 0)) return this.clear(ages)
    ages.forEach((age, i) => {
      const ended = before[i]! + steps - age
      if (ended === 0) return
      if (this.begun[i]) this.lengths[i] ??= ended
      this.begun[i] = true
    })
  }

  /** Forgets all attempts, because another run or a reset has replaced them. */
  clear(ages: Float32Array | null = null): void {
    this.ages = ages?.slice() ?? null
    this.begun = Array.from(ages ?? [], () => false)
    this.lengths = Array.from(ages ?? [], () => undefined)
  }

  /** Number of environments with a measured attempt, and the mean and the maximum of its steps; 0 without one. */
  get summary(): { ended: number; mean: number; longest: number } {
    const known = this.lengths.filter((length) => length !== undefined)
    const sum = known.reduce((sum, length) => sum + length, 0)
    return { ended: known.length, mean: sum / Math.max(1, known.length), longest: Math.max(0, ...known) }
  }
}

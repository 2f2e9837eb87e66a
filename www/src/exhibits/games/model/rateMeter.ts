/** Rate of a counter over the last seconds. */
export class RateMeter {
  private marks: { time: number; count: number }[] = []

  /** Length of the averaging window in milliseconds. */
  constructor(private readonly span: number) {}

  /**
   * Adds a count at a time in milliseconds. Returns the rate per minute; null if the window is too short.
   */
  add(time: number, count: number): number | null {
    // A decreasing counter was reset.
    if (count < (this.marks.at(-1)?.count ?? 0)) this.clear()
    this.marks.push({ time, count })
    while (this.marks.length > 2 && time - this.marks[0]!.time > this.span) this.marks.shift()
    const first = this.marks[0]!
    const passed = time - first.time
    return passed < this.span / 6 ? null : ((count - first.count) / passed) * 60_000
  }

  clear(): void {
    this.marks = []
  }
}

/** How fast something is counted up, over the last seconds. */
export class Pace {
  private marks: { time: number; count: number }[] = []

  /** Over how many milliseconds. */
  constructor(private readonly span: number) {}

  /** A count at a time in milliseconds; how much it grows a minute, or null while too little is known. */
  add(time: number, count: number): number | null {
    // What counts backwards began anew.
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

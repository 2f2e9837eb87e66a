/** Results of the runs that have reached their end in this visit, for the comparison with the next one. */
import { partOf } from '../../../state/context'

export class EarlierEnds {
  /** Last run of each environment, with its result and that of the run before it. */
  private readonly last = new Map<string, { run: number; result: string; before: string | null }>()

  /** Records the result of a run. Returns the result of the run before it in the same environment; null without one. */
  record(world: string, run: number, result: string): string | null {
    const known = this.last.get(world)
    const before = (known?.run === run ? known.before : known?.result) ?? null
    this.last.set(world, { run, result, before })
    return before
  }
}

export const [useEarlierEnds] = partOf(() => new EarlierEnds())

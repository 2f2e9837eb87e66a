/** Analysis of an opened match by the trained network of the page, as by the command `vivarium analyze`. */
import { tools } from '../../../engine/page/tools'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import type { Explained } from '../../../lib/problem'
import { withStep } from '../model/matchAnalysis'
import { SteppedTask } from './steppedTask.svelte'

const lost: Explained = {
  message: 'The analysis is no longer in memory.',
  hint: 'Close the match, open and analyze it again, or export the analysis as JSON.',
}

/** Search depths of the analysis, in plies. */
export const depths = [1, 2] as const
export type Plies = (typeof depths)[number]

export class MatchAnalysis extends SteppedTask {
  /** The rated actions; null before the start. */
  analyzed = $state.raw<AnalyzedMatch | null>(null)
  complete = $state(false)
  /** Search depth in plies. */
  plies = $state<Plies>(1)
  /** The match in JSON. */
  #match = ''

  /** Shows the analysis of a match, which is kept if the match is the same as before. */
  show(match: PlayedMatch): void {
    const json = JSON.stringify(match)
    if (json === this.#match) return
    this.#match = json
    this.#drop()
  }

  /** Sets the search depth. An analysis with another depth is dropped. */
  select(plies: Plies): void {
    if (plies === this.plies) return
    this.plies = plies
    this.#drop()
  }

  #drop(): void {
    this.stop()
    this.begun = this.complete = false
    this.analyzed = null
  }

  /** Rates the actions one after another, until all are rated or the analysis is stopped. */
  async start(): Promise<void> {
    if (this.running || this.complete) return
    const match = this.#match
    await this.run(
      (checkpoint) =>
        tools.ask('analyzeMatch', {
          match: JSON.parse(match) as PlayedMatch,
          checkpoint,
          plies: this.plies,
        }),
      (begun) => (this.analyzed = begun),
      async () => {
        const step = await tools.ask('rateNext', {})
        // The match was replaced, or the search depth changed, in the meantime.
        if (match !== this.#match || !this.analyzed) return false
        // The worker does not repeat a step: the results of a stopped analysis contain it.
        if (step) this.analyzed = withStep(this.analyzed, step)
        else this.complete = true
        return step !== null
      },
    )
  }

  /** Returns the analysis so far as text. Throws a problem if the worker has lost it. */
  async text(): Promise<string> {
    const text = this.begun ? await tools.ask('analysisText', {}) : null
    if (text === null) throw lost
    return text
  }
}

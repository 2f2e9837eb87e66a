/** Analysis of an opened match by the trained network of the page, as by the command `vivarium analyze`. */
import { tools } from '../../../engine/page/tools'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import type { Explained } from '../../../lib/problem'
import { toasts } from '../../../state/toasts.svelte'
import { network, unreachable } from '../../shared/networks'
import { withStep } from '../model/matchAnalysis'

const lost: Explained = {
  message: 'The analysis is no longer in memory.',
  hint: 'Close the match, open and analyze it again, or export the analysis as JSON.',
}

/** Search depths of the analysis, in plies. */
export const depths = [1, 2] as const
export type Plies = (typeof depths)[number]

export class MatchAnalysis {
  /** The rated actions; null before the start. */
  analyzed = $state.raw<AnalyzedMatch | null>(null)
  running = $state(false)
  complete = $state(false)
  /** Search depth in plies. */
  plies = $state<Plies>(1)
  /** The match in JSON. */
  #match = ''
  /** Whether the worker has the match. */
  #begun = false
  /** Number of the current start; an earlier one is stopped. */
  #starts = 0

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
    this.#begun = this.complete = false
    this.analyzed = null
  }

  /** Rates the actions one after another, until all are rated or the analysis is stopped. */
  async start(): Promise<void> {
    if (this.running || this.complete) return
    const start = ++this.#starts
    const match = this.#match
    const isStopped = () => start !== this.#starts
    this.running = true
    try {
      if (!this.#begun) {
        const checkpoint = await network('backgammon')
        if (isStopped()) return
        if (!checkpoint) throw unreachable
        const begun = await tools.ask('analyzeMatch', {
          match: JSON.parse(this.#match) as PlayedMatch,
          checkpoint,
          plies: this.plies,
        })
        if (isStopped()) return
        this.analyzed = begun
        this.#begun = true
      }
      while (!isStopped()) {
        const step = await tools.ask('rateNext', {})
        // The worker does not repeat a step: the results of a stopped analysis contain it.
        if (step && match === this.#match && this.analyzed) this.analyzed = withStep(this.analyzed, step)
        if (isStopped()) return
        if (!step) {
          this.complete = true
          this.stop()
        }
      }
    } catch (problem) {
      if (isStopped()) return
      // The worker may have been terminated.
      this.#begun = false
      this.stop()
      toasts.error(problem)
    }
  }

  /** Stops the analysis, which keeps its results and can be resumed. */
  stop(): void {
    this.#starts++
    this.running = false
  }

  /** Returns the analysis so far as text. Throws a problem if the worker has lost it. */
  async text(): Promise<string> {
    const text = this.#begun ? await tools.ask('analysisText', {}) : null
    if (text === null) throw lost
    return text
  }
}

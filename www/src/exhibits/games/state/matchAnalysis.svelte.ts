/** Analysis of an opened match by the trained network of the page, as by the command `vivarium analyze`. */
import { tools } from '../../../engine/page/tools'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import { toasts } from '../../../state/toasts.svelte'
import { network, unreachable } from '../../shared/networks'

export class MatchAnalysis {
  /** The rated actions; null before the first one. */
  analyzed = $state.raw<AnalyzedMatch | null>(null)
  running = $state(false)
  complete = $state(false)
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
    this.stop()
    this.#match = json
    this.#begun = this.complete = false
    this.analyzed = null
  }

  /** Rates the actions one after another, until all are rated or the analysis is stopped. */
  async start(): Promise<void> {
    if (this.running || this.complete) return
    const start = ++this.#starts
    const isStopped = () => start !== this.#starts
    this.running = true
    try {
      if (!this.#begun) {
        const checkpoint = await network('backgammon')
        if (isStopped()) return
        if (!checkpoint) throw unreachable
        await tools.ask('analyzeMatch', { match: JSON.parse(this.#match) as PlayedMatch, checkpoint })
        if (isStopped()) return
        this.#begun = true
      }
      while (!isStopped()) {
        const analyzed = await tools.ask('rateNext', {})
        if (isStopped()) return
        if (analyzed) this.analyzed = analyzed
        else {
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
}

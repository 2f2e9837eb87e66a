/** Task of the tools with the trained network of backgammon, in steps: it can be stopped between two steps, and resumed. */
import { toasts } from '../../../state/toasts.svelte'
import { network, unreachable } from '../../shared/networks'

export abstract class SteppedTask {
  running = $state(false)
  /** Whether the worker has the subject of the task. */
  protected begun = false
  /** Number of the current start; an earlier one is stopped. */
  #starts = 0

  /** Stops the task, which keeps its results and can be resumed. */
  stop(): void {
    this.#starts++
    this.running = false
  }

  /**
   * Sends the subject to the worker with `begin` unless the worker has it, and passes the response to `receive`. Then performs steps
   * until one returns false or the task is stopped. Shows the problem of a failure and returns it; otherwise returns null.
   */
  protected async run<T>(
    begin: (checkpoint: Uint8Array) => Promise<T>,
    receive: (begun: T) => void,
    step: () => Promise<boolean>,
  ): Promise<unknown> {
    const start = ++this.#starts
    const isStopped = () => start !== this.#starts
    this.running = true
    try {
      if (!this.begun) {
        const checkpoint = await network('backgammon')
        if (isStopped()) return null
        if (!checkpoint) throw unreachable
        const begun = await begin(checkpoint)
        if (isStopped()) return null
        receive(begun)
        this.begun = true
      }
      while (!isStopped() && (await step()));
      if (!isStopped()) this.stop()
      return null
    } catch (problem) {
      if (isStopped()) return null
      // The worker may have been terminated.
      this.begun = false
      this.stop()
      toasts.error(problem)
      return problem
    }
  }
}

/** Part of the page that a menu needs: loaded in advance, and again when it is used after a failure. */
import { toasts } from '../../../state/toasts.svelte'

export class LoadedPart<T> {
  #part = $state.raw<T | null>(null)
  /** Whether the first request has ended, successfully or not. */
  isSettled = $state(false)
  #isLoading = false

  constructor(private readonly load: () => Promise<T>) {
    void this.#request().catch(() => {})
  }

  async #request(): Promise<void> {
    this.#isLoading = true
    try {
      this.#part = await this.load()
    } finally {
      this.#isLoading = false
      this.isSettled = true
    }
  }

  /** Returns the part; null if it is not loaded. After a failure, loads it again and calls `use`, or shows the error. */
  get(use: () => void): T | null {
    if (this.#part === null && !this.#isLoading) void this.#retry(use)
    return this.#part
  }

  async #retry(use: () => void): Promise<void> {
    try {
      await this.#request()
      use()
    } catch (problem) {
      toasts.error(problem, { label: 'Try again', run: () => this.#isLoading || void this.#retry(use) })
    }
  }
}

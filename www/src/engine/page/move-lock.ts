/** Asynchronous mutex, held while an experiment moves between workers. */
export class MoveLock {
  #moving: Promise<void> | null = null

  get busy(): boolean {
    return this.#moving !== null
  }

  /** Resolves when the current holder releases the lock; another holder may have acquired it by then. */
  async released(): Promise<void> {
    await this.#moving
  }

  /** Runs `move` with the lock held. */
  async run<T>(move: () => Promise<T>): Promise<T> {
    while (this.#moving) await this.#moving
    let done = () => {}
    this.#moving = new Promise((end) => (done = end))
    try {
      return await move()
    } finally {
      this.#moving = null
      done()
    }
  }
}

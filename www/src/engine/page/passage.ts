/** A passage for one at a time: what is on its way through cannot be sent elsewhere. */
export class Passage {
  #moving: Promise<void> | null = null

  get busy(): boolean {
    return this.#moving !== null
  }

  /** Resolves when what is on its way has arrived; something else may be on its way by then. */
  async arrival(): Promise<void> {
    await this.#moving
  }

  /** Runs `move` once nothing else is on its way. */
  async through<T>(move: () => Promise<T>): Promise<T> {
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

/** Typed event emitter. */
export class Emitter<Events> {
  #handlers: { [K in keyof Events]?: Set<(value: Events[K]) => void> } = {}

  /** Subscribes to an event; returns a function that unsubscribes. */
  on<K extends keyof Events>(event: K, handler: (value: Events[K]) => void): () => void {
    const handlers: Set<(value: Events[K]) => void> = (this.#handlers[event] ??= new Set())
    handlers.add(handler)
    return () => handlers.delete(handler)
  }

  emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const handler of this.#handlers[event] ?? []) handler(value)
  }

  clear(): void {
    this.#handlers = {}
  }
}

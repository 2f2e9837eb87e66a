// Message loop of the workers. A worker of a library has two functions: `start` loads the library, `prepare` returns the
// computation of a workload.

/**
 * Calls the library's functions on request, and measures.
 *
 * - `start(threads)`
 * - `prepare(workload, given)`: `given` has inputs and parameters, and `onnx` of a forward pass; absent for Vivarium. Returns
 *   `results()`, which computes the workload and returns groups of named arrays, and `run()`, which only computes. `null` if the
 *   library cannot compute the workload.
 */
export function serve({ start, prepare }) {
  let prepared = null
  const handlers = {
    start,
    async prepare({ workload, given }) {
      prepared?.free?.()
      prepared = await prepare(workload, given)
      return prepared ? prepared.results() : null
    },
    /** Returns calls per second over at least `milliseconds`. */
    async measure(milliseconds) {
      const began = performance.now()
      let [calls, passed] = [0, 0]
      while (passed < milliseconds) {
        const done = prepared.run()
        if (done instanceof Promise) await done
        calls++
        passed = performance.now() - began
      }
      return (1000 * calls) / passed
    },
  }
  self.onmessage = async ({ data: { kind, args } }) => {
    try {
      self.postMessage({ value: await handlers[kind](args) })
    } catch (error) {
      self.postMessage({ error: String(error?.stack ?? error?.problem?.message ?? error) })
    }
  }
  self.postMessage({ value: null })
}

// Message loop of the workers. A worker of a library has two functions: `start` loads the library, `prepare` returns the
// computation of a workload.

/** Shortest repetition in milliseconds: a hundred times the resolution of the clock. */
const shortest = 0.5

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
    /**
     * Measures for at least `milliseconds`. Returns calls per second: `mean` of all calls, and `fastest` of repetitions that last long
     * enough for the clock, since other load on the machine only lengthens a repetition.
     */
    async measure(milliseconds) {
      const began = performance.now()
      let [calls, batch, fastest, passed] = [0, 1, 0, 0]
      while (passed < milliseconds || fastest === 0) {
        const start = performance.now()
        for (let call = 0; call < batch; call++) {
          const done = prepared.run()
          if (done instanceof Promise) await done
        }
        const took = performance.now() - start
        calls += batch
        if (took < shortest) batch *= 2
        else fastest = Math.max(fastest, (1000 * batch) / took)
        passed = performance.now() - began
      }
      return { mean: (1000 * calls) / passed, fastest }
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

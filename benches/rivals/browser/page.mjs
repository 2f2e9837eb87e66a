// The page of the comparison: starts the workers of all libraries, and forwards requests to one of them at a time.
import { largestDifference } from './results.mjs'

/** @type {Worker[]} */
const workers = []

/** Returns the next message of a worker. */
function next(worker) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.value))
    worker.onerror = (event) => reject(new Error(`${event.message || 'The worker could not be loaded.'}`))
  })
}

function ask(index, kind, args) {
  const answer = next(workers[index])
  workers[index].postMessage({ kind, args })
  return answer
}

Object.assign(globalThis, {
  comparison: {
    /** Starts the worker of a library with a number of threads. */
    async open(url, type, threads) {
      const worker = new Worker(url, { type })
      workers.push(worker)
      await next(worker)
      await ask(workers.length - 1, 'start', threads)
    },

    /**
     * Prepares a workload in all workers. `references` are the workers of Vivarium, whose results must be equal bit for bit. Returns
     * for each worker the largest difference from them; `null` if a library cannot compute the workload, or its error.
     */
    async prepare(workload, references) {
      const [first, ...others] = references
      const { onnx, inputs, parameters, ...expected } = await ask(first, 'prepare', { workload })
      const given = { onnx, inputs, parameters }
      const found = []
      for (const index of workers.keys()) {
        if (index === first) {
          found.push({ name: '', value: 0 })
          continue
        }
        try {
          const results = await ask(index, 'prepare', { workload, given })
          found.push(results && largestDifference(expected, results))
        } catch (error) {
          found.push({ name: '', value: Infinity, error: error.message })
        }
        const differs = others.includes(index) && found.at(-1).value !== 0
        if (differs) throw new Error(`${workload.name}: results depend on the number of threads.`)
      }
      return found
    },

    /** Measures the prepared workload in one worker: calls per second. */
    measure: (index, milliseconds) => ask(index, 'measure', milliseconds),
  },
})

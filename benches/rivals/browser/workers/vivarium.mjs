// Vivarium: the wasm module of crates/web with the feature `comparison`.
import { serve } from './serve.mjs'

let module, pool

serve({
  async start(threads) {
    module = await import('/module/vivarium.js')
    await module.default()
    if (threads > 1) await module.initThreadPool(threads)
    pool = threads
  },
  prepare({ network, rows, gradient }) {
    const workload = new module.Workload(network, rows, Boolean(gradient), pool)
    return {
      run: () => workload.run(1),
      results() {
        workload.run(1)
        return { ...workload.arrays(), onnx: gradient ? null : workload.onnx() }
      },
      free: () => workload.free(),
    }
  },
})

// ONNX Runtime Web: forward passes of the exported network.
import * as ort from '/node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs'
import { serve } from './serve.mjs'

let threads

/** Returns an input as a tensor: indices are int64, in batches of sequences without the last dimension. */
function tensor(name, { shape, data }) {
  if (name !== 'tokens') return new ort.Tensor('float32', data, shape)
  return new ort.Tensor('int64', BigInt64Array.from(data, BigInt), shape.slice(0, -1))
}

serve({
  start(count) {
    threads = count
    ort.env.wasm.numThreads = threads
    ort.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/'
  },
  async prepare(_, { inputs, onnx }) {
    if (!onnx) return null
    const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }
    const session = await ort.InferenceSession.create(onnx, options)
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensor(name, inputs[name])]))
    return {
      run: () => session.run(feeds),
      async results() {
        const outputs = await session.run(feeds)
        return {
          outputs: Object.fromEntries(
            session.outputNames.map((name) => [name, { data: outputs[name].data }]),
          ),
        }
      },
      free: () => session.release(),
    }
  },
})

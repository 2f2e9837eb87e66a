// jax-js with its wasm backend, compiled by `jit`. An argument of an operation is consumed; `.ref` keeps the array for a later use.
import { serve } from './serve.mjs'

let jax, np

const linear = (p, name, x) => np.matmul(x, p[`${name}.weight`].ref).add(p[`${name}.bias`].ref)

function norm(p, name, x) {
  const centered = x.ref.sub(np.mean(x, -1, { keepdims: true }))
  const variance = np.mean(np.square(centered.ref), -1, { keepdims: true })
  const normalized = centered.div(np.sqrt(variance.add(1e-5)))
  return normalized.mul(p[`${name}.weight`].ref).add(p[`${name}.bias`].ref)
}

const relu = (x) => np.maximum(x, 0)

const networks = {
  product: (p, { x }) => ({ y: np.matmul(x, p['product.weight'].ref) }),

  residual_mlp(p, { board }) {
    const layer = (name, x, skip) => {
      const h = norm(p, `${name}.norm`, linear(p, name, x))
      return relu(skip ? h.add(skip) : h)
    }
    let h = layer('stem', board)
    for (let block = 0; block < 3; block++) h = layer(`block.${block}.1`, layer(`block.${block}.0`, h.ref), h)
    const hidden = relu(linear(p, 'value.hidden', h.ref))
    return { policy: linear(p, 'policy', h), value: linear(p, 'value', hidden) }
  },
}

const arrays = (given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, { shape, data }]) => [name, np.array(data).reshape(shape)]),
  )
const each = (results, call) =>
  Object.fromEntries(Object.entries(results).map(([name, array]) => [name, call(array)]))

serve({
  async start(threads) {
    // The library starts a thread for each core.
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: threads })
    jax = await import('/node_modules/@jax-js/jax/dist/index.js')
    np = jax.numpy
    await jax.init('wasm')
    jax.defaultDevice('wasm')
  },
  async prepare({ network, gradient }, given) {
    const definition = networks[network.split('/')[0]]
    if (gradient || !definition) return null
    const [parameters, inputs] = [arrays(given.parameters), arrays(given.inputs)]
    const compiled = jax.jit(definition)
    const compute = () =>
      compiled(
        each(parameters, (array) => array.ref),
        each(inputs, (array) => array.ref),
      )
    return {
      async run() {
        const results = compute()
        await jax.blockUntilReady(results)
        each(results, (array) => array.dispose())
      },
      async results() {
        const outputs = {}
        for (const [name, array] of Object.entries(compute())) outputs[name] = { data: await array.data() }
        return { outputs }
      },
    }
  },
})

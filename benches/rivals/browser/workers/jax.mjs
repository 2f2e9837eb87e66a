// jax-js with its wasm backend, compiled by `jit`. An argument of an operation is consumed; `.ref` keeps the array for a later use.
import { serve } from './serve.mjs'

let jax, np, nn

const linear = (p, name, x) => np.matmul(x, p[`${name}.weight`].ref).add(p[`${name}.bias`].ref)

function norm(p, name, x) {
  const centered = x.ref.sub(np.mean(x, -1, { keepdims: true }))
  const variance = np.mean(np.square(centered.ref), -1, { keepdims: true })
  const normalized = centered.div(np.sqrt(variance.add(1e-5)))
  return normalized.mul(p[`${name}.weight`].ref).add(p[`${name}.bias`].ref)
}

const relu = (x) => np.maximum(x, 0)
const indices = (x) => np.ravel(x.ref).astype(np.int32)
const oneHot = (x, count) => nn.oneHot(indices(x), count)

/** Transformer from the embedded tokens, [batch · context, width], to the logits, [batch · context, vocabulary]. */
function logits(p, words) {
  const [layers, heads] = [4, 4]
  const [context, width] = p['wpe.weight'].shape
  const split = (x) => np.reshape(x, [-1, context, heads, width / heads])
  let x = np.reshape(np.reshape(words, [-1, context, width]).add(p['wpe.weight'].ref), [-1, width])
  for (let layer = 0; layer < layers; layer++) {
    const name = `h.${layer}`
    const qkv = linear(p, `${name}.attn.c_attn`, norm(p, `${name}.ln_1`, x.ref))
    const [q, k, v] = np.split(qkv, 3, -1).map(split)
    const attended = np.reshape(nn.dotProductAttention(q, k, v, { isCausal: true }), [-1, width])
    x = linear(p, `${name}.attn.c_proj`, attended).add(x)
    const hidden = nn.gelu(linear(p, `${name}.mlp.c_fc`, norm(p, `${name}.ln_2`, x.ref)))
    x = linear(p, `${name}.mlp.c_proj`, hidden).add(x)
  }
  return np.matmul(norm(p, 'ln_f', x), np.transpose(p['lm_head.weight'].ref))
}

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

  transformer: (p, { tokens }) => ({
    logits: logits(p, np.take(p['wte.weight'].ref, indices(tokens), 0)),
  }),
}

/** Losses of the gradients, before the mean. */
const losses = {
  transformer(p, { tokens, targets }) {
    const [vocabulary] = p['wte.weight'].shape
    // `jit` fails on the gradient of `take`; the product with one-hot rows is the same.
    const words = np.matmul(oneHot(tokens, vocabulary), p['wte.weight'].ref)
    const found = nn.logSoftmax(logits(p, words))
    return np.negative(np.sum(found.mul(oneHot(targets, vocabulary)), -1))
  },

  actor_critic(p, inputs) {
    const column = (name) => np.ravel(inputs[name].ref)
    let h = inputs.observation.ref
    for (const name of ['torso.0', 'torso.1']) h = np.tanh(linear(p, name, h))
    const logProbabilities = nn.logSoftmax(linear(p, 'policy', h.ref))
    const value = np.ravel(linear(p, 'value', h))
    const chosen = np.sum(logProbabilities.ref.mul(oneHot(inputs.action, 2)), -1)
    const ratio = np.exp(chosen.sub(column('old_log_probability')))
    const clipped = np.clip(ratio.ref, 0.8, 1.2).mul(column('advantage'))
    const surrogate = np.minimum(ratio.mul(column('advantage')), clipped)
    const near = np.clip(value.ref.sub(column('old_value')), -0.2, 0.2).add(column('old_value'))
    const [error, nearError] = [value, near].map((estimate) => np.square(estimate.sub(column('return'))))
    const valueLoss = np.maximum(error, nearError).mul(0.25)
    const entropy = np.negative(np.sum(np.exp(logProbabilities.ref).mul(logProbabilities), -1))
    return valueLoss.sub(surrogate).sub(entropy.mul(0.01))
  },
}

const arrays = (given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, { shape, data }]) => [name, np.array(data).reshape(shape)]),
  )
const each = (results, call) =>
  Object.fromEntries(Object.entries(results).map(([name, array]) => [name, call(array)]))

/** Returns the compiled computation of a workload: a function of parameters and inputs to groups of named arrays. */
function compiled(network, gradient) {
  if (!gradient) {
    const forward = jax.jit(networks[network])
    return (parameters, inputs) => ({ outputs: forward(parameters, inputs) })
  }
  return jax.jit((parameters, inputs) => {
    const of = (parameters) => {
      const rows = losses[network](parameters, inputs)
      return [np.mean(rows.ref), rows]
    }
    const [[, rows], gradients] = jax.valueAndGrad(of, { hasAux: true })(parameters)
    return { outputs: { losses: rows }, gradients }
  })
}

serve({
  async start(threads) {
    // The library starts a thread for each core.
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: threads })
    jax = await import('/node_modules/@jax-js/jax/dist/index.js')
    ;({ numpy: np, nn } = jax)
    await jax.init('wasm')
    jax.defaultDevice('wasm')
  },
  async prepare({ network, gradient }, given) {
    const [parameters, inputs] = [arrays(given.parameters), arrays(given.inputs)]
    const call = compiled(network.split('/')[0], gradient)
    const compute = () =>
      call(
        each(parameters, (array) => array.ref),
        each(inputs, (array) => array.ref),
      )
    return {
      async run() {
        const groups = compute()
        for (const results of Object.values(groups)) {
          await jax.blockUntilReady(results)
          each(results, (array) => array.dispose())
        }
      },
      async results() {
        const groups = {}
        for (const [group, results] of Object.entries(compute())) {
          groups[group] = {}
          for (const [name, array] of Object.entries(results))
            groups[group][name] = { data: await array.data() }
        }
        return groups
      },
    }
  },
})

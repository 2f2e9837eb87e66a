// TensorFlow.js with its wasm backend. A classic worker, since the packages for browsers are classic scripts.
/* global tf */
importScripts(
  '/node_modules/@tensorflow/tfjs/dist/tf.min.js',
  '/node_modules/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js',
)

const networks = {
  product: (p, { x }) => ({ y: tf.matMul(x, p['product.weight']) }),

  residual_mlp(p, { board }) {
    const layer = (name, x, skip) => {
      const h = norm(p, `${name}.norm`, linear(p, name, x))
      return tf.relu(skip ? tf.add(h, skip) : h)
    }
    let h = layer('stem', board)
    for (let block = 0; block < 3; block++) h = layer(`block.${block}.1`, layer(`block.${block}.0`, h), h)
    const hidden = linear(p, 'value.hidden', h, 'relu')
    return { policy: linear(p, 'policy', h), value: linear(p, 'value', hidden) }
  },

  transformer: (p, inputs) => ({
    logits: logits(p, tf.gather(p['wte.weight'], inputs.tokens.flatten().toInt())),
  }),
}

/** Losses of the gradients, before the mean. */
const losses = {
  transformer(p, { tokens, targets }) {
    const [vocabulary, width] = p['wte.weight'].shape
    // The backend has no gradient of `gather`; the product with one-hot rows is the same.
    const words = tf.matMul(oneHot(tokens, vocabulary), p['wte.weight']).reshape([-1, width])
    const found = tf.logSoftmax(logits(p, words)).reshape([-1, vocabulary])
    return tf.neg(tf.sum(tf.mul(found, oneHot(targets, vocabulary)), -1))
  },

  actor_critic(p, inputs) {
    const column = (name) => inputs[name].flatten()
    let h = inputs.observation
    for (const name of ['torso.0', 'torso.1']) h = tf.tanh(linear(p, name, h))
    const logProbabilities = tf.logSoftmax(linear(p, 'policy', h))
    const value = linear(p, 'value', h).flatten()
    const chosen = tf.sum(tf.mul(logProbabilities, oneHot(inputs.action, 2)), -1)
    const ratio = tf.exp(tf.sub(chosen, column('old_log_probability')))
    const advantage = column('advantage')
    const surrogate = tf.minimum(tf.mul(ratio, advantage), tf.mul(tf.clipByValue(ratio, 0.8, 1.2), advantage))
    const old = column('old_value')
    const near = tf.add(old, tf.clipByValue(tf.sub(value, old), -0.2, 0.2))
    const errors = [value, near].map((estimate) => tf.square(tf.sub(estimate, column('return'))))
    const valueLoss = tf.mul(tf.maximum(...errors), 0.25)
    const entropy = tf.neg(tf.sum(tf.mul(tf.exp(logProbabilities), logProbabilities), -1))
    return tf.sub(tf.sub(valueLoss, surrogate), tf.mul(entropy, 0.01))
  },
}

const oneHot = (indices, count) => tf.oneHot(indices.flatten().toInt(), count).toFloat()

function linear(p, name, x, activation = 'linear') {
  return tf.fused.matMul({ a: x, b: p[`${name}.weight`], bias: p[`${name}.bias`], activation })
}

function norm(p, name, x) {
  const { mean, variance } = tf.moments(x, -1, true)
  const normalized = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5)))
  return tf.add(tf.mul(normalized, p[`${name}.weight`]), p[`${name}.bias`])
}

/** GELU with the tanh approximation. */
function gelu(x) {
  const argument = tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), Math.sqrt(2 / Math.PI))
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(argument), 1))
}

/** Transformer from the embedded tokens, [batch · context, width], to the logits. */
function logits(p, words) {
  const [layers, heads] = [4, 4]
  const [context, width] = p['wpe.weight'].shape
  const split = (x) => tf.transpose(tf.reshape(x, [-1, context, heads, width / heads]), [0, 2, 1, 3])
  const mask = causalMask(context)
  let x = tf.reshape(tf.add(tf.reshape(words, [-1, context, width]), p['wpe.weight']), [-1, width])
  for (let layer = 0; layer < layers; layer++) {
    const name = `h.${layer}`
    const qkv = linear(p, `${name}.attn.c_attn`, norm(p, `${name}.ln_1`, x))
    const [q, k, v] = tf.split(qkv, 3, -1).map(split)
    const scores = tf.add(tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(width / heads)), mask)
    const attended = tf.transpose(tf.matMul(tf.softmax(scores), v), [0, 2, 1, 3])
    x = tf.add(linear(p, `${name}.attn.c_proj`, tf.reshape(attended, [-1, width])), x)
    const hidden = gelu(linear(p, `${name}.mlp.c_fc`, norm(p, `${name}.ln_2`, x)))
    x = tf.add(linear(p, `${name}.mlp.c_proj`, hidden), x)
  }
  return tf.matMul(norm(p, 'ln_f', x), p['lm_head.weight'], false, true)
}

const masks = new Map()
/** Returns 0 for visible keys and −10⁹ for later keys, [context, context]. */
function causalMask(context) {
  if (!masks.has(context)) {
    const rows = Array.from({ length: context }, (_, query) =>
      Array.from({ length: context }, (_, key) => (key <= query ? 0 : -1e9)),
    )
    masks.set(context, tf.keep(tf.tensor2d(rows)))
  }
  return masks.get(context)
}

const tensors = (arrays) =>
  Object.fromEntries(
    Object.entries(arrays).map(([name, { shape, data }]) => [name, tf.keep(tf.tensor(data, shape))]),
  )
const values = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, { data: tensor.dataSync() }]))

function forward(network, parameters, inputs) {
  const compute = () => networks[network](parameters, inputs)
  return {
    run: () => tf.tidy(() => void compute()),
    results: () => tf.tidy(() => ({ outputs: values(compute()) })),
  }
}

function gradient(network, parameters, inputs) {
  const names = Object.keys(parameters)
  const named = (list) => Object.fromEntries(names.map((name, index) => [name, list[index]]))
  const gradients = tf.grads((...list) => tf.mean(losses[network](named(list), inputs)))
  const compute = () => gradients(Object.values(parameters))
  return {
    run: () => tf.tidy(() => void compute()),
    results: () =>
      tf.tidy(() => ({
        outputs: values({ losses: losses[network](parameters, inputs) }),
        gradients: values(named(compute())),
      })),
  }
}

import('./serve.mjs').then(({ serve }) =>
  serve({
    async start(threads) {
      // The backend starts at most one thread for two logical cores.
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 * threads })
      tf.wasm.setWasmPaths('/node_modules/@tensorflow/tfjs-backend-wasm/dist/')
      tf.wasm.setThreadsCount(threads)
      await tf.setBackend('wasm')
      await tf.ready()
      if (tf.getBackend() !== 'wasm') throw new Error(`The backend is ${tf.getBackend()}.`)
      if (tf.wasm.getThreadsCount() !== threads) throw new Error(`${tf.wasm.getThreadsCount()} threads`)
    },
    prepare(workload, given) {
      const [network] = workload.network.split('/')
      const [parameters, inputs] = [tensors(given.parameters), tensors(given.inputs)]
      const of = workload.gradient ? gradient : forward
      const free = () => tf.dispose([parameters, inputs])
      return { ...of(network, parameters, inputs), free }
    },
  }),
)

// The measured workloads: networks of crates/graph/src/bench_networks.rs.

/**
 * @typedef {object} Workload
 * @property {string} name Name of the figure.
 * @property {string} network Name of the network in `crates/web/src/comparison.rs`.
 * @property {number} rows Rows of the batch.
 * @property {boolean} [gradient] Whether the gradient of the mean loss is measured instead of the forward pass.
 * @property {string} unit
 * @property {number} work Work of one call, in units × seconds.
 */

const products = [256, 512].map((side) => ({
  name: `browser/product/${side}`,
  network: `product/${side}`,
  rows: side,
  unit: 'GFLOP/s',
  work: 2e-9 * side ** 3,
}))
const forward = [1, 64, 256].map((rows) => ({
  name: `browser/residual_mlp/${rows}`,
  network: 'residual_mlp',
  rows,
  unit: 'states/s',
  work: rows,
}))
const [sequences, tokens, minibatch] = [12, 64, 4096]
const transformer = { network: 'transformer', rows: sequences, unit: 'tokens/s', work: sequences * tokens }

/** @type {Workload[]} */
export const workloads = [
  ...products,
  ...forward,
  { name: 'browser/transformer/forward', ...transformer },
  { name: 'browser/transformer/gradient', ...transformer, gradient: true },
  {
    name: 'browser/ppo/gradient',
    network: 'actor_critic',
    rows: minibatch,
    gradient: true,
    unit: 'rows/s',
    work: minibatch,
  },
]

// Names of the experiments, for scripts and end-to-end tests that iterate over them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** The descriptions of all experiments, in display order. */
export const experiments = JSON.parse(readFileSync(join(root, 'www/src/protocol/experiments.json'), 'utf8'))

/** Returns the names of a family's experiments, in display order. */
export const worldsOf = (family) =>
  experiments.filter(({ world }) => world.kind === family).map(({ name }) => name)

/** Experiments whose exhibits consist of the components of CartPole and FrozenLake, so that tests of components can omit them. */
export const alike = ['mountain-car', 'pendulum', 'acrobot', 'frozen-lake-8x8']

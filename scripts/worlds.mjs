// Names of the experiments, for scripts and end-to-end tests that iterate over them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** Returns the names of a family's experiments, in display order. */
export function worldsOf(family) {
  const experiments = JSON.parse(readFileSync(join(root, 'www/src/protocol/experiments.json'), 'utf8'))
  return experiments.filter(({ world }) => world.kind === family).map(({ name }) => name)
}

// Refuses a crate that depends on one above it, and a folder of the page that imports one above it: arrows point down only
// (ARCHITECTURE.md).
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkPage } from './page-layers.mjs'

/** What each crate may know, the crates that stand below it. */
const MAY_KNOW = {
  config: [],
  kernels: [],
  graph: ['kernels'],
  envs: ['config', 'kernels'],
  mcts: ['kernels', 'envs'],
  gpu: ['kernels', 'graph', 'envs'],
  agents: ['config', 'kernels', 'graph', 'envs', 'mcts', 'gpu'],
  'logic-ca': ['config', 'kernels', 'graph', 'gpu'],
  lm: ['config', 'kernels', 'graph', 'gpu'],
  lab: ['config', 'kernels', 'graph', 'envs', 'mcts', 'gpu', 'agents', 'logic-ca', 'lm'],
  cli: ['config', 'kernels', 'graph', 'envs', 'mcts', 'gpu', 'agents', 'logic-ca', 'lm', 'lab'],
  web: ['config', 'kernels', 'graph', 'envs', 'mcts', 'gpu', 'agents', 'logic-ca', 'lm', 'lab'],
}

const crates = new URL('../crates/', import.meta.url)
const wrong = []
for (const name of readdirSync(crates)) {
  const allowed = MAY_KNOW[name]
  if (!allowed) {
    wrong.push(`crates/${name} has no place in scripts/layers.mjs yet`)
    continue
  }
  const manifest = readFileSync(new URL(`${name}/Cargo.toml`, crates), 'utf8')
  for (const [, dependency] of manifest.matchAll(/^vivarium-([a-z-]+)\b/gm)) {
    if (!allowed.includes(dependency)) wrong.push(`crates/${name} may not depend on crates/${dependency}`)
  }
}
const page = checkPage(fileURLToPath(new URL('../www/src', import.meta.url)))
wrong.push(...page.wrong)
for (const ring of page.rings) console.log(`www/src, files that import each other: ${ring}`)
for (const line of wrong) console.error(line)
if (!wrong.length) console.log('layers: arrows point down only')
process.exit(wrong.length ? 1 : 0)

// Checks the dependency direction of crates and of the page's folders (ARCHITECTURE.md).
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkPage } from './page-layers.mjs'

/** Crates that all crates above the engines may depend on. */
const LOWER = ['config', 'kernels', 'graph', 'gpu']
/** Exhibit crates; their packages are named vivarium-exhibit-control and so on. */
const EXHIBITS = ['control', 'cube', 'games', 'language', 'logic-ca'].map((name) => `exhibit-${name}`)

/** Allowed dependencies of each crate. */
const MAY_KNOW = {
  config: [],
  kernels: [],
  graph: ['kernels'],
  envs: ['config', 'kernels'],
  mcts: ['kernels', 'envs'],
  gpu: ['kernels', 'graph', 'envs'],
  learn: ['config', 'kernels', 'graph', 'gpu'],
  agents: ['config', 'kernels', 'graph', 'envs', 'mcts', 'gpu', 'learn'],
  'logic-ca': ['config', 'kernels', 'graph', 'gpu', 'learn'],
  lm: ['config', 'kernels', 'graph', 'gpu', 'learn'],
  lab: ['config', 'kernels', 'graph', 'gpu', 'learn'],
  'exhibits/control': [...LOWER, 'envs', 'agents', 'lab'],
  'exhibits/cube': [...LOWER, 'envs', 'agents', 'lab'],
  'exhibits/games': [...LOWER, 'envs', 'mcts', 'agents', 'lab'],
  'exhibits/language': [...LOWER, 'lm', 'lab'],
  'exhibits/logic-ca': [...LOWER, 'logic-ca', 'lab'],
  exhibits: ['config', 'graph', 'gpu', 'lab', ...EXHIBITS],
  cli: [...LOWER, 'envs', 'mcts', 'agents', 'logic-ca', 'lm', 'lab', 'exhibits', ...EXHIBITS],
  web: [...LOWER, 'envs', 'mcts', 'agents', 'logic-ca', 'lm', 'lab', 'exhibits'],
}

const crates = new URL('../crates/', import.meta.url)
const wrong = []
const folders = readdirSync(crates)
const exhibits = readdirSync(new URL('exhibits/', crates), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['src', 'tests'].includes(entry.name))
  .map(({ name }) => `exhibits/${name}`)
for (const name of [...folders, ...exhibits]) {
  const allowed = MAY_KNOW[name]
  if (!allowed) {
    wrong.push(`crates/${name} is missing in scripts/layers.mjs`)
    continue
  }
  const manifest = readFileSync(new URL(`${name}/Cargo.toml`, crates), 'utf8')
  for (const [, dependency] of manifest.matchAll(/^vivarium-([a-z-]+)\b/gm)) {
    if (!allowed.includes(dependency) && dependency !== name)
      wrong.push(`crates/${name} may not depend on crates/${dependency}`)
  }
}

/** Crates that must not access clocks and files, because front ends provide both. */
const WITHOUT_CLOCK_OR_FILES = Object.keys(MAY_KNOW).filter((name) => !['cli', 'web'].includes(name))
/** Modules that may access files: they read and write files for the native front end. */
const FILE_HELPERS = ['lab/src/checkpoint/file.rs', 'lm/src/data/files.rs']
const clockOrFile = /\bInstant::now|\bSystemTime\b|std::fs\b|\bFile::(open|create)\b|js_sys::Date/
for (const name of WITHOUT_CLOCK_OR_FILES) {
  const folder = `${name}/src/`
  for (const file of readdirSync(new URL(folder, crates), { recursive: true })) {
    if (!file.endsWith('.rs') || FILE_HELPERS.includes(folder + file)) continue
    if (clockOrFile.test(readFileSync(new URL(folder + file, crates), 'utf8')))
      wrong.push(`crates/${folder}${file} reads a clock or a file; only front ends may`)
  }
}

/** Crates whose callers choose the SIMD level. */
const AT_ANY_LEVEL = ['envs', 'mcts']
for (const name of AT_ANY_LEVEL) {
  for (const file of readdirSync(new URL(`${name}/src/`, crates), { recursive: true })) {
    if (!file.endsWith('.rs')) continue
    const code = readFileSync(new URL(`${name}/src/${file}`, crates), 'utf8').replace(/^\s*\/\/.*$/gm, '')
    if (/\bsimd::level\(\)|\bLevel::new\(\)/.test(code))
      wrong.push(`crates/${name}/src/${file} selects a SIMD level; only its callers may`)
  }
}

const page = checkPage(fileURLToPath(new URL('../www/src', import.meta.url)))
wrong.push(...page.wrong)
for (const ring of page.rings) console.log(`www/src, files that import each other: ${ring}`)
for (const line of wrong) console.error(line)
if (!wrong.length) console.log('layers: every crate and folder depends only on lower ones')
process.exit(wrong.length ? 1 : 0)

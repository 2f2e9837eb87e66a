// Checks the dependency direction of crates and of the page's folders (ARCHITECTURE.md), and that there are no import
// cycles.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeFolderCircles } from './circles.mjs'
import { crateImports } from './crate-imports.mjs'
import { checkPage } from './page-layers.mjs'

const crates = new URL('../crates/', import.meta.url)
/** Returns the folders in `folder` that are crates. */
const cratesIn = (folder) =>
  readdirSync(new URL(folder, crates))
    .map((name) => `${folder}${name}`)
    .filter((name) => existsSync(new URL(`${name}/Cargo.toml`, crates)))

/** Allowed dependencies of the crates that are neither a learner nor an exhibit. */
const MAY_KNOW = {
  config: [],
  kernels: [],
  graph: ['kernels'],
  envs: ['config', 'kernels'],
  mcts: ['kernels', 'envs'],
  gpu: ['kernels', 'graph', 'envs'],
  learn: ['config', 'kernels', 'graph', 'gpu'],
  lab: ['config', 'kernels', 'graph', 'gpu', 'learn'],
}
/** All other crates are learners, except those above the learners. */
const LEARNER = Object.keys(MAY_KNOW).filter((name) => name !== 'lab')
const learners = cratesIn('').filter(
  (name) => !(name in MAY_KNOW || ['exhibits', 'cli', 'web', 'web-tools', 'py'].includes(name)),
)
const EXHIBIT = [...Object.keys(MAY_KNOW), ...learners]
const exhibits = cratesIn('exhibits/')
for (const name of learners) MAY_KNOW[name] = LEARNER
for (const name of exhibits) MAY_KNOW[name] = EXHIBIT
/** The package of an exhibit, such as vivarium-exhibit-control. */
const packages = exhibits.map((name) => name.replace('exhibits/', 'exhibit-'))
MAY_KNOW.exhibits = [...EXHIBIT, ...packages]
MAY_KNOW.web = [...EXHIBIT, 'exhibits']
MAY_KNOW.cli = [...MAY_KNOW.web, ...packages]
MAY_KNOW['web-tools'] = MAY_KNOW.cli
MAY_KNOW.py = MAY_KNOW.cli

const wrong = []
for (const [name, allowed] of Object.entries(MAY_KNOW)) {
  const manifest = readFileSync(new URL(`${name}/Cargo.toml`, crates), 'utf8')
  for (const [, dependency] of manifest.matchAll(/^vivarium-([a-z-]+)\b/gm)) {
    if (!allowed.includes(dependency) && dependency !== name)
      wrong.push(`crates/${name} may not depend on crates/${dependency}`)
  }
}

/** Crates that must not access clocks and files, because front ends provide both. */
const WITHOUT_CLOCK_OR_FILES = Object.keys(MAY_KNOW).filter(
  (name) => !['cli', 'web', 'web-tools', 'py'].includes(name),
)
/** Modules that may access files: they read and write files for the native front end. */
const FILE_HELPERS = ['lab/src/checkpoint/file.rs', 'lm/src/data/files.rs']
const clockOrFile = /\bInstant::now|\bSystemTime\b|std::fs\b|\bFile::(open|create)\b|js_sys::Date/
for (const name of WITHOUT_CLOCK_OR_FILES) {
  const folder = `${name}/src/`
  for (const file of readdirSync(new URL(folder, crates), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.rs') || FILE_HELPERS.includes(folder + file)) continue
    if (clockOrFile.test(readFileSync(new URL(folder + file, crates), 'utf8')))
      wrong.push(`crates/${folder}${file} reads a clock or a file; only front ends may`)
  }
}

/** Crates whose callers choose the SIMD level. */
const AT_ANY_LEVEL = ['envs', 'mcts']
for (const name of AT_ANY_LEVEL) {
  for (const file of readdirSync(new URL(`${name}/src/`, crates), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.rs')) continue
    const code = readFileSync(new URL(`${name}/src/${file}`, crates), 'utf8').replace(/^\s*\/\/.*$/gm, '')
    if (/\bsimd::level\(\)|\bLevel::new\(\)/.test(code))
      wrong.push(`crates/${name}/src/${file} selects a SIMD level; only its callers may`)
  }
}

for (const name of Object.keys(MAY_KNOW)) {
  const folder = `${name}/src/`
  const all = readdirSync(new URL(folder, crates), { recursive: true, encoding: 'utf8' })
  const files = all.filter((file) => file.endsWith('.rs'))
  /** @returns {[string, string]} */
  const read = (file) => [`crates/${folder}${file}`, readFileSync(new URL(folder + file, crates), 'utf8')]
  wrong.push(...describeFolderCircles(crateImports(new Map(files.map(read)))))
}

wrong.push(...checkPage(fileURLToPath(new URL('../www/src', import.meta.url))))
for (const line of wrong) console.error(line)
if (!wrong.length) console.log('layers: every crate and folder depends only on lower ones, no import cycles')
process.exit(wrong.length ? 1 : 0)

// `npm test`: sets up, runs all checks and tests, and sums their results.
// `npm test -- rust wasm` runs only some parts.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, stopAll } from './run.mjs'
import { beginSetup } from './setup.mjs'
import { gpu, rust } from './tests/native.mjs'
import { endToEnd, page, wasm } from './tests/page.mjs'
import { pythonFull, pythonPackage } from './tests/python.mjs'
import { check, summary, work } from './tests/results.mjs'

async function style(setup) {
  await setup.all
  await check('prettier', 'prettier', ['--check', '.'])
  await check('rustfmt', 'cargo', ['fmt', '--all', '--check'])
  await check('rustfmt of files in macros', 'node', ['scripts/format-listed.mjs', '--check'])
  await check('ESLint', 'eslint', ['www', 'scripts', 'tests', 'benches'])
  await check('types of scripts and tests', 'tsc', ['--project', 'scripts/tsconfig.json'])
  await check('layers', 'node', ['scripts/layers.mjs'])
  await check('type names', 'node', ['scripts/type-names.mjs'])
  await check('notices of the program', 'node', ['scripts/notices.mjs', '--check'])
  await check('spelling', 'typos', [])
  await check('licenses and sources of crates', 'cargo-deny', [
    '--locked',
    'check',
    'licenses',
    'bans',
    'sources',
  ])
}

const parts = {
  style,
  rust,
  python: pythonPackage,
  gpu,
  page,
  wasm,
  browser: endToEnd,
  'python-full': pythonFull,
}
/** Parts that run only if they are named. */
const optional = ['python-full']
/**
 * Stages run in sequence, their lanes in parallel, the parts of a lane in sequence. Crates and modules compile in separate target
 * folders while setup is still running. The end-to-end tests run alone, since they train in the page.
 */
const stages = [
  [
    ['rust', 'python'],
    ['page', 'wasm', 'style', 'gpu'],
  ],
  [['browser']],
  [['python-full']],
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length)
  fail(`There is no part ${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}.`)

/** Time after which the gate ends with the results so far, minutes: several times its duration, so that only a hanging program reaches it. */
const LIMIT = 80
const began = Date.now()
setTimeout(() => {
  console.log(`\nThe tests did not end within ${LIMIT} minutes, so the running programs are stopped.`)
  stopAll()
}, LIMIT * 60_000).unref()
rmSync(join(root, 'test-results'), { recursive: true, force: true })
const setup = beginSetup({ tests: true })
const settingUp = work('setting up', () => setup.all)

async function oneByOne(names) {
  const isChosen = (name) => (chosen.length ? chosen.includes(name) : !optional.includes(name))
  for (const name of names.filter(isChosen)) await parts[name](setup)
}

for (const lanes of stages) await Promise.all(lanes.map(oneByOne))
await settingUp
process.exit(summary(began) ? 0 : 1)

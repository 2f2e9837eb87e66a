#!/usr/bin/env node
// Compares Vivarium with other libraries in the same headless Chromium: `node benches/rivals/browser/compare.mjs`.
//
// Installs the pinned packages into this folder and builds a wasm module of Vivarium with the flags of the page's modules. All
// libraries run in workers of one page. Their results are compared first, then they are measured in turns. As in `vivarium bench`,
// the fastest repetition counts; the last column is the median over the rounds of the ratio of the mean speeds.
//
// `--json` prints one JSON line per result, `--save FILE` writes the results with date and versions, `--only TEXT` selects
// workloads, `--threads 1` measures one thread only, `--rounds N` and `--milliseconds N` set the measurement.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { browser } from '../../../scripts/browser.mjs'
import { buildModule } from '../../../scripts/build-wasm.mjs'
import { fail, must, target } from '../../../scripts/run.mjs'
import { figure, rounded, table, tolerance } from './results.mjs'
import { serve } from './serve.mjs'
import { workloads } from './workloads.mjs'

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    save: { type: 'string' },
    only: { type: 'string', default: '' },
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '9' },
    milliseconds: { type: 'string', default: '250' },
  },
})
const [rounds, milliseconds] = [Number(options.rounds), Number(options.milliseconds)]
const log = (text) => console.error(text)

const packages = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies
const libraries = [
  { library: 'Vivarium', url: '/workers/vivarium.mjs', type: 'module' },
  { library: 'onnxruntime-web', url: '/workers/onnxruntime.mjs', type: 'module' },
  { library: '@tensorflow/tfjs', title: 'tfjs', url: '/workers/tfjs.js', type: 'classic' },
  { library: '@jax-js/jax', title: 'jax-js', url: '/workers/jax.mjs', type: 'module' },
]
/** Workers in the order of the first round. */
const participants = Array.from({ length: Number(options.threads) }, (_, index) => index + 1).flatMap(
  (threads) => libraries.map((library) => ({ ...library, threads })),
)
const isOurs = ({ library }) => library === 'Vivarium'
const nameOf = ({ library, title = library }) => `${title} ${packages[library]}`

async function install() {
  const isInstalled = ([name, version]) => {
    const manifest = join(here, 'node_modules', name, 'package.json')
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  }
  if (Object.entries(packages).every(isInstalled)) return
  log(`Installing ${Object.keys(packages).join(', ')} …`)
  await must('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', here])
}

/** Calls a function of `page.mjs` in the page. */
const inPage = (page, name, ...args) =>
  page.evaluate(([name, args]) => globalThis['comparison'][name](...args), [name, args])

/** Compares the results of a workload, then measures it. Returns the figures. */
async function compare(page, workload) {
  const references = [...participants.keys()].filter((index) => isOurs(participants[index]))
  const found = await inPage(page, 'prepare', workload, references)
  const measured = []
  for (const [index, participant] of participants.entries()) {
    const result = found[index]
    const title = `${workload.name}, ${participant.library}, threads: ${participant.threads}`
    if (result?.error) log(`${title}: not measured. ${result.error.split('\n')[0]}`)
    else if (result && result.value > tolerance)
      fail(`${title}: ${result.name} differs by ${result.value.toExponential(1)} of its largest element.`)
    else if (result) measured.push({ ...participant, index, difference: result.value, rates: [] })
  }
  const worst = Math.max(...measured.map(({ difference }) => difference))
  log(`${workload.name}: results differ by at most ${worst.toExponential(1)} of the largest element.`)
  const measure = (index, milliseconds) => inPage(page, 'measure', index, milliseconds)
  // Warm-up: V8 compiles optimized code in the background.
  for (const { index } of measured) await measure(index, 2 * milliseconds)
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another library.
    const start = round % measured.length
    for (const one of [...measured.slice(start), ...measured.slice(0, start)])
      one.rates.push(await measure(one.index, milliseconds))
  }
  const [single, several = single] = measured.filter(isOurs)
  const gain = figure(workload, several.threads, '', several.rates, single.rates)
  const ratios = [gain.value / gain.rival.value, gain.pairedRatio].map((ratio) => `${ratio.toFixed(2)}×`)
  log(
    `${workload.name}: ${several.threads} threads of Vivarium beside one: ${ratios.join(', median of rounds ')}`,
  )
  return measured
    .filter((rival) => !isOurs(rival))
    .map((rival) => {
      const ours = measured.find((one) => isOurs(one) && one.threads === rival.threads)
      return figure(workload, rival.threads, nameOf(rival), ours.rates, rival.rates)
    })
}

if (loadavg()[0] > cpus().length / 2)
  log('Other programs are running: figures of several threads would be meaningless.')
const programs = browser()
if (!programs) fail('Chromium is missing: run npm run setup.')
await install()
const module = join(target, 'rivals-browser')
log('Building the module …')
await buildModule(module, 'web', 'threads-relaxed', ['comparison', 'plain-modules'])
const server = await serve(here, { module })
const chrome = await chromium.launch({
  executablePath: programs.chrome,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
try {
  const page = await chrome.newPage()
  page.on('console', (message) => message.type() === 'error' && log(message.text()))
  await page.goto(server.address)
  for (const { url, type, threads } of participants) await inPage(page, 'open', url, type, threads)
  const figures = []
  for (const workload of workloads.filter(({ name }) => name.includes(options.only))) {
    const found = await compare(page, workload)
    if (options.json) for (const result of found) console.log(JSON.stringify(result))
    figures.push(...found)
  }
  if (!options.json) console.log(table(figures))
  if (options.save) {
    const saved = {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus()[0].model.trim()}, ${cpus().length} logical cores`,
      // Mean number of programs that ran or waited, in the last five minutes.
      load: Math.round(loadavg()[1]),
      browser: `Chromium ${chrome.version()}`,
      figures: figures.map(rounded),
    }
    writeFileSync(options.save, `${JSON.stringify(saved, null, 2)}\n`)
  }
} finally {
  await chrome.close()
  server.close()
}

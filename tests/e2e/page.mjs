// One browser and its hosts for all tests of a file; pages that collect errors.
import { after } from 'node:test'
import { chromium } from 'playwright-core'
import { browser } from '../../scripts/browser.mjs'
import { experiments } from '../../scripts/worlds.mjs'
import { host } from './server.mjs'

/** Timeout of each wait, ms: long enough for any machine. */
export const patience = 180_000

/** Whether the tests use the machine's GPU instead of the software adapter: `VIVARIUM_BROWSER_GPU=1`, on Linux with Vulkan. */
export const usesHardwareGpu = process.env.VIVARIUM_BROWSER_GPU === '1'

/** Chromium's options for the WebGPU adapter of the tests. */
const adapterOptions = usesHardwareGpu
  ? ['--use-angle=vulkan', '--enable-features=Vulkan', '--disable-vulkan-surface', '--ignore-gpu-blocklist']
  : // The same software adapter on every machine.
    ['--use-webgpu-adapter=swiftshader']

let running = null

/** The browser; started once. */
function launch() {
  running ??= chromium.launch({
    executablePath: browser().chrome,
    args: [
      // Containers often forbid the sandbox, and only this page is opened.
      '--no-sandbox',
      '--enable-unsafe-webgpu',
      ...adapterOptions,
      // SwiftShader compiles the clearing of workgroup memory for longer than all the rest. No kernel depends on it, and natively
      // it is off.
      '--enable-dawn-features=disable_workgroup_init',
      '--disable-quic',
      '--no-first-run',
    ],
  })
  return running
}

const hosts = new Map()

/** Returns the address of a host of dist/, started once per kind. */
async function address(options) {
  const key = JSON.stringify(options)
  if (!hosts.has(key)) hosts.set(key, host(options))
  return (await hosts.get(key)).address
}

after(async () => {
  await (await running)?.close()
  for (const started of hosts.values()) await (await started).close()
})

/** Runs in the page before its scripts: stores the page's workers, for `settled`. */
function rememberWorkers() {
  const Original = Worker
  globalThis.openWorkers = new Set()
  globalThis.Worker = class extends Original {
    constructor(script, options) {
      super(script, options)
      // Only training workers answer a ping.
      if (options?.name === 'vivarium') globalThis.openWorkers.add(this)
    }

    terminate() {
      globalThis.openWorkers.delete(this)
      super.terminate()
    }
  }
}

/** Runs in the page before its scripts: draws 10 frames per second instead of 60, since drawing without a GPU takes most of the time. */
function drawLessOften() {
  const [interval, drawNext] = [100, requestAnimationFrame.bind(globalThis)]
  const waiting = new Map()
  let [lastId, lastFrame] = [0, -interval]
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null
  const draw = (time) => {
    lastFrame = time
    timer = null
    for (const [id, callback] of [...waiting]) if (waiting.delete(id)) callback(time)
  }
  // Chromium without a GPU sometimes stops to produce frames when the size of the window changes.
  const drawSoon = () => {
    const late = setTimeout(() => draw(performance.now()), 2000)
    drawNext((time) => {
      clearTimeout(late)
      if (timer !== null) draw(time)
    })
  }
  globalThis.requestAnimationFrame = (callback) => {
    waiting.set(++lastId, callback)
    timer ??= setTimeout(drawSoon, lastFrame + interval - performance.now())
    return lastId
  }
  globalThis.nextFrame = drawNext
  globalThis.cancelAnimationFrame = (id) => void waiting.delete(id)
}

/** Runs in the page before its scripts: the visitor has chosen all controls and the learning curves before. */
function showEverything() {
  try {
    const page = location.pathname.replace(/\/((embed|frame)\/)?[^/]*$/, '/')
    localStorage.setItem(`vivarium:${page}curves`, 'shown')
    localStorage.setItem(`vivarium:${page}controls`, 'all')
  } catch {
    // A frame without storage.
  }
}

/** Runs in pages and workers: prints violations of the Content-Security-Policy as console errors. */
function reportViolations() {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error(`securitypolicyviolation: ${effectiveDirective} blocks ${blockedURI}`),
  )
}

/**
 * Training speeds by family, in the unit of its speed limit: a few iterations per second, which leave the processor to the other
 * test files. Tests that wait for trained learners set `speed=max`.
 */
const speeds = { control: 200, games: 300, cube: 3000, language: 3000, logic_ca: 5 }

/** Returns the address with the training speed of its family, unless the address has a speed or opens no exhibit. */
function withSpeed(where) {
  const name = /#\/([\w-]+)/.exec(where)?.[1]
  const exhibit = experiments.find((experiment) => experiment.name === name)
  if (!exhibit || /[?&]speed=/.test(where)) return where
  return where.replace(/#\/[\w-]+\??/, `#/${name}?speed=${speeds[exhibit.world.kind]}&`).replace(/&$/, '')
}

/**
 * Opens `where` (query and fragment) in a new window, on a shared host of the kind `serve`, or on the host at `from`.
 * `before` runs in the page before its own scripts. `wrong` collects console errors, violations of the Content-Security-Policy,
 * uncaught errors and failed requests. Exhibits train at the speed in `where`; without one, at the speed of their family, unless
 * `opening`. The page draws 10 frames per second, unless `everyFrame`. Exhibits show all controls and
 * learning curves, unless `newcomer`.
 */
export async function visit(
  where = '',
  /** @type {Record<string, any>} */ {
    serve = {},
    from = null,
    before = null,
    opening = false,
    everyFrame = false,
    newcomer = false,
    ...context
  } = {},
) {
  // Half the resolution, since drawing without a GPU takes most of the time.
  const size = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 }
  const window = await (await launch()).newContext({ ...size, ...context })
  const page = await window.newPage()
  page.setDefaultTimeout(patience)
  await page.addInitScript(reportViolations)
  await page.addInitScript(rememberWorkers)
  if (!everyFrame) await page.addInitScript(drawLessOften)
  if (!newcomer) await page.addInitScript(showEverything)
  if (before) await page.addInitScript(before)
  const wrong = []
  // Fails for a worker that has already ended.
  page.on('worker', (worker) => worker.evaluate(reportViolations).catch(() => {}))
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // The browser aborts the requests of a page when the visitor leaves or reloads it.
    if (reason !== 'net::ERR_ABORTED') wrong.push(`${request.url()}: ${reason}`)
  })
  page.on(
    'response',
    (response) => response.status() >= 400 && wrong.push(`${response.url()}: ${response.status()}`),
  )
  await page.goto((from ?? (await address(serve))) + (opening ? where : withSpeed(where)))
  return { page, wrong, window, at: (id) => page.getByTestId(id) }
}

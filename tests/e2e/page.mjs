// One browser and its hosts for all tests of a file, and a page that remembers what went wrong in it.
import { after } from 'node:test'
import { chromium } from 'playwright-core'
import { browser } from '../../scripts/browser.mjs'
import { host } from './server.mjs'

/** Long enough for any machine: a test that waits for something fails only if it never comes. */
export const patience = 180_000

let running = null

/** The browser; started once. */
function launch() {
  running ??= chromium.launch({
    executablePath: browser().chrome,
    args: [
      // Without the sandbox, which containers often forbid: nothing but this page is opened.
      '--no-sandbox',
      // WebGPU on every machine, with a GPU or without, and the same adapter on all of them.
      '--enable-unsafe-webgpu',
      '--use-webgpu-adapter=swiftshader',
      // Compiling what clears a workgroup's memory takes SwiftShader twice as long as all the rest. No kernel needs it: natively it
      // is off.
      '--enable-dawn-features=disable_workgroup_init',
      '--disable-quic',
      '--no-first-run',
    ],
  })
  return running
}

const hosts = new Map()

/** The address of a host of dist/, started once for each kind. */
async function address(options) {
  const key = JSON.stringify(options)
  if (!hosts.has(key)) hosts.set(key, host(options))
  return (await hosts.get(key)).address
}

after(async () => {
  await (await running)?.close()
  for (const started of hosts.values()) await (await started).close()
})

/** Runs in pages and workers: writes what the Content-Security-Policy blocks to the console, whose errors are collected. */
function reportViolations() {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error(`securitypolicyviolation: ${effectiveDirective} blocks ${blockedURI}`),
  )
}

/**
 * Opens `where` (query and fragment) in a window of its own, on a shared host of the kind `serve`, or on the host at `from`.
 * `before` runs in the page before anything of its own. `wrong` collects console errors, violations of the Content-Security-Policy,
 * uncaught errors and failed requests.
 */
export async function visit(where = '', { serve = {}, from = null, before = null, ...context } = {}) {
  // Half the pixels each way, as drawing them without a GPU takes most of the time.
  const size = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 }
  const window = await (await launch()).newContext({ ...size, ...context })
  const page = await window.newPage()
  page.setDefaultTimeout(patience)
  await page.addInitScript(reportViolations)
  if (before) await page.addInitScript(before)
  const wrong = []
  // A worker that has ended already reports nothing any more.
  page.on('worker', (worker) => worker.evaluate(reportViolations).catch(() => {}))
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('requestfailed', (request) => wrong.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on(
    'response',
    (response) => response.status() >= 400 && wrong.push(`${response.url()}: ${response.status()}`),
  )
  await page.goto((from ?? (await address(serve))) + where)
  return { page, wrong, window, at: (id) => page.getByTestId(id) }
}

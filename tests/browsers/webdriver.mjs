// A WebDriver client (https://www.w3.org/TR/webdriver2/). The tests need seven commands, which are HTTP requests with JSON; the npm
// clients would add 10 to 100 packages.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'

/** Key of an element's id in JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Waits before a command fails, ms. */
const patience = 120_000

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise((closed) => server.close(closed))
  return port
}

/** Starts an X server without a screen. Resolves to its display and a function that ends it. */
export async function xServer() {
  const args = ['-displayfd', '3', '-screen', '0', '1000x700x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const display = await new Promise((resolve, reject) => {
    server.stdio[3].once('data', (number) => resolve(`:${String(number).trim()}`))
    server.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}.`)))
  })
  return { display, end: () => server.kill() }
}

async function request(method, url, body) {
  const signal = AbortSignal.timeout(patience)
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body), signal })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** Starts a driver and a browser. `capabilities`: capabilities that the browser must have. */
export async function startBrowser({ driver, args = [], env = {}, capabilities }) {
  const port = await freePort()
  const program = spawn(driver, [...args, `--port=${port}`], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const address = `http://127.0.0.1:${port}`
  let failure = null
  program.once('error', (error) => (failure = error))
  program.once('exit', (code) => (failure ??= new Error(`${driver} ended with code ${code}.`)))
  try {
    await until(() => {
      if (failure) throw failure
      return request('GET', `${address}/status`).catch(() => false)
    }, `${driver} to start`)
    const opened = await request('POST', `${address}/session`, {
      capabilities: { alwaysMatch: capabilities },
    })
    const session = `${address}/session/${opened.sessionId}`
    const { browserName, browserVersion } = opened.capabilities
    return {
      name: `${browserName} ${browserVersion}`,
      open: (url) => request('POST', `${session}/url`, { url }),
      reload: () => request('POST', `${session}/refresh`, {}),
      /** Runs the body of a function in the page and returns its result. */
      run: (script, ...args) => request('POST', `${session}/execute/sync`, { script, args }),
      /** Yields screenshots (PNG files) of the elements that match and are at least 100 pixels wide and high. */
      async *screenshots(selector) {
        const large = `return [...document.querySelectorAll(arguments[0])].filter(
          ({ clientWidth, clientHeight }) => clientWidth >= 100 && clientHeight >= 100)`
        for (const found of await request('POST', `${session}/execute/sync`, {
          script: large,
          args: [selector],
        }))
          yield Buffer.from(
            await request('GET', `${session}/element/${found[elementKey]}/screenshot`),
            'base64',
          )
      },
      async end() {
        await request('DELETE', session).catch(() => {})
        program.kill()
      },
    }
  } catch (error) {
    program.kill()
    throw error
  }
}

/** Polls until `holds` resolves to a truthy value, and returns it. */
export async function until(holds, what) {
  const end = Date.now() + patience
  for (;;) {
    const value = await holds()
    if (value) return value
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`)
    await new Promise((next) => setTimeout(next, 100))
  }
}

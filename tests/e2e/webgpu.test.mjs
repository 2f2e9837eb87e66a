// Checks that the test browser has WebGPU: without it, the GPU tests would silently test the CPU engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { patience, usesHardwareGpu, visit } from './page.mjs'

/** Returns the adapter's architecture, or the reason why there is none; runs in the browser. */
async function architecture() {
  const adapter = await navigator.gpu?.requestAdapter()
  return adapter?.info.architecture ?? 'no adapter'
}

/** The same in a worker, where learners run. */
async function inWorker(ask) {
  const script = new Blob([`export {}\n${ask}\npostMessage(await architecture())`], {
    type: 'text/javascript',
  })
  const worker = new Worker(URL.createObjectURL(script), { type: 'module' })
  try {
    return await new Promise((done, broken) => {
      worker.onmessage = ({ data }) => done(data)
      worker.onerror = ({ message }) => broken(new Error(message))
    })
  } finally {
    worker.terminate()
  }
}

describe('the browser of the tests', { timeout: patience }, () => {
  // The page's policy forbids generated scripts.
  const bypassCSP = true
  const pages = [
    { what: 'an isolated page', where: '', isolated: true },
    { what: 'a page that is not isolated', where: '?isolation=off', isolated: false },
  ]
  for (const { what, where, isolated } of pages) {
    it(`has WebGPU in ${what} and in its workers`, async () => {
      const { page, window } = await visit(where, { bypassCSP, serve: { isolated } })
      const found = await page.evaluate(architecture)
      assert.notEqual(found, 'no adapter')
      assert.equal(found === 'swiftshader', !usesHardwareGpu)
      assert.equal(await page.evaluate(inWorker, String(architecture)), found)
      await window.close()
    })
  }
})

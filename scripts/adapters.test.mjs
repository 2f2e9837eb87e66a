import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lavapipe, swiftshader } from './adapters.mjs'

const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch

/** Creates a temporary folder with empty files of these names. */
function folderWith(...files) {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-'))
  for (const file of files) writeFileSync(join(folder, file), '')
  return folder
}

test('lavapipe is the one for this processor', () => {
  const own = `lvp_icd.${arch}.json`
  const folder = folderWith('intel_icd.x86_64.json', 'lvp_icd.i686.json', own, 'lvp_icd.other.json')
  expect(lavapipe(['/not/there', folderWith('radeon_icd.json'), folder])).toBe(join(folder, own))
  const plain = folderWith('lvp_icd.json')
  expect(lavapipe([plain])).toBe(join(plain, 'lvp_icd.json'))
})

test('lavapipe is missing where only other drivers are', () => {
  expect(lavapipe([folderWith('intel_icd.x86_64.json', 'lvp_icd.i686.json')])).toBeNull()
})

test('SwiftShader lies beside the browser that a link leads to', () => {
  const folder = folderWith('chrome', 'vk_swiftshader_icd.json')
  const link = join(folderWith(), 'google-chrome')
  symlinkSync(join(folder, 'chrome'), link)
  expect(swiftshader(link, () => [])).toBe(join(folder, 'vk_swiftshader_icd.json'))
})

test('SwiftShader is found where a script starts the browser from', () => {
  const bin = folderWith('chromium')
  const library = join(bin, 'lib')
  mkdirSync(library)
  writeFileSync(join(library, 'vk_swiftshader_icd.json'), '')
  const script = join(bin, 'chromium')
  expect(swiftshader(script, () => [library])).toBe(join(library, 'vk_swiftshader_icd.json'))
  expect(swiftshader(script, () => [])).toBeNull()
  expect(swiftshader('/not/there/chromium', () => [library])).toBeNull()
})

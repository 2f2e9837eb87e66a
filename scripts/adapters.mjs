// The adapters of the GPU tests: two independent software Vulkan drivers, lavapipe and SwiftShader. No GPU is needed, and a shader
// that only one driver tolerates is detected.
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { browser } from './browser.mjs'
import { advice } from './packages.mjs'

const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch

/** Folders in which the Vulkan loader searches for driver manifests. */
function driverFolders() {
  const shared = (process.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':')
  return [...shared, '/etc', '/usr/share'].map((folder) => join(folder, 'vulkan/icd.d'))
}

/** Returns the manifest of lavapipe, Mesa's CPU driver, for this architecture, or `null`. */
export function lavapipe(folders = driverFolders()) {
  const names = [`lvp_icd.${arch}.json`, 'lvp_icd.json']
  const files = folders.filter(existsSync).flatMap((folder) => {
    const there = readdirSync(folder)
    return names.filter((name) => there.includes(name)).map((name) => join(folder, name))
  })
  return files[0] ?? null
}

/** Returns the installation folders of Chromium; `/usr/bin/chromium` is often only a script. */
function browserFolders(chrome) {
  const names = new Set([basename(chrome), 'chromium', 'chromium-browser'])
  const libraries = ['/usr/lib', '/usr/lib64'].flatMap((folder) =>
    [...names].map((name) => join(folder, name)),
  )
  return [...libraries, '/opt/google/chrome', '/snap/chromium/current/usr/lib/chromium-browser']
}

/** Returns the manifest of SwiftShader in the folder of the tests' Chromium, or `null`. */
export function swiftshader(chrome = browser()?.chrome, elsewhere = browserFolders) {
  if (!chrome || !existsSync(chrome)) return null
  const folders = [dirname(realpathSync(chrome)), ...elsewhere(chrome)]
  return folders.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find(existsSync) ?? null
}

/** Returns the environment in which `manifest` is the only Vulkan driver. Tests require `name` in the adapter's name. */
const only = (manifest, name) => ({
  // Old loaders read only the first variable; the second is its current name.
  VK_ICD_FILENAMES: manifest,
  VK_DRIVER_FILES: manifest,
  VIVARIUM_GPU_TEST_ADAPTER: name,
  // Mesa's device-select layer requires a display.
  NODEVICE_SELECT: '1',
})

/** Returns the test adapters. `env` selects the adapter; if `env` is `null`, `missing` has the remedy. */
export function adapters() {
  // On other systems wgpu does not use Vulkan, so the tests run on the machine's own adapter.
  if (process.platform !== 'linux') return [{ name: 'the adapter of this machine', env: {} }]
  const found = [
    {
      name: 'lavapipe',
      manifest: process.env.LAVAPIPE_ICD ?? lavapipe(),
      match: 'llvmpipe',
      missing: `install it with\n${advice(['vulkan'])}\nor set LAVAPIPE_ICD to its lvp_icd*.json.`,
    },
    {
      name: 'SwiftShader',
      manifest: process.env.SWIFTSHADER_ICD ?? swiftshader(),
      match: 'SwiftShader',
      missing: 'it comes with Chromium: set SWIFTSHADER_ICD to the vk_swiftshader_icd.json beside it.',
    },
  ]
  return found.map(({ name, manifest, match, missing }) => {
    const there = manifest && existsSync(manifest)
    return { name, env: there ? only(manifest, match) : null, missing: `${name} is not there: ${missing}` }
  })
}

// The adapters that the GPU tests run on: two Vulkan drivers in software, by two teams, so that a shader which only
// one of them forgives is found, and so that no machine needs a GPU to test on.
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { browser } from './browser.mjs'

/** The Debian packages with the first adapter and with the loader through which wgpu finds both. */
export const vulkanPackages = ['libvulkan1', 'mesa-vulkan-drivers']

const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch

/** Where Vulkan's loader looks for the manifests of drivers. */
function driverFolders() {
  const shared = (process.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':')
  return [...shared, '/etc', '/usr/share'].map((folder) => join(folder, 'vulkan/icd.d'))
}

/** The manifest of lavapipe, Mesa's driver for the CPU, or `null`; drivers for other processors lie beside it. */
export function lavapipe(folders = driverFolders()) {
  const names = [`lvp_icd.${arch}.json`, 'lvp_icd.json']
  const files = folders.filter(existsSync).flatMap((folder) => {
    const there = readdirSync(folder)
    return names.filter((name) => there.includes(name)).map((name) => join(folder, name))
  })
  return files[0] ?? null
}

/** Folders in which distributions keep what `/usr/bin/chromium`, often only a script, starts. */
function browserFolders(chrome) {
  const names = new Set([basename(chrome), 'chromium', 'chromium-browser'])
  const libraries = ['/usr/lib', '/usr/lib64'].flatMap((folder) =>
    [...names].map((name) => join(folder, name)),
  )
  return [...libraries, '/opt/google/chrome', '/snap/chromium/current/usr/lib/chromium-browser']
}

/** The manifest of SwiftShader, which lies beside the Chromium that the tests drive, or `null`. */
export function swiftshader(chrome = browser()?.chrome, elsewhere = browserFolders) {
  if (!chrome || !existsSync(chrome)) return null
  const folders = [dirname(realpathSync(chrome)), ...elsewhere(chrome)]
  return folders.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find(existsSync) ?? null
}

/** What makes `manifest` the only Vulkan driver there is; `name` is the piece of its name that the tests insist on. */
const only = (manifest, name) => ({
  // The second name is the newer one, and older loaders know the first alone.
  VK_ICD_FILENAMES: manifest,
  VK_DRIVER_FILES: manifest,
  VIVARIUM_GPU_TEST_ADAPTER: name,
  // Mesa's layer that sorts devices would look for a display, and complain that there is none.
  NODEVICE_SELECT: '1',
})

/** The adapters to test on: `env` chooses one, and is `null` where it is `missing`, with what to do about it. */
export function adapters() {
  // Elsewhere wgpu does not speak Vulkan: the tests run on the adapter that the machine has.
  if (process.platform !== 'linux') return [{ name: 'the adapter of this machine', env: {} }]
  const found = [
    {
      name: 'lavapipe',
      manifest: process.env.LAVAPIPE_ICD ?? lavapipe(),
      match: 'llvmpipe',
      missing: `install it with\n    sudo apt-get install ${vulkanPackages.join(' ')}\nor set LAVAPIPE_ICD to its lvp_icd*.json.`,
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

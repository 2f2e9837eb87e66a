// The files of each exhibit, which the service worker stores for offline use on request.
import { manifestName } from './manifest.mjs'
import { contains, fileWith, scriptsOf, sourcesOf } from './preload.mjs'

/** @typedef {import('../../www/src/host/offline').OfflineFiles} OfflineFiles */

/** The worker of the tools, such as exporters. */
const tools = 'www/src/engine/tools/worker.ts'

/**
 * Returns the files that the page and each exhibit load. `page` and `worker` are the files of the bundles of the page and of its
 * training worker, `others` of the bundles of its other workers. `sizeOf` returns the size of a file in bytes.
 *
 * @returns {OfflineFiles}
 */
export function offlineFiles(page, worker, others, sizeOf) {
  const one = (source) => fileWith(page, source)
  const start = scriptsOf(page, one('www/src/main.ts'))
  const common = new Set(['./', ...start.flatMap((name) => [name, ...assetsOf(page, name)])])
  for (const { fileName } of page) if (fileName.endsWith('.css')) common.add(fileName)
  // Also explanations and stored runs, which the first script loads on request.
  for (const source of [
    'app/Landing.svelte',
    'app/Learn.svelte',
    'app/Glossary.svelte',
    'app/teach/Teach.svelte',
    'app/Bench.svelte',
    'kit/HelpDetails.svelte',
    'shell/EngineReport.svelte',
    'shell/OfflineList.svelte',
    'state/storage/file-writer.ts',
  ])
    for (const name of reached(page, one(`www/src/${source}`), new Set([...common, ...articlesOf(page)])))
      common.add(name)

  // The first script loads some files on request as well; the browser loads the icons of the manifest.
  const requested =
    /\/protocol\/experiments\.json\?of=|\/node_modules\/compute-scroll-into-view\/|\/www\/src\/assets\/icons\//
  for (const file of page)
    if (file.fileName === manifestName || file.sources.some((name) => requested.test(name)))
      common.add(file.fileName)

  /** @type {OfflineFiles} */
  const files = {
    sizes: {},
    common: [...common],
    tools:
      others
        .find((bundle) => bundle.some((file) => contains(file, tools)))
        ?.map(({ fileName }) => fileName) ?? [],
    families: {},
    networks: {},
  }
  for (const [, family] of sourcesOf(page, /www\/src\/exhibits\/([^/]+)\/exhibit\.ts$/)) {
    const sources = ['shared/Exhibit.svelte', `${family}/exhibit.ts`, `${family}/learn/Article.svelte`]
    const chunks = sources.flatMap((source) => {
      const found = page.find((file) => contains(file, `www/src/exhibits/${source}`))
      return found ? [...reached(page, found, common)] : []
    })
    files.families[family] = { scripts: [...new Set(chunks)], modules: {} }
  }
  for (const [path, family, module] of sourcesOf(worker, /www\/src\/wasm\/([^/]+)\/([^/]+)\/vivarium\.js$/)) {
    const script = fileWith(worker, path)
    files.families[family].modules[module] = scriptsOf(worker, script).flatMap((name) => [
      name,
      ...assetsOf(worker, name),
    ])
  }
  for (const [path, world] of sourcesOf(page, /www\/src\/assets\/networks\/([^/]+)\.safetensors$/))
    files.networks[world] = fileWith(page, path).fileName
  const named = [...files.common, ...files.tools, ...Object.values(files.networks)]
  for (const { scripts, modules } of Object.values(files.families))
    named.push(...scripts, ...Object.values(modules).flat())
  for (const name of named) files.sizes[name] = sizeOf(name)
  return files
}

const articlesOf = (page) =>
  sourcesOf(page, /www\/src\/exhibits\/[^/]+\/learn\/Article\.svelte$/).map(
    ([path]) => fileWith(page, path).fileName,
  )

/** Returns the files that a script refers to, such as workers and fonts. */
const assetsOf = (bundle, script) => bundle.find(({ fileName }) => fileName === script)?.assets ?? []

/**
 * Returns the files that a script imports or refers to, directly or indirectly, statically or on request, except those in `without`
 * and except networks.
 */
function reached(bundle, script, without, found = new Set()) {
  if (found.has(script.fileName) || without.has(script.fileName)) return found
  found.add(script.fileName)
  for (const name of script.assets) if (!name.endsWith('.safetensors')) found.add(name)
  for (const name of [...script.imports, ...script.dynamicImports]) {
    const next = bundle.find(({ fileName }) => fileName === name)
    if (next) reached(bundle, next, without, found)
  }
  return found
}

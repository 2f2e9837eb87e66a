// The inline script of index.html that requests the files of the first view early: www/src/preload.ts, and the names of the files.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../run.mjs'

/** @typedef {import('../../www/src/preload').PreloadFiles} PreloadFiles */

const trainingWorker = 'www/src/engine/worker/worker.ts'

/**
 * Returns the names, sources, imports, assets and stylesheets of the files of a bundle, the input of {@link preloadFiles} and of `offlineFiles`.
 */
export const filesIn = (bundle) =>
  Object.values(bundle).map(
    ({
      fileName,
      moduleIds = [],
      imports = [],
      dynamicImports = [],
      originalFileNames = [],
      viteMetadata = null,
    }) => ({
      fileName,
      sources: [...moduleIds, ...originalFileNames].map((name) => `/${name.replaceAll('\\', '/')}`),
      imports,
      dynamicImports,
      assets: [...(viteMetadata?.importedAssets ?? [])],
      styles: [...(viteMetadata?.importedCss ?? [])],
    }),
  )

/** Returns whether a file of a bundle contains the source of the training worker. */
export const isTrainingWorker = (file) => contains(file, trainingWorker)

export const contains = (file, source) => file.sources.some((name) => name.endsWith(`/${source}`))

/**
 * Returns the files that the first view of each page needs besides those that index.html names. `page` and `worker` are the files of
 * the bundles of the page and of its training worker.
 *
 * @returns {PreloadFiles}
 */
export function preloadFiles(page, worker) {
  const first = new Set(withStyles(page, [fileWith(page, 'www/src/main.ts')]))
  const missing = (family, ...sources) => {
    // The worker starts after the experiments of its family are loaded.
    const experiments = `www/src/protocol/experiments.json?of=${family}`
    const chunks = [experiments, ...sources].map((source) => fileWith(page, source))
    return withStyles(page, chunks).filter((name) => !first.has(name))
  }
  const start = scriptsOf(worker, fileWith(worker, trainingWorker))
  /** @type {PreloadFiles} */
  const files = { landing: missing('control', 'www/src/app/Landing.svelte'), families: {} }
  for (const [, family] of sourcesOf(page, /www\/src\/exhibits\/([^/]+)\/exhibit\.ts$/)) {
    const exhibit = missing(
      family,
      'www/src/exhibits/shared/Exhibit.svelte',
      `www/src/exhibits/${family}/exhibit.ts`,
    )
    files.families[family] = { exhibit, modules: {} }
  }
  for (const [path, family, module] of sourcesOf(worker, /www\/src\/wasm\/([^/]+)\/([^/]+)\/vivarium\.js$/)) {
    if (module === 'gpu') continue
    const scripts = [...new Set([...start, ...scriptsOf(worker, fileWith(worker, path))])]
    const wasm = fileWith(worker, path.replace(/\.js$/, '_bg.wasm')).fileName
    files.families[family].modules[module] = { scripts, wasm }
  }
  return files
}

/** Returns the matches of a pattern in the names of all source files. */
export function sourcesOf(bundle, pattern) {
  const matches = bundle.flatMap(({ sources }) => sources.map((source) => pattern.exec(source)))
  return matches.filter((match) => match !== null)
}

/** Returns the file that contains a source file. */
export function fileWith(bundle, source) {
  const file = bundle.find((file) => contains(file, source))
  if (!file) throw new Error(`The build has no file of ${source}.`)
  return file
}

/** Returns the names of a script and of all scripts that it imports, directly or indirectly. */
export function scriptsOf(bundle, script, found = []) {
  if (found.includes(script.fileName)) return found
  found.push(script.fileName)
  for (const name of script.imports) {
    const imported = bundle.find(({ fileName }) => fileName === name)
    if (imported) scriptsOf(bundle, imported, found)
  }
  return found
}

/** Returns the names of scripts, of the scripts that they import and of the stylesheets of all these. */
function withStyles(bundle, scripts) {
  const names = scripts.flatMap((script) => scriptsOf(bundle, script))
  const stylesOf = (name) => bundle.find(({ fileName }) => fileName === name).styles
  return [...new Set(names.flatMap((name) => [...stylesOf(name), name]))]
}

/** Returns the JavaScript text of the inline script, with the names of the files. */
export async function preloadScript(files) {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    define: { __PRELOAD_FILES__: JSON.stringify(files) },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, 'www/src/preload.ts'), formats: ['iife'], name: 'preload' },
    },
  })
  const [{ output }] = /** @type {import('vite').Rollup.RollupOutput[]} */ (bundle)
  return output[0].code.trim()
}

/**
 * Inserts the script into a page. The browser requests the entry script and the stylesheets first, then the files that the script
 * names. The stylesheets are linked after the placeholder, so that the browser paints the placeholder without waiting for them;
 * module scripts wait for stylesheets.
 */
export function withPreload(html, script) {
  const stylesheet = /<link rel="stylesheet"([^>]*)>\s*/g
  const styles = [...html.matchAll(stylesheet)]
  if (styles.length === 0) throw new Error('The page has no stylesheet.')
  if (script.includes('</script')) throw new Error('The script contains its end tag.')
  const early = styles.map(([, attributes]) => `<link rel="preload" as="style"${attributes}>\n    `).join('')
  const late = styles.map(([tag]) => `  ${tag.trim()}\n  `).join('')
  const [[first]] = styles
  return html
    .replace(first, () => `${early}<script>${script}</script>\n  ${first}`)
    .replace(stylesheet, '')
    .replace('</body>', () => `${late}</body>`)
}

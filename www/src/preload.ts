/**
 * Inline script of the built `index.html`. It requests the files of the page that the URL names while the browser still loads the
 * entry script: scripts of the page and of its worker, and the wasm module, which the page sends to the worker
 * (`engine/page/preloaded.ts`). `scripts/hosting/preload.mjs` compiles this script and inserts the names of the files.
 */
import { detectFeatures, moduleOptionsFromUrl, selectModule } from './engine/page/module-selection'
import { setPreloadedModule } from './engine/page/preloaded'
import { folderOf } from './engine/shared/family'
import { parsePath } from './state/path'

/** Names of the built files, relative to `index.html`. */
export interface PreloadFiles {
  /** Scripts and stylesheets of the home page. */
  landing: string[]
  /** Files of each family, by the name of its folder. */
  families: Record<string, FamilyFiles>
}

interface FamilyFiles {
  /** Scripts and stylesheets of the exhibits. */
  exhibit: string[]
  /** Scripts of the worker, and the wasm file, of each module that was built. */
  modules: Record<string, { scripts: string[]; wasm: string }>
}

declare const __PRELOAD_FILES__: PreloadFiles

function preload(files: PreloadFiles): void {
  const path = parsePath(location.hash)
  if (path.page !== 'landing' && path.page !== 'exhibit') return
  const family = path.page === 'exhibit' ? path.family : 'control'
  const { exhibit, modules } = files.families[folderOf(family)]!
  // A page that is not isolated may be about to reload, which isolates it (`host/isolation.ts`).
  if (crossOriginIsolated) {
    const { module } = selectModule(detectFeatures(), moduleOptionsFromUrl(location.search))
    const built = modules[module]
    if (built) {
      const response = fetch(built.wasm, { priority: ordersResponses() ? 'low' : 'auto' })
      setPreloadedModule({
        family,
        module,
        compiled: WebAssembly.compileStreaming(response).catch(() => null),
      })
      requestFiles(built.scripts)
    }
  }
  requestFiles(path.page === 'exhibit' ? exhibit : files.landing)
}

/**
 * Returns whether the connection orders responses by priority, as HTTP/2 does; scripts and styles of the first view come first
 * then. With HTTP/1.1, a request of low priority waits for one of six connections.
 */
function ordersResponses(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation !== undefined && !navigation.nextHopProtocol.startsWith('http/1')
}

function requestFiles(names: string[]): void {
  for (const name of names) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    if (name.endsWith('.css')) {
      link.rel = 'preload'
      link.as = 'style'
      // As the page requests stylesheets.
      link.crossOrigin = ''
    }
    link.href = name
    document.head.append(link)
  }
}

try {
  // The service worker has cached the font.
  if (navigator.serviceWorker?.controller) delete document.documentElement.dataset.loading
  preload(__PRELOAD_FILES__)
} catch (error) {
  // The page works without this script.
  console.warn('Files could not be requested early.', error)
}

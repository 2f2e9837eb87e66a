// The wasm modules: each family of learners has a module for each level of browser support, and a module for the GPU.
// Only the selected module is loaded.
import { folderOf, type Family } from '../shared/family'
import type { Session, start } from '../../protocol/module'
import type { ModuleName } from '../shared/messages'

/** The session of a module. Only GPU modules have `openGpu`. */
export type WasmSession = Omit<Session, 'openGpu'> & Partial<Pick<Session, 'openGpu'>>

/** The exports of a module. */
export interface Module {
  default(init?: { module_or_path: WebAssembly.Module; memory?: WebAssembly.Memory }): Promise<unknown>
  start: typeof start
  /** Only in modules with threads. */
  initThreadPool?(threads: number): Promise<unknown>
  /** Runs a thread of the pool. Only in modules with threads. */
  wbg_rayon_start_worker?(receiver: number): void
  Session: new (threads: number) => WasmSession
}

/** The available modules: `npm start` builds one for each family, `npm run build` all of them. */
const built = import.meta.glob<Module>(['../../wasm/*/*/vivarium.js', '!../../wasm/{tools,analysis}/**'])

/** Loads the code of a module; the caller initializes it. */
export async function loadModule(family: Family, name: ModuleName): Promise<Module> {
  const load = built[`../../wasm/${folderOf(family)}/${name}/vivarium.js`]
  if (load) return load()
  throw new Error(`This build of the page has no module ${name}; \`npm run build\` includes all modules.`)
}

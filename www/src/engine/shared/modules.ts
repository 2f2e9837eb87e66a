// The wasm modules: each family of learners has a module for each level of browser support, and a module for the GPU.
// Only the selected module is loaded.
import { folderOf, type Family } from './family'
import type { Session, start } from '../../protocol/module'
import type { ModuleName } from './messages'

/** The session of a module. Only GPU modules have `openGpu`. */
export type WasmSession = Omit<Session, 'openGpu'> & Partial<Pick<Session, 'openGpu'>>

/** The exports of a module. */
export interface Module {
  default(): Promise<unknown>
  start: typeof start
  /** Only in modules with threads. */
  initThreadPool?(threads: number): Promise<unknown>
  Session: new (threads: number) => WasmSession
}

/** The available modules: `npm start` builds one for each family, `npm run build` all of them. */
const built = import.meta.glob<Module>('../../wasm/*/*/vivarium.js')

const find = (family: Family, name: ModuleName) => built[`../../wasm/${folderOf(family)}/${name}/vivarium.js`]

/** Returns the reason why a family has no GPU module; empty if it has a GPU module. */
export function withoutGpu(family: Family): string {
  return find(family, 'gpu')
    ? ''
    : 'This build of the page has no GPU modules; `npm run build` includes them.'
}

/** Loads the code of a module; the caller initializes it. */
export async function loadModule(family: Family, name: ModuleName): Promise<Module> {
  const load = find(family, name)
  if (load) return load()
  throw new Error(`This build of the page has no module ${name}; \`npm run build\` includes all modules.`)
}

// The wasm modules: each family of learners has one for each kind of browser, and one for the GPU. Only the module that is used is
// loaded.
import type { Family } from './family'
import type { Session, start } from '../../protocol/module'
import type { ModuleName } from './messages'

/** Every module has the same session, except that only the GPU's can open a GPU. */
export type WasmSession = Omit<Session, 'openGpu'> & Partial<Pick<Session, 'openGpu'>>

/** The exports of a module. */
export interface Module {
  default(): Promise<unknown>
  start: typeof start
  /** In the modules with threads alone. */
  initThreadPool?(threads: number): Promise<unknown>
  Session: new (threads: number) => WasmSession
}

/** The modules that were built: `npm start` builds one for each family, `npm run build` all of them. */
const built = import.meta.glob<Module>('../../wasm/*/*/vivarium.js')

const find = (family: Family, name: ModuleName) =>
  built[`../../wasm/${family.replace('_', '-')}/${name}/vivarium.js`]

/** Why a family cannot be trained on a GPU here; empty where it can. */
export function withoutGpu(family: Family): string {
  return find(family, 'gpu')
    ? ''
    : 'This copy of the page was built without the GPU: `npm run build` includes it.'
}

/** Loads the code of one module; the caller starts it. */
export async function loadModule(family: Family, name: ModuleName): Promise<Module> {
  const load = find(family, name)
  if (load) return load()
  throw new Error(
    `This copy of the page was built without the module ${name}: npm run build makes all of them.`,
  )
}

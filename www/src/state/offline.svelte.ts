/** Exhibits that the browser keeps for offline use. */
import { detectFeatures, moduleOptionsFromUrl, selectModule } from '../engine/page/module-selection'
import { folderOf } from '../engine/shared/family'
import {
  filesOf,
  forgetFiles,
  readOffline,
  sizeOf,
  storeFile,
  type OfflineFiles,
  type StoreFailure,
} from '../host/offline'
import { bytes } from '../lib/format'
import type { Explained } from '../lib/problem'
import { storageKey } from '../lib/storage'
import { familyOfWorld, isWorld, worldCard, worlds, type World } from '../worlds'

/** Number of files that are stored at the same time. */
const parallel = 4

/** A download in progress; sizes in bytes. */
export interface Download {
  worlds: readonly World[]
  done: number
  total: number
}

const key = storageKey('offline')

/** Returns the exhibits that the visitor has kept; none if the browser forbids storage. */
function readKept(): World[] {
  try {
    return (localStorage.getItem(key) ?? '').split(' ').filter(isWorld)
  } catch {
    return []
  }
}

/** Names of the modules that this browser runs: the module of the CPU, and the module of the GPU if it has WebGPU. */
const modules = (): string[] => [
  selectModule(detectFeatures(), moduleOptionsFromUrl(location.search)).module,
  ...('gpu' in navigator ? ['gpu'] : []),
]

class Offline {
  /** Files of the build; null until they are read, and without a service worker. */
  private files = $state.raw<OfflineFiles | null>(null)
  private stored = $state.raw<ReadonlySet<string>>(new Set())
  /** Whether the browser can store exhibits; null until this is known. */
  possible = $state<boolean | null>(null)
  /** Exhibits that the visitor has kept. Their files are stored again after an update of the page. */
  kept = $state.raw<readonly World[]>(readKept())
  download = $state.raw<Download | null>(null)
  problem = $state.raw<Explained | null>(null)

  private stopped = false

  /** Reads which files are stored. */
  async refresh(): Promise<void> {
    const read = await readOffline()
    this.possible = read !== null
    if (!read) return
    this.files = read.files
    this.stored = new Set(read.stored)
  }

  /** Returns the size of exhibits in bytes, with the files of every page. */
  sizeOf(list: readonly World[]): number {
    return this.files ? sizeOf(this.files, this.namesOf(list)) : 0
  }

  /** Returns the size of the files of exhibits that are not stored. */
  missing(list: readonly World[]): number {
    return this.files ? sizeOf(this.files, this.absent(list)) : 0
  }

  /** Returns whether all files of an exhibit are stored. */
  has(world: World): boolean {
    return this.files !== null && this.absent([world]).length === 0
  }

  /** Exhibits whose files are all stored. */
  get available(): World[] {
    return worlds.map(({ name }) => name).filter((world) => this.has(world))
  }

  /** Stores exhibits. Reports an error in `problem`; files that were stored until then remain. */
  async keep(list: readonly World[]): Promise<void> {
    if (this.download) return
    this.problem = null
    this.stopped = false
    await this.refresh()
    const { files } = this
    if (!files || this.download) return
    this.setKept([...this.kept, ...list])
    const absent = this.absent(list)
    const total = sizeOf(files, absent)
    this.download = { worlds: list, done: 0, total }
    // Otherwise, browsers delete stored files first when they need space. Some browsers ask the user first.
    void navigator.storage?.persist?.().catch(() => false)
    const failures = new Set<StoreFailure>()
    const store = async (): Promise<void> => {
      for (let name = absent.shift(); name !== undefined; name = absent.shift()) {
        const failure = await storeFile(name)
        if (failure) failures.add(failure)
        if (failure || this.stopped) absent.length = 0
        else this.download = { worlds: list, total, done: this.download!.done + files.sizes[name]! }
      }
    }
    await Promise.all(Array.from({ length: parallel }, store))
    await this.refresh()
    this.download = null
    const [failure] = failures
    if (failure) this.problem = await problemOf(failure, list, this.missing(list))
  }

  /** Ends the download in progress; files that are stored remain. */
  stop(): void {
    this.stopped = true
  }

  /** Deletes the files of an exhibit, except those of other kept exhibits and of every page. */
  async remove(world: World): Promise<void> {
    this.problem = null
    this.setKept(this.kept.filter((other) => other !== world))
    const needed = new Set(this.namesOf(this.kept))
    await forgetFiles(this.namesOf([world]).filter((name) => !needed.has(name)))
    await this.refresh()
  }

  /** Stores the files of kept exhibits that an update of the page has changed. */
  async update(): Promise<void> {
    if (this.kept.length === 0) return
    await this.refresh()
    if (this.missing(this.kept) > 0) await this.keep(this.kept)
  }

  /** Returns the names of the files of every page and of exhibits. */
  private namesOf(list: readonly World[]): string[] {
    const { files } = this
    if (!files) return []
    const own = list.flatMap((world) => filesOf(files, world, folderOf(familyOfWorld(world)!), modules()))
    return [...new Set([...files.common, ...own])]
  }

  private absent(list: readonly World[]): string[] {
    return this.namesOf(list).filter((name) => !this.stored.has(name))
  }

  private setKept(list: readonly World[]): void {
    this.kept = [...new Set(list)]
    try {
      localStorage.setItem(key, this.kept.join(' '))
    } catch {
      // The files remain until the browser needs space.
    }
  }
}

/** Returns the title of an exhibit, or “the exhibits”. */
export const titleOf = (list: readonly World[]): string =>
  list.length === 1 ? worldCard(list[0]!).title : 'the exhibits'

/** Returns the problem, its cause and its remedy. `rest`: size of the files that are not stored. */
async function problemOf(failure: StoreFailure, list: readonly World[], rest: number): Promise<Explained> {
  const message = `${bytes(rest)} of ${titleOf(list)} could not be stored`
  switch (failure) {
    case 'unreachable':
      return {
        message: `${message}: the connection failed.`,
        hint: 'Connect this device and try again; the files that have arrived are not loaded again.',
      }
    case 'missing':
    case 'replaced':
      return {
        message: `${message}: the host has a newer version of the page.`,
        hint: 'Reload the page and try again.',
      }
    case 'full': {
      const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
      return {
        message: `${message}: the browser has ${bytes(Math.max(0, quota - usage))} of space left for this site.`,
        hint: 'Delete stored runs or remove another exhibit, and try again.',
      }
    }
  }
}

export const offline = new Offline()

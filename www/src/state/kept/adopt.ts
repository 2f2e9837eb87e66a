/** Checkpoints that earlier versions of the page kept as plain files, in folders of their own: each becomes a run, once. */
import type { ExperimentInfo } from '../../engine/page/session'
import { checkpointHeader } from '../../lib/files'
import { storageKey } from '../../lib/storage'
import { presetOf, type Config } from '../config'
import type { PageState } from '../saving'
import { exhibitHash } from '../route'
import * as store from './store'
import type { About } from './store'

const folders = () => ['checkpoints', encodeURIComponent(storageKey('checkpoints'))]

const pageState: PageState = {
  curves: { steps: [], columns: {}, stride: 1 },
  latest: {},
  solved: null,
  seconds: 0,
  whole: false,
  marks: [],
}

/** Makes runs of the files, if there are any. A file goes once its run is written. */
export async function adoptFiles(loadExperiments: () => Promise<readonly ExperimentInfo[]>): Promise<void> {
  for (const name of folders()) {
    try {
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle(name)
      for await (const [fileName, entry] of folder.entries()) {
        if (entry.kind !== 'file') continue
        const file = await (entry as FileSystemFileHandle).getFile()
        const bytes = new Uint8Array(await file.arrayBuffer())
        const about = describeFile(fileName, file.lastModified, bytes, await loadExperiments())
        // The same file makes the same run: one whose adoption broke off is not there twice.
        await store.write(`file-${encodeURIComponent(fileName)}`, { about, pageState, bytes })
        await folder.removeEntry(fileName)
      }
      await root.removeEntry(name)
    } catch {
      // There is no such folder, or no room for another copy: what is there stays for the next visit.
    }
  }
}

/** The description in a checkpoint's header; a file without one is titled by its name. */
function describeFile(
  fileName: string,
  when: number,
  bytes: Uint8Array,
  experiments: readonly ExperimentInfo[],
): About {
  const header = checkpointHeader(bytes)
  const info = experiments.find(({ name }) => name === header?.experiment)
  const config = { ...info?.defaults, ...(header?.config as object | undefined) } as Config
  const seed = Number(header?.seed ?? 0)
  return {
    experiment: info?.name ?? '',
    seed,
    address: info ? exhibitHash(info, config, seed) : '',
    preset: (info && presetOf(info, config)) ?? '',
    title: info ? '' : fileName,
    // Nobody has asked for it to be deleted.
    pinned: true,
    steps: Number(header?.steps ?? 0),
    running: false,
    shown: when,
    result: '',
    curve: [],
    when,
  }
}

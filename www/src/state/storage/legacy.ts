/** Imports checkpoints that earlier versions of the page stored as plain files. */
import type { ExperimentInfo } from '../../engine/page/session'
import { checkpointHeader } from '../../lib/files'
import { storageKey } from '../../lib/storage'
import { presetOf, type Config } from '../config'
import type { PageState } from '../saving'
import { exhibitHash } from '../route'
import * as store from './store'
import type { RunDescription } from './store'

const folders = () => ['checkpoints', encodeURIComponent(storageKey('checkpoints'))]

const pageState: PageState = {
  curves: { steps: [], columns: {} },
  latest: {},
  solved: null,
  seconds: 0,
  whole: false,
  marks: [],
}

/** Converts the files to runs, and deletes each file once its run is saved. */
export async function importLegacyCheckpoints(
  loadExperiments: () => Promise<readonly ExperimentInfo[]>,
): Promise<void> {
  for (const name of folders()) {
    try {
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle(name)
      for await (const [fileName, entry] of folder.entries()) {
        if (entry.kind !== 'file') continue
        const file = await (entry as FileSystemFileHandle).getFile()
        const bytes = new Uint8Array(await file.arrayBuffer())
        const about = describeFile(fileName, file.lastModified, bytes, await loadExperiments())
        // The key depends on the file name, so that an interrupted import does not create duplicates.
        await store.write(`file-${encodeURIComponent(fileName)}`, { about, pageState, bytes })
        await folder.removeEntry(fileName)
      }
      await root.removeEntry(name)
    } catch {
      // The folder does not exist, or storage is full: remaining files stay until the next visit.
    }
  }
}

/** Returns the description of a checkpoint from its header; files without a header are titled by their name. */
function describeFile(
  fileName: string,
  when: number,
  bytes: Uint8Array,
  experiments: readonly ExperimentInfo[],
): RunDescription {
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
    // Never deleted automatically.
    pinned: true,
    steps: Number(header?.steps ?? 0),
    running: false,
    shown: when,
    result: '',
    curve: [],
    when,
  }
}

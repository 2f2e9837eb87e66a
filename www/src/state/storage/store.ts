/**
 * Runs in the origin private file system (OPFS). Each run has a folder with its checkpoint, the page's state, and a
 * description, which is written last: a folder without a description is incomplete.
 */
import { storageKey } from '../../lib/storage'
import type { SettingChange } from '../changes'
import type { Attachment, PageState } from '../saving'

/** The description of a run. */
export interface RunDescription {
  /** The experiment's name in the registry. */
  experiment: string
  seed: number
  /** Changes of settings during the run; absent in descriptions of earlier versions. */
  changes?: readonly SettingChange[]
  /** URL fragment of experiment, config and seed. */
  address: string
  /** Name of the preset; empty for custom settings. */
  preset: string
  /** Title set by the user; may be empty. */
  title: string
  /** Whether the run is exempt from automatic deletion. */
  pinned: boolean
  steps: number
  /** Steps up to which only guides have trained the run; null or absent if no guide has used it. */
  guideSteps?: number | null
  /** Whether the run was training when it was saved. */
  running: boolean
  /** Time when the run was last shown, milliseconds since 1970. */
  shown: number
  /** Result as text; empty if nothing was measured. */
  result: string
  /** Learning curve, scaled to 0..1. */
  curve: number[]
  /** Time when the checkpoint was saved, milliseconds since 1970. */
  when: number
}

export interface Run extends RunDescription {
  id: string
  /** Size of the checkpoint and the user files in bytes. */
  size: number
}

/** A run with all data to restore it. */
export interface SavedRun {
  about: RunDescription
  pageState: PageState
  bytes: Uint8Array<ArrayBuffer>
}

const files = {
  about: 'about.json',
  pageState: 'page.json',
  bytes: 'checkpoint.safetensors',
  /**
   * Concatenated files of an attachment, and their sizes. The sizes are written last, so that an attachment is complete
   * or absent.
   */
  attachment: 'attachment',
  attached: 'attachment.json',
}

export type Folder = FileSystemDirectoryHandle

async function folder(): Promise<Folder> {
  const root = await navigator.storage.getDirectory()
  // The name of a folder must not contain a slash.
  return root.getDirectoryHandle(encodeURIComponent(storageKey('runs')), { create: true })
}

export const folderOf = async (id: string, create = false): Promise<Folder> =>
  (await folder()).getDirectoryHandle(id, { create })

/** Writes a file atomically. */
export async function writeFile(
  to: Folder,
  name: string,
  ...parts: (string | (() => Promise<ArrayBuffer>) | Uint8Array<ArrayBuffer>)[]
): Promise<void> {
  const file = await to.getFileHandle(name, { create: true })
  // Safari before version 26 lacks `createWritable`.
  if (!file.createWritable) {
    const blob = new Blob(
      await Promise.all(parts.map(async (part) => (typeof part === 'function' ? await part() : part))),
    )
    const { writeInWorker } = await import('./file-writer')
    return writeInWorker(to, name, new Uint8Array(await blob.arrayBuffer()))
  }
  const writer = await file.createWritable()
  try {
    for (const part of parts) {
      await writer.write(typeof part === 'function' ? new Uint8Array(await part()) : part)
    }
    await writer.close()
  } catch (problem) {
    await writer.abort().catch(() => {})
    throw problem
  }
}

export const readFile = async (from: Folder, name: string): Promise<File> =>
  (await from.getFileHandle(name)).getFile()

const readJson = async <T>(from: Folder, name: string): Promise<T> =>
  JSON.parse(await (await readFile(from, name)).text()) as T

/** Saves a run. Rejects if the browser has no storage or it is full; a previous version of the run then stays. */
export async function write(id: string, { about, pageState, bytes }: SavedRun): Promise<void> {
  const to = await folderOf(id, true)
  try {
    await writeFile(to, files.bytes, bytes)
    await writeFile(to, files.pageState, JSON.stringify(pageState))
    await writeFile(to, files.about, JSON.stringify(about))
  } catch (problem) {
    if (!(await readRun(id, to))) {
      for (const name of [files.about, files.pageState, files.bytes])
        await to.removeEntry(name).catch(() => {})
      // A folder with snapshots is not empty and stays.
      await (await folder()).removeEntry(id).catch(() => {})
    }
    throw problem
  }
}

interface Attached {
  name: string
  files: { name: string; size: number }[]
}

/** Saves files with an existing run. Rejects if storage is full. */
export async function attach(id: string, attachment: Attachment): Promise<void> {
  const to = await folderOf(id)
  const parts = attachment.files.map((file) => () => file.arrayBuffer())
  const attached: Attached = {
    name: attachment.name,
    files: attachment.files.map(({ name, size }) => ({ name, size })),
  }
  try {
    await writeFile(to, files.attachment, ...parts)
    await writeFile(to, files.attached, JSON.stringify(attached))
  } catch (problem) {
    for (const name of [files.attached, files.attachment]) await to.removeEntry(name).catch(() => {})
    throw problem
  }
}

/** Returns the files saved with a run, read lazily; null if none. */
export async function attachmentOf(id: string): Promise<Attachment | null> {
  try {
    const from = await folderOf(id)
    const { name, files: list } = await readJson<Attached>(from, files.attached)
    const whole = await readFile(from, files.attachment)
    let end = 0
    const parts = list.map(({ name, size }) => {
      const part = whole.slice(end, (end += size))
      return { name, size, arrayBuffer: () => part.arrayBuffer() }
    })
    return end === whole.size ? { name, files: parts } : null
  } catch {
    return null
  }
}

/** Copies the files to memory, so that they outlive the run's folder. */
export async function inMemory({ name, files: list }: Attachment): Promise<Attachment> {
  const parts = list.map(async ({ name, size, arrayBuffer }) => {
    const bytes = await arrayBuffer()
    return { name, size, arrayBuffer: async () => bytes }
  })
  return { name, files: await Promise.all(parts) }
}

/** Replaces the description of a run. */
export async function describe(id: string, about: RunDescription): Promise<void> {
  await writeFile(await folderOf(id), files.about, JSON.stringify(about))
}

export async function read(id: string): Promise<SavedRun> {
  const from = await folderOf(id)
  return {
    about: await readJson<RunDescription>(from, files.about),
    pageState: await readJson<PageState>(from, files.pageState),
    bytes: new Uint8Array(await (await readFile(from, files.bytes)).arrayBuffer()),
  }
}

/** Returns the page's state of a run, without its checkpoint. */
export const readPageState = async (id: string): Promise<PageState> =>
  readJson<PageState>(await folderOf(id), files.pageState)

async function readRun(id: string, from: Folder): Promise<Run | null> {
  try {
    const { size, lastModified } = await readFile(from, files.bytes)
    // Descriptions of earlier versions have no time.
    const about = await readJson<Omit<RunDescription, 'when'> & Partial<RunDescription>>(from, files.about)
    const brought = await readFile(from, files.attachment).catch(() => null)
    return { ...about, when: about.when ?? lastModified, id, size: size + (brought?.size ?? 0) }
  } catch {
    return null
  }
}

/**
 * Returns the saved runs, newest first, and the keys of incomplete folders. Both are empty if the browser has no
 * storage.
 */
export async function list(): Promise<{ runs: Run[]; broken: string[] }> {
  const runs: Run[] = []
  const broken: string[] = []
  try {
    for await (const [id, entry] of (await folder()).entries()) {
      if (entry.kind !== 'directory') continue
      const run = await readRun(id, entry as Folder)
      if (run) runs.push(run)
      else broken.push(id)
    }
  } catch {
    // This browser has no storage.
  }
  runs.sort((a, b) => b.when - a.when)
  return { runs, broken }
}

export async function remove(id: string): Promise<void> {
  await (await folder()).removeEntry(id, { recursive: true })
}

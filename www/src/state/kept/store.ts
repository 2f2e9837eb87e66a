/**
 * Runs in the browser's own file system. Each has a folder with its checkpoint, the page's state, and a description, which is
 * written last: a run without one is incomplete.
 */
import { storageKey } from '../../lib/storage'
import type { Attachment, PageState } from '../saving'

/** The description of a run. */
export interface About {
  /** The experiment's name in the registry. */
  experiment: string
  seed: number
  /** The address of experiment, config and seed. */
  address: string
  /** The name of its preset; empty for a person's own settings. */
  preset: string
  /** The title that a person gave it; empty where nobody did. */
  title: string
  /** It is never deleted to make room. */
  pinned: boolean
  steps: number
  /** Whether it trained when it was written last. */
  running: boolean
  /** When it was shown last, milliseconds since 1970. */
  shown: number
  /** Its result in words; empty where nothing was measured yet. */
  result: string
  /** Its learning curve, each value from 0 to 1. */
  curve: number[]
  /** When its checkpoint was written, milliseconds since 1970. */
  when: number
}

export interface Run extends About {
  id: string
  /** Of its checkpoint and of the files that a person brought for it, in bytes. */
  size: number
}

/** A run with everything that restores it. */
export interface SavedRun {
  about: About
  pageState: PageState
  bytes: Uint8Array<ArrayBuffer>
}

const files = {
  about: 'about.json',
  pageState: 'page.json',
  bytes: 'checkpoint.safetensors',
  /** The files of an attachment in a row, and where each ends: written last, so that there are all of them or none. */
  attachment: 'attachment',
  attached: 'attachment.json',
}

type Folder = FileSystemDirectoryHandle

async function folder(): Promise<Folder> {
  const root = await navigator.storage.getDirectory()
  // The name of a folder must not contain a slash.
  return root.getDirectoryHandle(encodeURIComponent(storageKey('runs')), { create: true })
}

const folderOf = async (id: string, create = false): Promise<Folder> =>
  (await folder()).getDirectoryHandle(id, { create })

/** A file is replaced whole, when all of it is written. */
async function writeFile(
  to: Folder,
  name: string,
  ...parts: (string | (() => Promise<ArrayBuffer>) | Uint8Array<ArrayBuffer>)[]
): Promise<void> {
  const writer = await (await to.getFileHandle(name, { create: true })).createWritable()
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

const readFile = async (from: Folder, name: string): Promise<File> =>
  (await from.getFileHandle(name)).getFile()

const readJson = async <T>(from: Folder, name: string): Promise<T> =>
  JSON.parse(await (await readFile(from, name)).text()) as T

/** Rejects where the browser keeps no files, or has no room. What was kept of the run before stays then. */
export async function write(id: string, { about, pageState, bytes }: SavedRun): Promise<void> {
  const to = await folderOf(id, true)
  try {
    await writeFile(to, files.bytes, bytes)
    await writeFile(to, files.pageState, JSON.stringify(pageState))
    await writeFile(to, files.about, JSON.stringify(about))
  } catch (problem) {
    if (!(await readRun(id, to))) await remove(id).catch(() => {})
    throw problem
  }
}

interface Attached {
  name: string
  files: { name: string; size: number }[]
}

/** Keeps files with a run that is there. Rejects where there is no room for them. */
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

/** The files that are kept with a run, read when they are asked for; null where there are none. */
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

/** The same files in memory, so that they outlive the run's folder. */
export async function inMemory({ name, files: list }: Attachment): Promise<Attachment> {
  const parts = list.map(async ({ name, size, arrayBuffer }) => {
    const bytes = await arrayBuffer()
    return { name, size, arrayBuffer: async () => bytes }
  })
  return { name, files: await Promise.all(parts) }
}

/** Replaces the description of a run. */
export async function describe(id: string, about: About): Promise<void> {
  await writeFile(await folderOf(id), files.about, JSON.stringify(about))
}

export async function read(id: string): Promise<SavedRun> {
  const from = await folderOf(id)
  return {
    about: await readJson<About>(from, files.about),
    pageState: await readJson<PageState>(from, files.pageState),
    bytes: new Uint8Array(await (await readFile(from, files.bytes)).arrayBuffer()),
  }
}

async function readRun(id: string, from: Folder): Promise<Run | null> {
  try {
    const { size, lastModified } = await readFile(from, files.bytes)
    // A description that an earlier version of the page wrote has no time in it.
    const about = await readJson<Omit<About, 'when'> & Partial<About>>(from, files.about)
    const brought = await readFile(from, files.attachment).catch(() => null)
    return { ...about, when: about.when ?? lastModified, id, size: size + (brought?.size ?? 0) }
  } catch {
    return null
  }
}

/** The saved runs, newest first, and the names of incomplete folders. Both are empty where the browser keeps no files. */
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
    // This browser keeps no files.
  }
  runs.sort((a, b) => b.when - a.when)
  return { runs, broken }
}

export async function remove(id: string): Promise<void> {
  await (await folder()).removeEntry(id, { recursive: true })
}

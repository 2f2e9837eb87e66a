/** Checkpoints on this machine: as downloads, and in the browser's own file system. */
import { storageKey } from '../storage'
import { worlds } from '../worlds'

export interface Kept {
  name: string
  size: number
  /** When it was written, milliseconds since 1970. */
  when: number
}

/** As many as are kept; the oldest go first. */
export const mostKept = 8

export function download(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  mime = 'application/octet-stream',
): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mime }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the file after `click` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  // The name of a folder must not contain a slash.
  return root.getDirectoryHandle(encodeURIComponent(storageKey('checkpoints')), { create: true })
}

/** What is kept, newest first; nothing where the browser keeps no files. */
export async function kept(): Promise<Kept[]> {
  try {
    const list: Kept[] = []
    for await (const entry of (await folder()).values()) {
      if (entry.kind !== 'file') continue
      const file = await entry.getFile()
      list.push({ name: entry.name, size: file.size, when: file.lastModified })
    }
    return list.sort((a, b) => b.when - a.when)
  } catch {
    return []
  }
}

/** Keeps a copy. */
export async function keep(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<void> {
  const directory = await folder()
  const file = await directory.getFileHandle(name, { create: true })
  try {
    const writer = await file.createWritable()
    await writer.write(bytes)
    await writer.close()
  } catch (problem) {
    // What was not written must not be listed as if it were: a full disk leaves an empty file.
    if ((await file.getFile()).size === 0) await directory.removeEntry(name)
    throw problem
  }
  for (const old of (await kept()).slice(mostKept)) await directory.removeEntry(old.name)
}

export async function readKept(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await (await (await folder()).getFileHandle(name)).getFile()
  return new Uint8Array(await file.arrayBuffer())
}

export async function forget(name: string): Promise<void> {
  await (await folder()).removeEntry(name)
}

/** What a checkpoint says about itself; null where the bytes are none. */
export function checkpointHeader(bytes: Uint8Array): { experiment?: unknown; steps?: unknown } | null {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
    const text = new TextDecoder().decode(bytes.subarray(8, 8 + length))
    const header = JSON.parse(text) as { __metadata__: { vivarium: string } }
    return JSON.parse(header.__metadata__.vivarium)
  } catch {
    return null
  }
}

/**
 * The steps that a checkpoint holds, as its own header says: those of the last whole update, which may be fewer than
 * have been done. Null where there is no such header.
 */
export function stepsIn(bytes: Uint8Array): number | null {
  const steps = checkpointHeader(bytes)?.steps
  return typeof steps === 'number' ? steps : null
}

/** `cartpole-moon-seed3-262144.safetensors` */
export function checkpointName(name: string, settings: string, seed: number, steps: number): string {
  return `${name}-${settings}-seed${seed}-${steps}.safetensors`
}

/** What the name of a checkpoint says; null where it was called something else. */
export function readName(
  file: string,
): { name: string; settings: string; seed: number; steps: number } | null {
  const found = /^(.+)-seed(\d+)-(\d+)\.safetensors$/.exec(file)
  const name = found && worlds.find(({ name }) => `${found[1]}-`.startsWith(`${name}-`))?.name
  return name
    ? { name, settings: found[1]!.slice(name.length + 1), seed: Number(found[2]), steps: Number(found[3]) }
    : null
}

/** Four characters that tell texts apart (FNV-1a). */
export function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0')
}

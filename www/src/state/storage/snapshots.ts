/** Snapshots of a run, in a folder within the folder of the run. */
import { MemorySnapshots, type SnapshotStore } from '../saving'
import { folderOf, readFile, writeFile, type Folder } from './store'

const name = 'snapshots'

/** Returns the snapshots in the folder of a run: their numbers of steps and their files. */
async function filesOf(id: string): Promise<Map<number, File>> {
  const files = new Map<number, File>()
  try {
    const from = await (await folderOf(id)).getDirectoryHandle(name)
    for await (const entry of from.keys())
      if (/^\d+$/.test(entry)) files.set(Number(entry), await readFile(from, entry))
  } catch {
    // The run has no snapshots.
  }
  return files
}

/** Copies the snapshots of a run to memory. */
export async function snapshotsInMemory(id: string): Promise<SnapshotStore> {
  const copy = new MemorySnapshots()
  for (const [steps, file] of await filesOf(id))
    await copy.write(steps, new Uint8Array(await file.arrayBuffer()))
  return copy
}

/** Copies snapshots to another store. */
export async function copySnapshots(from: SnapshotStore, to: SnapshotStore): Promise<void> {
  for (const steps of await from.list()) await to.write(steps, await from.read(steps))
}

/** Snapshots in the storage of the browser. Snapshots that cannot be stored are kept in memory. */
export class StoredSnapshots implements SnapshotStore {
  private readonly memory = new MemorySnapshots()
  private closed = false
  private writing: Promise<unknown> = Promise.resolve()

  constructor(private readonly id: string) {}

  async list(): Promise<number[]> {
    return [...(await filesOf(this.id)).keys(), ...(await this.memory.list())]
  }

  async write(steps: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.closed) return
    const written = this.folder(true).then((to) => writeFile(to, String(steps), bytes))
    this.writing = written.catch(() => this.memory.write(steps, bytes))
    await this.writing
  }

  async read(steps: number): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await (await readFile(await this.folder(), String(steps))).arrayBuffer())
    } catch {
      return this.memory.read(steps)
    }
  }

  async remove(steps: number): Promise<void> {
    if (this.closed) return
    await this.memory.remove(steps)
    await (await this.folder()).removeEntry(String(steps)).catch(() => {})
  }

  /** Ends writing, before the folder of the run is removed or another tab may show the run. */
  async close(): Promise<void> {
    this.closed = true
    await this.writing
  }

  private async folder(create = false): Promise<Folder> {
    return (await folderOf(this.id, create)).getDirectoryHandle(name, { create })
  }
}

/** Storage slots of runs, and the browser's storage quota. */
import type { Attachment } from '../saving'
import { claim, type ReleaseLock } from './locks'
import { StoredSnapshots } from './snapshots'
import type { RunDescription } from './store'

/** Storage folder of a run, locked by this tab. */
export interface StorageSlot extends Pick<RunDescription, 'title' | 'pinned'> {
  id: string
  release: ReleaseLock
  /** Steps up to which only guides have trained the run; null if no guide has used it. */
  guideSteps: number | null
  /** Whether a guide is open, and only guides have trained the run. */
  inGuide: boolean
  /** Whether the run was saved. */
  written: boolean
  /** User files of the run, and whether they were saved. */
  attachment: Attachment | null
  attachmentWritten: boolean
  snapshots: StoredSnapshots
}

/** Storage usage and quota in bytes. */
export interface Space {
  used: number
  most: number
  /** Whether the browser granted persistent storage. */
  persistent: boolean
}

/** Creates an empty slot. */
export function newStorageSlot(): StorageSlot {
  const id = [Date.now(), ...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join('-')
  const claiming = claim(id)
  const release = async () => (await claiming)?.()
  return {
    id,
    title: '',
    pinned: false,
    guideSteps: null,
    inGuide: false,
    release,
    written: false,
    attachment: null,
    attachmentWritten: false,
    snapshots: new StoredSnapshots(id),
  }
}

export async function spaceLeft(): Promise<Space | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate()
    return { used: usage, most: quota, persistent: await navigator.storage.persisted() }
  } catch {
    return null
  }
}

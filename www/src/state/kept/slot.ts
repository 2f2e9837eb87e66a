/** The folder of a run that a tab has claimed, and the room that the browser has for more. */
import type { Attachment } from '../saving'
import { claim, type Release } from './claims'
import type { About } from './store'

/** The folder of a run, claimed by this tab. */
export interface Slot extends Pick<About, 'title' | 'pinned'> {
  id: string
  release: Release
  /** Whether it is kept by now. */
  written: boolean
  /** What a person brought for the run, and whether that is kept by now. */
  attachment: Attachment | null
  attachmentWritten: boolean
}

/** The browser's storage, in bytes. */
export interface Space {
  used: number
  most: number
  /** The browser has promised not to delete anything by itself. */
  persistent: boolean
}

/** An empty slot. */
export function newSlot(): Slot {
  const id = [Date.now(), ...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join('-')
  const claiming = claim(id)
  const release = async () => (await claiming)?.()
  return { id, title: '', pinned: false, release, written: false, attachment: null, attachmentWritten: false }
}

export async function spaceLeft(): Promise<Space | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate()
    return { used: usage, most: quota, persistent: await navigator.storage.persisted() }
  } catch {
    return null
  }
}

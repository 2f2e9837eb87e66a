/** The guides that the visitor has opened; the browser stores them. */
import { isWorld, type World } from '../worlds'
import { store, stored } from '../lib/storage'

/** Progress of the visitor in the guide of an exhibit. */
export interface GuideProgress {
  world: World
  /** The last open step, counted from 1. */
  step: number
  /** Whether the visitor has reached the summary. */
  done: boolean
}

const key = 'guides'

/** Returns the guides that the visitor has opened, the last one first. */
export function guideProgress(): GuideProgress[] {
  try {
    const read: unknown = JSON.parse(stored(key) ?? '[]')
    return Array.isArray(read) ? read.filter(isProgress) : []
  } catch {
    return []
  }
}

function isProgress(value: unknown): value is GuideProgress {
  const { world, step, done } = (value ?? {}) as Record<string, unknown>
  return typeof world === 'string' && isWorld(world) && Number.isInteger(step) && typeof done === 'boolean'
}

/** Stores that the visitor has opened a step, or the summary. A finished guide stays finished. */
export function storeGuideStep(world: string, step: number, done = false): void {
  if (!isWorld(world)) return
  const all = guideProgress()
  const before = all.find((guide) => guide.world === world)
  const now = { world, step, done: done || before?.done === true }
  store(key, JSON.stringify([now, ...all.filter((guide) => guide !== before)]))
}

/** Locks on runs (Web Locks API): a tab holds the lock of the run that it shows, so that no other tab writes to it. */
import { storageKey } from '../../lib/storage'

const prefix = () => `${storageKey('run')}/`

/** Releases the lock of a run; resolves when it is released. */
export type ReleaseLock = () => Promise<void>

/** Locks a run until released or the tab is closed. Resolves to null if another tab holds the lock. */
export async function claim(id: string): Promise<ReleaseLock | null> {
  if (!navigator.locks) return async () => {}
  return new Promise((give) => {
    const held: Promise<void> = navigator.locks.request(prefix() + id, { ifAvailable: true }, (lock) => {
      if (!lock) return give(null)
      return new Promise<void>((release) =>
        give(() => {
          release()
          return held
        }),
      )
    })
  })
}

/** Returns the runs that are locked by this or another tab. */
export async function claimed(): Promise<ReadonlySet<string>> {
  const held = (await navigator.locks?.query())?.held ?? []
  const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(prefix()))
  return new Set(names.map((name) => name.slice(prefix().length)))
}

/** Which runs are open in some tab: a tab claims the run that it shows, so that no other writes to it. */
import { storageKey } from '../../lib/storage'

const prefix = () => `${storageKey('run')}/`

/** Lets other tabs have a run; resolves when they can. */
export type Release = () => Promise<void>

/** Claims a run until it is released, or the tab is closed; null where another tab has it. */
export async function claim(id: string): Promise<Release | null> {
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

/** The runs that are claimed now, by this tab or another. */
export async function claimed(): Promise<ReadonlySet<string>> {
  const held = (await navigator.locks?.query())?.held ?? []
  const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(prefix()))
  return new Set(names.map((name) => name.slice(prefix().length)))
}

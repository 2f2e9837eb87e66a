/** Storage of the browser for tests. */
import { vi } from 'vitest'

/** Replaces `localStorage` and the address by those of an empty browser. Returns the stored texts by their keys. */
export function stubStorage(): Map<string, string> {
  const memory = new Map<string, string>()
  vi.stubGlobal('location', { pathname: '/' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => memory.set(key, value),
  })
  return memory
}

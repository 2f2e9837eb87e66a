/** Storage of the browser for tests. */
import { vi } from 'vitest'

import type { StorageArea } from './storage'

/** Replaces the storage of the browser by an empty one, and its address. Returns the stored texts by their keys. */
export function stubStorage(area: StorageArea = 'localStorage'): Map<string, string> {
  const memory = new Map<string, string>()
  vi.stubGlobal('location', { pathname: '/' })
  vi.stubGlobal(area, {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => memory.set(key, value),
  })
  return memory
}

// Storage keys of the page. Several copies of the page on one host share its storage; the path of a copy distinguishes
// them. The embedded pages `embed/` and `frame/` have the keys of the full page. The inline script of www/head.html uses the same rule,
// and www/service-worker.js the rule for the full page.

/** Returns the storage key of this copy of the page: `vivarium:/path/theme`. */
export function storageKey(name: string, page = location.pathname): string {
  return `vivarium:${page.replace(/\/((embed|frame)\/)?[^/]*$/, '/')}${name}`
}

/** Storage of the browser: of all tabs, or of a tab until it is closed. */
export type StorageArea = 'localStorage' | 'sessionStorage'

/** Returns the choice that the browser stores under a name; null without one. */
export function stored(name: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(storageKey(name))
  } catch {
    return null
  }
}

/** Stores a choice. Without storage, the choice lasts until the page is closed. */
export function store(name: string, choice: string, area: StorageArea = 'localStorage'): void {
  try {
    globalThis[area].setItem(storageKey(name), choice)
  } catch {
    // The browser has no storage.
  }
}

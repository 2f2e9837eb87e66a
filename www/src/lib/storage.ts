// Storage keys of the page. Several copies of the page on one host share its storage; the path of a copy distinguishes
// them. The embedded page `embed/` has the keys of the full page. The inline script of www/head.html uses the same rule,
// and www/service-worker.js the rule for the full page.

/** Returns the storage key of this copy of the page: `vivarium:/path/theme`. */
export function storageKey(name: string, page = location.pathname): string {
  return `vivarium:${page.replace(/\/(embed\/)?[^/]*$/, '/')}${name}`
}

/** Returns the choice that the browser stores under a name; null without one. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(storageKey(name))
  } catch {
    return null
  }
}

/** Stores a choice. Without storage, the choice lasts until the page is closed. */
export function store(name: string, choice: string): void {
  try {
    localStorage.setItem(storageKey(name), choice)
  } catch {
    // The browser has no storage.
  }
}

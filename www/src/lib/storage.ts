// Storage keys of the page. Several copies of the page on one host share its storage; the path of a copy distinguishes
// them. The inline script of www/head.html and www/service-worker.js use the same rule.

/** Returns the storage key of this copy of the page: `vivarium:/path/theme`. */
export function storageKey(name: string, page = location.pathname): string {
  return `vivarium:${page.replace(/[^/]*$/, '')}${name}`
}

// Storage keys of the page. Several copies of the page on one host share its storage; the path of a copy distinguishes
// them. The embedded page `embed/` has the keys of the full page. The inline script of www/head.html uses the same rule,
// and www/service-worker.js the rule for the full page.

/** Returns the storage key of this copy of the page: `vivarium:/path/theme`. */
export function storageKey(name: string, page = location.pathname): string {
  return `vivarium:${page.replace(/\/(embed\/)?[^/]*$/, '/')}${name}`
}

// Names of what the page stores in the browser. Several copies of the page on one host share its storage; the path that a copy is
// served under tells them apart. The inline script of www/head.html and www/service-worker.js use the same rule.

/** The name under which this copy of the page stores something: `vivarium:/path/theme`. */
export function storageKey(name: string, page = location.pathname): string {
  return `vivarium:${page.replace(/[^/]*$/, '')}${name}`
}

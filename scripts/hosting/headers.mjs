// The file `_headers` in the format of Cloudflare Pages and Netlify: response headers by path.

/** Cross-origin isolation: the first two headers enable SharedArrayBuffer (wasm threads); the third allows embedding on such a page. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * Isolates the embedded page also in a frame of a site that isolates nothing, in browsers with this header (Chromium 137 or newer on
 * desktops): https://wicg.github.io/document-isolation-policy/
 */
const frameIsolation = { 'Document-Isolation-Policy': 'isolate-and-require-corp' }

/**
 * Returns the rules of a build. `revalidated`: paths of files whose names have no content hash. No two rules that match the same
 * path may set the same header, since hosts join the values with a comma; so the headers of the embedded page `/embed/`, which other
 * sites may show in a frame, are not in the rule for all paths.
 */
export function headerRules(policy, revalidated) {
  const { 'Cross-Origin-Resource-Policy': resources, ...everywhere } = isolation
  // A meta tag cannot set frame-ancestors.
  const framed = (origins) => ({ 'Content-Security-Policy': `${policy}; frame-ancestors ${origins}` })
  const own = { 'Cross-Origin-Resource-Policy': resources, ...framed("'self'") }
  const embed = { 'Cross-Origin-Resource-Policy': 'cross-origin', ...frameIsolation, ...framed('*') }
  return [
    { path: '/*', headers: { ...everywhere, 'X-Content-Type-Options': 'nosniff' } },
    // File names contain a content hash.
    { path: '/assets/*', headers: { ...own, 'Cache-Control': 'public, max-age=31536000, immutable' } },
    ...revalidated.map((path) => ({
      path,
      headers: { ...(path.startsWith('/embed/') ? embed : own), 'Cache-Control': 'no-cache' },
    })),
  ]
}

export function writeHeaders(rules) {
  const lines = rules.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    '',
  ])
  return lines.join('\n')
}

export function parseHeaders(text) {
  const rules = []
  for (const line of text.split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue
    if (!/^\s/.test(line)) {
      rules.push({ path: line.trim(), headers: {} })
      continue
    }
    const colon = line.indexOf(':')
    if (colon < 0 || !rules.length) throw new Error(`_headers has a line that is no rule: ${line}`)
    rules.at(-1).headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return rules
}

/** Returns the headers that a host sends for a path. */
export function headersOf(rules, path) {
  const headers = {}
  for (const rule of rules) {
    const matches = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
    if (!matches) continue
    for (const [name, value] of Object.entries(rule.headers))
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

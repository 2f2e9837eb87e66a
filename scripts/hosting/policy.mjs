// The Content-Security-Policy of the built pages.
import { createHash } from 'node:crypto'

const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi

/** Returns the CSP hashes of a page's inline scripts and styles. */
export function inlineHashes(html) {
  const hashes = { script: [], style: [] }
  for (const [, name, attributes, text] of html.matchAll(inline)) {
    if (/\ssrc\s*=/.test(attributes)) continue
    const hash = createHash('sha256').update(text).digest('base64')
    hashes[name.toLowerCase()].push(`'sha256-${hash}'`)
  }
  return hashes
}

/** Returns the Content-Security-Policy of the given pages. */
export function policy(pages) {
  const hashes = pages.map(inlineHashes)
  const all = (name) => [...new Set(hashes.flatMap((page) => page[name]))].sort()
  const directives = [
    ['default-src', "'none'"],
    // Compiling WebAssembly requires this source.
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...all('script')],
    ['style-src', "'self'", ...all('style')],
    // The icon is a data: URL.
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    // The second exhibit beside the first one.
    ['frame-src', "'self'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
  ]
  return directives.map((parts) => parts.join(' ')).join('; ')
}

/** Inserts `tags` into a page's head before all elements that a policy applies to. */
export function withHeadTags(html, tags) {
  const charset = /<meta charset="utf-8"\s*\/?>/i
  if (!charset.test(html)) throw new Error('A page has no <meta charset="utf-8">.')
  return html.replace(charset, (tag) => [tag, ...tags].join('\n    '))
}

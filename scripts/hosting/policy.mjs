// The Content-Security-Policy of the built pages.
import { createHash } from 'node:crypto'

const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi

/** The CSP hashes of the inline scripts and styles of a page. */
export function inlineHashes(html) {
  const hashes = { script: [], style: [] }
  for (const [, name, attributes, text] of html.matchAll(inline)) {
    if (/\ssrc\s*=/.test(attributes)) continue
    const hash = createHash('sha256').update(text).digest('base64')
    hashes[name.toLowerCase()].push(`'sha256-${hash}'`)
  }
  return hashes
}

/** The policy that all of these pages keep. */
export function policy(pages) {
  const hashes = pages.map(inlineHashes)
  const all = (name) => [...new Set(hashes.flatMap((page) => page[name]))].sort()
  const directives = [
    ['default-src', "'none'"],
    // Compiling WebAssembly counts as evaluating code.
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...all('script')],
    ['style-src', "'self'", ...all('style')],
    // The icon is a data: URL.
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['worker-src', "'self'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
  ]
  return directives.map((parts) => parts.join(' ')).join('; ')
}

/** The page with `tags` in its head, before everything that a policy applies to. */
export function withHeadTags(html, tags) {
  const charset = /<meta charset="utf-8"\s*\/?>/i
  if (!charset.test(html)) throw new Error('A page has no <meta charset="utf-8">.')
  return html.replace(charset, (tag) => [tag, ...tags].join('\n    '))
}

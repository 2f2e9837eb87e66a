// A static host for dist/, which applies dist/_headers or sends no extra headers.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { headersOf, parseHeaders } from '../../scripts/hosting/headers.mjs'
import { root } from '../../scripts/run.mjs'

const dist = join(root, 'dist')
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

/** Types that static hosts compress. */
const compressible = /^text|javascript|json|svg|wasm/

/** Compression by content encoding, at levels that hosts use for compression on request. */
const encoders = {
  gzip: (body) => gzipSync(body, { level: 6 }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
}

/** Compressed files by encoding and name, so that a host does not compress while a visit is measured. */
const encoded = new Map()

function encode(body, encoding, name) {
  const key = `${encoding} ${name}`
  if (!encoded.has(key)) encoded.set(key, encoders[encoding](body))
  return encoded.get(key)
}

/** @typedef {import('node:net').AddressInfo} AddressInfo */

/**
 * Starts a host for dist/.
 *
 * - `isolated`: whether it sends the headers of dist/_headers
 * - `paths`: the paths that it serves dist/ under
 * - `change(name, body)`: the body to send for a file
 * - `rename(name)`: the file in dist/ to send for a requested name
 * - `hold(name)`: resolves when the response to a request is sent
 * - `encoding`: `gzip` or `br` to compress responses
 * - `omit`: the name of a header of dist/_headers that it does not send
 * - `damage(name)`: `missing` for a 404, `cut` for a response that ends in the middle
 *
 * Returns the address of the first path, the set of files `served` so far, the number of `requests` for each file, and `close`.
 */
export async function host({
  isolated = true,
  paths = ['/'],
  change = null,
  rename = /** @type {(name: string) => string} */ ((name) => name),
  hold = /** @type {(name: string) => Promise<unknown> | void} */ (() => {}),
  encoding = /** @type {'gzip' | 'br' | null} */ (null),
  omit = '',
  damage = /** @type {(name: string) => string | null} */ (() => null),
} = {}) {
  const rules = isolated ? parseHeaders(readFileSync(join(dist, '_headers'), 'utf8')) : []
  const served = new Set()
  const requests = new Map()
  const server = createServer(async (request, response) => {
    const requested = decodeURIComponent(new URL(request.url, 'http://host').pathname)
    const path = paths.find((path) => requested.startsWith(path))
    const inside = path === undefined ? '' : requested.slice(path.length)
    const name = inside.endsWith('/') || !inside ? `${inside}index.html` : inside
    const file = normalize(join(dist, rename(name)))
    try {
      if (path === undefined || !file.startsWith(dist + sep)) throw new Error('outside')
      if (damage(name) === 'missing') throw new Error('missing')
      requests.set(name, (requests.get(name) ?? 0) + 1)
      await hold(name)
      const stored = await readFile(file)
      const sent = Buffer.from(change?.(name, stored) ?? stored)
      const type = types[extname(file)] ?? 'application/octet-stream'
      // A changed file is sent as it is.
      const encodes = encoding !== null && change === null && compressible.test(type)
      const body = encodes ? encode(sent, encoding, name) : sent
      const headers = {
        'Content-Type': type,
        ...(encodes && { 'Content-Encoding': encoding }),
        'Content-Length': body.length,
        ...headersOf(rules, `/${inside}`),
      }
      delete headers[omit]
      response.writeHead(200, headers)
      if (damage(name) === 'cut') {
        response.write(body.subarray(0, body.length / 2), () => response.destroy())
        return
      }
      response.end(body)
      served.add(name)
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not here')
    }
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(null)))
  const { port } = /** @type {AddressInfo} */ (server.address())
  const close = () => new Promise((done) => (server.closeAllConnections(), server.close(done)))
  return { address: `http://127.0.0.1:${port}${paths[0]}`, served, requests, close }
}

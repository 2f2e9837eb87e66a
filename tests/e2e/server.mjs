// Serves the built page as a plain static host does, with or without the isolation headers.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { root } from '../../scripts/run.mjs'

const dist = join(root, 'dist')
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** Starts a host for dist/ under a path; gives its address and how to close it. */
export async function host({ isolated = true, path = '/' } = {}) {
  const server = createServer(async (request, response) => {
    const asked = decodeURIComponent(new URL(request.url, 'http://host').pathname)
    const inside = asked.startsWith(path) ? asked.slice(path.length) : null
    const file =
      inside !== null &&
      normalize(join(dist, inside.endsWith('/') || !inside ? `${inside}index.html` : inside))
    try {
      if (!file || !file.startsWith(dist + sep)) throw new Error('outside')
      const body = await readFile(file)
      const type = types[extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { 'Content-Type': type, ...(isolated ? isolation : {}) }).end(body)
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not here')
    }
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const close = () => new Promise((done) => (server.closeAllConnections(), server.close(done)))
  return { address: `http://127.0.0.1:${server.address().port}${path}`, close }
}

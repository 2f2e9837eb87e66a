// Serves the page, the packages and the wasm module, with cross-origin isolation, which threads need.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { isolation } from '../../../scripts/hosting/headers.mjs'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
}
const page =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.mjs"></script>'

/** Starts the server. `folders` maps first path segments to folders; all other paths are in `root`. */
export async function serve(root, folders) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname))
    const [, first, ...rest] = path.split('/')
    const file = folders[first] ? join(folders[first], ...rest) : join(root, path)
    try {
      const body = path === '/' ? page : await readFile(file)
      const type = types[path === '/' ? '.html' : extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { ...isolation, 'Content-Type': type }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

// Public addresses: of the source code, for the page's footer, and of the page, for link previews. The release, for citations.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, root } from '../run.mjs'

/** Returns the web URL of a git remote or package.json repository, or `null` if it is not on the web, such as a folder. */
export function webAddress(repository) {
  const text = String(repository ?? '').trim()
  const github = text.match(/^(?:github:)?(\w[\w-]*\/[\w.-]+)$/)
  if (github) return `https://github.com/${github[1]}`
  // git@github.com:owner/name.git
  const short = text.match(/^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/)
  try {
    const url = new URL(short ? `https://${short[1]}/${short[2]}` : text.replace(/^git\+/, ''))
    if (!['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol)) return null
    // Drops user name, password and port.
    const host = url.protocol.startsWith('http') ? url.host : url.hostname
    return `https://${host}${url.pathname.replace(/\.git$/, '')}`
  } catch {
    return null
  }
}

/** Returns the source URL: from package.json, else the CI environment, else git's remote `origin`; `null` if none is public. */
export function sourceAddress({
  manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  env = process.env,
  origin = () => output('git', ['remote', 'get-url', 'origin']),
} = {}) {
  const { repository } = manifest
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env
  return (
    webAddress(typeof repository === 'object' ? repository.url : repository) ??
    webAddress(server && name ? `${server}/${name}` : null) ??
    webAddress(origin())
  )
}

/** Returns the version of the program and the commit of the source, such as `0.1.0 (commit 6729cffd38)`; without git the version. */
export function release({
  manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  commit = () => output('git', ['describe', '--always', '--dirty', '--abbrev=10', '--exclude=*']),
} = {}) {
  const name = commit()
  return name ? `${manifest.version} (commit ${name})` : manifest.version
}

/** Returns the public URL of the page from `VIVARIUM_PAGE_ADDRESS`, with a slash at its end; `null` if the variable is empty. */
export function pageAddress(env = process.env) {
  const text = (env.VIVARIUM_PAGE_ADDRESS ?? '').trim()
  if (!text) return null
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new Error(`VIVARIUM_PAGE_ADDRESS is “${text}”, not a URL such as https://example.org/vivarium/`)
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/?$/, '/')}`
}

/**
 * Returns a page with absolute URLs of its preview picture (`og:image`) and of itself (`og:url`): crawlers do not resolve relative ones.
 * Without the address of the page, its relative URL of the picture stays.
 */
export function withAddress(html, address) {
  const image = /<meta property="og:image" content="([^"]+)"\s*\/?>/
  if (!image.test(html)) throw new Error('The page has no <meta property="og:image">.')
  if (address === null) return html
  const tag = (name, url) => `<meta property="og:${name}" content="${url}" />`
  return html.replace(image, (_, path) =>
    [tag('image', new URL(path, address).href), tag('url', address)].join('\n    '),
  )
}

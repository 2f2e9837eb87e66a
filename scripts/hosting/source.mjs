// The public address of the source code, for the page's footer, and the release, for citations.
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

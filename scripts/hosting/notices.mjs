// Third-party notices: the licenses of all packages in the built page.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { output, root } from '../run.mjs'
import { licenseTexts } from './licenses.mjs'

/** Returns the folder into which cargo unpacked a registry crate. */
function crateFolder(name, version) {
  const registries = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src')
  const folders = existsSync(registries) ? readdirSync(registries) : []
  const found = folders.map((folder) => join(registries, folder, `${name}-${version}`)).find(existsSync)
  if (!found) throw new Error(`The crate ${name} ${version} is not in ${registries}: run npm run build.`)
  return found
}

/** Parses a line of `cargo tree`: `name v1.2.3|MIT`; a crate from outside a registry has a path or URL after the version. */
export function readCrate(line) {
  const [, name, version, from, expression] = line.match(/^(\S+) v(\S+?)(?: \((.+)\))?\|(.*)$/) ?? []
  if (!name) throw new Error(`cargo tree printed a line that is no crate: ${line}`)
  return { name, version, from: from ?? null, expression }
}

/**
 * Returns the third-party crates in a build of the workspace's package `name` with the build options `options`. `cargo tree`
 * resolves features as the build does.
 */
export function crates(name, options) {
  const kinds = ['-e', 'normal,no-proc-macro', ...options]
  const format = ['--prefix', 'none', '--no-dedupe', '--format', '{p}|{l}']
  const tree = output('cargo', ['tree', '--locked', '-p', name, ...kinds, ...format])
  if (tree === null) throw new Error('cargo tree failed: the licenses of the Rust crates are unknown.')
  return [...new Set(tree.split('\n'))]
    .sort()
    .map(readCrate)
    .filter(({ from }) => !from?.startsWith(root))
    .map((crate) => ({ ...crate, folder: crateFolder(crate.name, crate.version) }))
}

/** Reads a package in node_modules. */
function npmPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string')
    throw new Error(`${name} does not say its license (${folder}/package.json).`)
  return { name, version, expression: license, folder }
}

/** Returns the node_modules package of a module, or `null`. */
export function packageOf(file) {
  // Helper functions that Vite injects.
  if (file.startsWith('\0vite/')) return join(root, 'node_modules/vite')
  const [, folder] = file.replaceAll('\\', '/').match(/^[\0]?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? []
  return folder && existsSync(join(folder, 'package.json')) ? folder : null
}

export const own = {
  name: 'Vivarium',
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  expression: 'MIT OR Apache-2.0',
  texts: ['MIT', 'APACHE'].map((name) => ({
    text: readFileSync(join(root, `LICENSE-${name}`), 'utf8').trim(),
  })),
}
// Rust's standard library is part of every module; not all toolchains ship its license files.
export const standardLibrary = {
  name: 'The Rust standard library',
  version: '',
  expression: 'MIT OR Apache-2.0',
  folder: join(root, 'crates'),
  owner: 'The Rust Project Contributors',
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function section(title, packages) {
  const items = packages.map(({ name, version, expression, texts }) => {
    const body = texts.map(({ text }) => `<pre>${escape(text)}</pre>`).join('')
    const summary = `<summary><b>${escape(name)}</b> ${escape(version)} <span>${escape(expression)}</span></summary>`
    return `<li><details>${summary}${body}</details></li>`
  })
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

/** Returns the HTML of all notices. `folders`: the node_modules packages that are part of the page. */
export function notices(folders) {
  const withTexts = (list) => list.map((one) => ({ ...one, texts: licenseTexts(one) }))
  const modules = crates('vivarium-web', ['--features', 'gpu,threads', '--target', 'wasm32-unknown-unknown'])
  const npm = withTexts([...folders].sort().map(npmPackage))
  const isFont = ({ name }) => /^@(fontsource|expo-google-fonts)/.test(name)
  return [
    section('This page', [own]),
    section('Typefaces', npm.filter(isFont)),
    section(
      'JavaScript',
      npm.filter((one) => !isFont(one)),
    ),
    section('Rust, compiled to WebAssembly', withTexts([standardLibrary, ...modules])),
  ].join('\n')
}

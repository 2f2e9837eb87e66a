// The imports between source files of one crate, read from the text of the files: `use` declarations and paths such as
// `super::name`, `child::name` or, after `use super::module`, `module::name`. A re-exported name counts as an import of
// the file that defines the name, so a `mod.rs` that only re-exports is not part of an import cycle.

/** Returns the crate of a source file and the path of its module: `crates/x/src/a/b.rs` is `a::b` in `crates/x`. */
function moduleOf(file) {
  const [crate, source] = file.split('/src/')
  const path = source.replace(/\.rs$/, '').split('/')
  if (['mod', 'lib', 'main'].includes(path.at(-1))) path.pop()
  return { crate, path }
}

const key = (crate, path) => `${crate}/${path.join('::')}`

/** Returns a file without comments and without its unit tests, which may import any file of the crate. */
const productCode = (text) =>
  text
    .replace(/\/\/.*$/gm, '')
    .replace(/#\[cfg\(test\)\]\s*mod \w+;/g, '')
    .replace(/#\[cfg\(test\)\]\s*mod \w+ \{[^]*$/, '')

/** Splits a text at the commas that are not within braces. */
function splitAtCommas(text) {
  const parts = ['']
  let depth = 0
  for (const char of text) {
    depth += Number(char === '{') - Number(char === '}')
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/**
 * Returns the paths of a `use` tree and the names that the tree declares: `a::{self, c::d as e}` declares `a` as the path
 * `a`, and `e` as the path `a::c::d`.
 */
function pathsOf(tree, prefix = []) {
  return splitAtCommas(tree).flatMap((part) => {
    const open = part.indexOf('{')
    const [head, alias] = open < 0 ? part.split(/\s+as\s+/) : [part.slice(0, open)]
    const path = [...prefix, ...head.split('::').map((name) => name.trim())].filter(Boolean)
    if (open >= 0) return pathsOf(part.slice(open + 1, part.lastIndexOf('}')), path)
    if (path.length > 1 && path.at(-1) === 'self') path.pop()
    return [{ path, name: alias ?? path.at(-1) }]
  })
}

const DEFINITION =
  /\b(?:struct|enum|trait|fn|const|static|type|union|macro_rules!)\s+(?:mut\s+|fn\s+)?([A-Za-z_]\w*)/g
const USE = /\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/g
const PATH = /(?<![\w:]|\$crate::)[a-z_]\w*(?:::[A-Za-z_]\w*)+/g

/** Returns the definitions, imports and re-exports of one file. */
function parse(text) {
  const code = productCode(text)
  const uses = [...code.matchAll(USE)].flatMap(([, isPublic, tree]) =>
    pathsOf(tree).map((use) => ({ ...use, isPublic: Boolean(isPublic) })),
  )
  const paths = [...code.replace(USE, '').matchAll(PATH)].map(([path]) => path.split('::'))
  return { names: new Set([...code.matchAll(DEFINITION)].map(([, name]) => name)), uses, paths }
}

/**
 * Returns a map from each file to the files of its crate that it imports. `sources` maps paths such as `crates/x/src/a.rs` to the
 * text of the file.
 */
export function crateImports(sources) {
  const fileAt = new Map()
  const parsed = new Map()
  for (const [file, text] of sources) {
    const { crate, path } = moduleOf(file)
    fileAt.set(key(crate, path), file)
    parsed.set(file, parse(text))
  }

  /**
   * Returns the file of the module that a path names, and the rest of the path: an item of this module. The path may begin
   * with the name of a module that the file imports.
   */
  function resolve(file, written, depth = 0) {
    const { crate, path } = moduleOf(file)
    let rest = written
    let module = path
    const use = parsed.get(file).uses.find(({ name }) => name === rest[0])
    if (use && rest.length > 1 && use.path[0] !== rest[0] && depth <= 5)
      return resolve(file, [...use.path, ...rest.slice(1)], depth + 1)
    if (rest[0] === 'crate') [module, rest] = [[], rest.slice(1)]
    else if (rest[0] === 'self') rest = rest.slice(1)
    else if (rest[0] !== 'super' && !fileAt.has(key(crate, [...path, rest[0]]))) return null
    while (rest[0] === 'super') [module, rest] = [module.slice(0, -1), rest.slice(1)]
    while (rest.length && fileAt.has(key(crate, [...module, rest[0]])))
      [module, rest] = [[...module, rest[0]], rest.slice(1)]
    const target = fileAt.get(key(crate, module))
    return target ? { target, name: rest[0] } : null
  }

  /** Returns the file that defines `name`: `file` itself, or the file from which `file` re-exports the name. */
  function definer(file, name, depth = 0) {
    const { names, uses } = parsed.get(file)
    if (names.has(name) || depth > 5) return file
    for (const use of uses) {
      const found = use.name === name ? resolve(file, use.path) : null
      if (found?.name && found.target !== file) return definer(found.target, found.name, depth + 1)
    }
    return file
  }

  const imports = new Map()
  for (const [file, { uses, paths }] of parsed) {
    const targets = new Set()
    for (const path of [...paths, ...uses.filter(({ isPublic }) => !isPublic).map(({ path }) => path)]) {
      const found = resolve(file, path)
      if (!found?.name) continue
      const target = found.name === '*' ? found.target : definer(found.target, found.name)
      if (target !== file) targets.add(target)
    }
    imports.set(file, [...targets])
  }
  return imports
}

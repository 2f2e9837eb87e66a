// Checks the imports between the page's folders: a folder imports only from lower layers, and folders have no import cycles.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Layers of www/src, lowest first: folders and single files. A file may import from its own layer and lower ones. `exhibits/*` are
 * the families: they do not import each other, and the folders of a family have no import cycles.
 */
const LAYERS = [
  'protocol',
  'lib',
  'engine/shared',
  'host',
  'engine/worker',
  'engine/page',
  'worlds.ts',
  'state',
  'state/storage',
  'kit',
  'charts',
  'shell',
  'exhibits/shared',
  'exhibits/*',
  'app',
  'testids.ts',
  'main.ts',
]

/** Maximum number of import cycles between files of one folder. */
const MOST_CIRCLES = 5

const isSource = (file) =>
  /\.(ts|svelte)$/.test(file) && !/\.(test|d)\.ts$/.test(file) && !file.startsWith('wasm')

/** Returns the files that a source imports, relative to the root, without packages and build output. */
export function importsOf(file, text, exists) {
  const found = []
  for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'?]*)/g)) {
    const target = normalize(join(dirname(file), path))
    const imported = ['', '.ts', '.d.ts'].map((ending) => target + ending).find(exists)
    if (imported && imported !== file) found.push(imported)
  }
  return found
}

/** Returns the family of an exhibit's folder, or null for folders that exhibits share. */
function familyOf(layer) {
  const [top, family] = layer.split('/')
  return top === 'exhibits' && family !== 'shared' ? family : null
}

/** Returns the errors in `imports`, a map from each file to the files that it imports. */
export function wrongImports(imports, layers = LAYERS) {
  const wrong = new Set()
  const folderOf = (file) => (file.includes('/') ? dirname(file) : file)
  const layerOf = (folder) => layers.indexOf(familyOf(folder) ? 'exhibits/*' : folder)
  const inFamilies = new Map()
  for (const [file, imported] of imports) {
    const from = folderOf(file)
    if (layerOf(from) < 0) wrong.add(`www/src/${from} has no place in scripts/page-layers.mjs yet`)
    for (const target of imported) {
      const to = folderOf(target)
      if (from === to) continue
      const [family, other] = [familyOf(from), familyOf(to)]
      if (family && family === other) inFamilies.set(from, [...(inFamilies.get(from) ?? []), to])
      else if ((family && other) || layerOf(from) < layerOf(to))
        wrong.add(`www/src/${file} may not import from www/src/${to}`)
    }
  }
  for (const ring of circles(inFamilies))
    wrong.add(`folders of www/src import each other: ${ring.sort().join(', ')}`)
  return [...wrong]
}

/** Returns the strongly connected components with more than one file (Tarjan 1972). */
export function circles(imports) {
  const found = []
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}

/** Checks www/src. Returns the errors and the tolerated import cycles. */
export function checkPage(root) {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const exists = (file) => /\.(ts|svelte)$/.test(file) && existsSync(join(root, file))
  const imports = new Map(
    files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'), exists)]),
  )
  const wrong = wrongImports(imports)
  const rings = circles(imports).map((group) => group.sort().join(', '))
  if (rings.length > MOST_CIRCLES)
    wrong.push(
      `www/src has ${rings.length} circles of files, of at most ${MOST_CIRCLES}: ${rings.join('; ')}`,
    )
  return { wrong, rings }
}

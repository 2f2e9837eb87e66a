// Checks the imports of the page: a folder imports only from lower layers, and there are no import cycles.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { circles, describeCircles } from './circles.mjs'

/**
 * Layers of www/src, lowest first: folders and single files. A file may import from its own layer and lower ones. `exhibits/*` are
 * the families: they do not import each other, and the folders of a family have no import cycles.
 */
const LAYERS = [
  'protocol',
  'lib',
  'glossary',
  'engine/shared',
  'host',
  'engine/worker',
  'engine/tools',
  'engine/page',
  'worlds.ts',
  'state',
  'state/storage',
  'kit',
  'charts',
  'shell',
  'exhibits/shared/export',
  'exhibits/shared/term',
  'exhibits/shared/guide',
  'exhibits/shared/ending',
  'exhibits/shared',
  'exhibits/shared/article',
  'exhibits/*',
  'app/teach',
  'app',
  'testids.ts',
  'preload.ts',
  'main.ts',
]

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
    wrong.add(`folders of www/src import each other: ${ring.join(', ')}`)
  return [...wrong]
}

/** Checks the imports of the page in www/src. Returns the errors. */
export function checkPage(root) {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const exists = (file) => /\.(ts|svelte)$/.test(file) && existsSync(join(root, file))
  const imports = new Map(
    files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'), exists)]),
  )
  return [...wrongImports(imports), ...describeCircles(imports, 'www/src/')]
}

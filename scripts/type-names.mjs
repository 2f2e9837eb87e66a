// Checks that each type name is unique over the crates, so that the name alone identifies the type. Role names such as
// `Config`, of which each learner or environment has its own type, are exempt.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, root } from './run.mjs'

/** Role names: types with such a name play the same role in each crate. */
const ROLES = [
  'Activation',
  'Command',
  'Config',
  'Constants',
  'Documents',
  'Error',
  'Observation',
  'Params',
  'Picture',
  'Report',
  'SavedState',
  'State',
  'View',
]

// A declaration under `#[cfg(not(…))]` replaces another declaration with the same name.
const declaration =
  /(?<!#\[cfg\(not\(.*\n)^\s*(?:pub(?:\([a-z ]+\))? )?(?:unsafe )?(?:struct|enum|trait|union) ([A-Z]\w*)/gm
const files = output('git', ['ls-files', 'crates'])
  .split('\n')
  .filter((file) => file.endsWith('.rs') && !file.includes('/tests/') && !file.endsWith('tests.rs'))

const places = new Map()
for (const file of files) {
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(declaration))
    places.set(name, [...(places.get(name) ?? []), file])
}
const repeated = [...places].filter(([name, files]) => files.length > 1 && !ROLES.includes(name)).sort()
for (const [name, files] of repeated)
  console.error(
    `the type name ${name} is declared ${files.length} times; rename all but one: ${files.join(', ')}`,
  )
if (!repeated.length) console.log(`type names: ${places.size} names, each unique over the crates`)
process.exit(repeated.length ? 1 : 0)

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testIds } from './testids'

test('every documented test id is in a component', () => {
  const folder = join(import.meta.dirname, '.')
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.svelte$|export\/(?:choices|formats|kinds)\.ts$|exports\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  for (const id of Object.keys(testIds)) {
    const missing = ![`"${id}`, `'${id}`, `\`${id}`].some((start) => source.includes(start))
    if (missing) expect.fail(`${id} is in no component`)
  }
})

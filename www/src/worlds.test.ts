import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadExperiments } from './engine/page/session'
import { familyOfWorld, worlds } from './worlds'

test('every experiment has a card, which names its family', async () => {
  const experiments = await loadExperiments()
  expect(worlds.map(({ name }) => name).sort()).toEqual(experiments.map(({ name }) => name).sort())
  for (const { name, world } of experiments) expect(familyOfWorld(name)).toBe(world.kind)
  expect(familyOfWorld('chess')).toBeNull()
})

test('every world has a picture, which is in the file of its name', () => {
  const pictures = readdirSync(join(import.meta.dirname, 'previews'))
  expect(pictures.sort()).toEqual(worlds.map(({ name }) => `${name}.svelte`).sort())
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadExperiments } from './engine/page/session'
import { folderOf } from './engine/shared/family'
import { familyOfWorld, worlds } from './worlds'

test('every experiment has a card, which names its family', async () => {
  const experiments = await loadExperiments()
  const names = worlds.map(({ name }) => name)
  expect(names.toSorted()).toEqual(experiments.map(({ name }) => name).toSorted())
  expect(names[0]).toBe('cartpole')
  for (const { name, world } of experiments) expect(familyOfWorld(name)).toBe(world.kind)
  for (const { name, title, line, hue } of worlds) {
    expect(title && line, name).toBeTruthy()
    expect(hue, name).toBeGreaterThanOrEqual(0)
  }
  expect(familyOfWorld('chess')).toBeNull()
})

test('every family has an exhibit, and every world a picture, which is in the file of its name', () => {
  for (const family of new Set(worlds.map((world) => world.family))) {
    const folder = join(import.meta.dirname, 'exhibits', folderOf(family))
    expect(readdirSync(folder)).toContain('exhibit.ts')
    const pictures = readdirSync(join(folder, 'previews'))
    const own = worlds.filter((world) => world.family === family)
    expect(pictures.sort()).toEqual(own.map(({ name }) => `${name}.svelte`).sort())
  }
})

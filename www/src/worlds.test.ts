import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadExperiments } from './engine/page/session'
import { folderOf } from './engine/shared/family'
import { guided } from '../../tests/fixtures/guided.mjs'
import { guideOf } from '../../tests/fixtures/guides'
import { familyOfWorld, followingWorld, worldCard, worlds, type World } from './worlds'

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

/** Words that a visitor reads in a minute, and minutes for the experiment of a step. */
const [wordsPerMinute, minutesPerStep] = [200, 0.75]

test.each(guided)('the card of $world states the duration of its guide', async ({ family, world }) => {
  const guide = await guideOf(family, world)
  const texts = guide.flatMap((step) => [
    step.title,
    step.text,
    step.question,
    ...(step.guesses ?? []),
    step.action.label,
  ])
  const minutes = texts.join(' ').split(/\s+/).length / wordsPerMinute + guide.length * minutesPerStep
  expect(Math.abs(worldCard(world as World).guideMinutes - minutes)).toBeLessThan(1)
})

test('the guide of each subject is followed by the first one of the next subject', () => {
  const first = ['cartpole', 'connect-four', 'language', 'frozen-lake']
  expect(first.map((name) => followingWorld(name).name)).toEqual([...first.slice(1), 'cartpole'])
  expect(followingWorld('acrobot').name).toBe('connect-four')
})

test('every environment has a guide', () => {
  expect(guided.map(({ world }) => world).sort()).toEqual(worlds.map(({ name }) => name).sort())
})

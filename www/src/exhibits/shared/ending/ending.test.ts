import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkAction, checkFigure, documented } from '../../../../../tests/fixtures/actions'
import { folderOf } from '../../../engine/shared/family'
import type { ExperimentInfo } from '../../../engine/page/session'
import experiments from '../../../protocol/experiments.json'
import { experiments as declared } from '../../../protocol/experiments'
import { EarlierEnds } from './earlier-ends.svelte'
import { ending, learnedText, mostSteps, stepsFor, type Ending } from './ending'

const infos = experiments as unknown as ExperimentInfo[]
const families = join(import.meta.dirname, '../..')

const folders = readdirSync(families).filter((family) =>
  readdirSync(join(families, family)).includes('ending.ts'),
)
const all: Record<string, Ending> = Object.assign(
  {},
  ...(await Promise.all(
    folders.map(async (family) => (await import(`../../${family}/ending.ts`)).endings as object),
  )),
)
const worlds = declared.map(({ name }) => name)

test('every environment has an ending', () => {
  expect(Object.keys(all).sort()).toEqual([...worlds].sort())
  expect(folders.sort()).toEqual([...new Set(declared.map(({ family }) => folderOf(family)))].sort())
})

describe.each(worlds)('the ending of %s', (world) => {
  const info = infos.find(({ name }) => name === world)!
  const { figures, next, learned } = all[world]!

  test('names existing metrics, presets and elements', () => {
    for (const figure of Object.values(figures)) checkFigure(figure, info)
    for (const { does, target = 'living-view' } of next) {
      expect(documented(target), target).toBe(true)
      if (typeof does === 'string') expect(worlds).toContain(does)
      else for (const action of does) checkAction(action, info)
    }
  })

  test('offers two to four steps for each preset, and another exhibit', () => {
    for (const preset of [null, ...info.presets.map(({ name }) => name)]) {
      const steps = stepsFor(all[world]!, preset)
      expect(steps.length).toBeGreaterThanOrEqual(2)
      expect(steps.length).toBeLessThanOrEqual(mostSteps)
      expect(steps.some(({ does }) => typeof does === 'string')).toBe(true)
    }
    expect(new Set(next.map(({ label }) => label)).size).toBe(next.length)
  })

  test('is one sentence or two of figures, once the figures are known', () => {
    expect(learned({})).toBeNull()
    const text = learned(Object.fromEntries(Object.keys(figures).map((name) => [name, 0.5])))!
    expect(text).toMatch(/\d.*\.$/)
    expect(text).not.toMatch(/undefined|NaN/)
  })
})

test('the sentence has the figures of the run', () => {
  const values = { 'solved-steps': 212_992, 'solved-seconds': 9.2, return_mean: 487.3 }
  const read = (figure: object) => Object.values(figure).map((name: keyof typeof values) => values[name])[0]
  expect(learnedText(all['cartpole']!, read)).toBe(
    'Solved after 212,992 environment steps, 9.2\u00a0s: mean return 487 of 500.',
  )
})

test('the sentence compares the run with the one before it in the same environment', () => {
  const ends = new EarlierEnds()
  const text = (run: number, steps: number, preset: string) =>
    learnedText(
      all['cartpole']!,
      (figure) => ('metric' in figure ? 500 : steps),
      (result) => ends.record('cartpole', run, `with “${preset}”: ${result}`),
    )
  expect(text(1, 212_992, 'Default')).toMatch(/of 500\.$/)
  expect(ends.record('pendulum', 2, 'with “Default”: 7')).toBeNull()
  const compared = /of 500\. The run before, with “Default”: 212,992 environment steps\.$/
  expect(text(3, 45_056, 'Moon gravity')).toMatch(compared)
  // The panel of the same run is opened again.
  expect(text(3, 45_056, 'Moon gravity')).toMatch(compared)
})

test('the sentence about an opened model counts the tokens of earlier training', () => {
  const { learned } = all['language']!
  const values = { tokens: 2048, held: Math.log(1.3), trigram: Math.log(3.6) }
  expect(learned({ ...values, earlier: 41e6 })).toMatch(
    /^After 41\.0.M tokens in earlier training and 2,048 tokens here the perplexity/,
  )
  expect(learned({ ...values, earlier: 0 })).toMatch(/^After 2,048 tokens the perplexity/)
})

test('a solved run of a control exhibit is watched again without a restart', () => {
  for (const { next } of [all['cartpole']!, all['frozen-lake']!]) {
    const { does } = next.find(({ again }) => again)!
    expect(does).toEqual([{ kind: 'click', element: 'timeline-play' }])
  }
})

test('a step that restarts with the current preset is not offered', () => {
  const restart = (preset: string) => [{ kind: 'restart', preset }] as const
  const made = ending({
    title: 'A',
    figures: {},
    learned: () => 'B',
    next: [
      { label: 'Moon', does: restart('moon') },
      { label: 'Short pole', does: restart('short-pole') },
    ],
  })
  const labels = (preset: string | null) => stepsFor(made, preset).map(({ label }) => label)
  expect(labels('moon')).toEqual(['Short pole'])
  expect(labels(null)).toEqual(['Moon', 'Short pole'])
})

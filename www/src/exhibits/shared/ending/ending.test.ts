import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkAction, checkFigure, documented } from '../../../../../tests/fixtures/actions'
import { folderOf } from '../../../engine/shared/family'
import type { ExperimentInfo } from '../../../engine/page/session'
import experiments from '../../../protocol/experiments.json'
import { experiments as declared } from '../../../protocol/experiments'
import type { Lab } from '../../../state/lab.svelte'
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
  /** Lab whose run is solved with the default settings. */
  const lab = { info, config: info.defaults, solved: { steps: 200_000, seconds: 9 } } as unknown as Lab

  test('names existing metrics, presets and elements', () => {
    for (const figure of Object.values(figures)) checkFigure(figure, info)
    for (const { does, target = 'living-view' } of next) {
      expect(documented(target), target).toBe(true)
      if (typeof does === 'string') expect(worlds).toContain(does)
      else for (const action of typeof does === 'function' ? does(lab) : does) checkAction(action, info)
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
    'Solved after 212,992 environment steps, 9.2 s: mean return 487 of 500.',
  )
})

test('a repetition takes about a minute', () => {
  const info = infos.find(({ name }) => name === 'cartpole')!
  const again = all['cartpole']!.next.find(({ again }) => again)!.does as (lab: Lab) => unknown
  const run = { info, config: info.defaults, solved: { steps: 212_992, seconds: 9 } } as unknown as Lab
  // 128 environments take 1,664 steps each, 33 s at 50 steps per second.
  expect(again(run)).toEqual([{ kind: 'restart' }, { kind: 'speed', speed: 50 }, { kind: 'learn', on: true }])
  expect(again({ ...run, solved: null } as unknown as Lab)).toEqual([{ kind: 'restart' }])
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

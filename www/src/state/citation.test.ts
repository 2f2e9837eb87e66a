import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { bibtex, citationText, comparisonCitation, runCitation, type CitedRun } from './citation'
import { withSettings, type Config } from './config'

const info = (experiments as unknown as ExperimentInfo[]).find(({ name }) => name === 'cartpole')!
const defaults = info.defaults as Config

const run: CitedRun = {
  ...{ release: '0.1.0 (commit 6729cffd38)', info, seed: 3, engine: 'cpu', steps: 61_440 },
  ...{ earlierSteps: 0, changes: [], date: new Date(2026, 10, 8, 23, 30) },
  config: withSettings(defaults, [{ path: 'world.gravity', value: 1.62 }]),
  link: 'https://example.org/#/cartpole?preset=moon&seed=3',
}

test('a citation names version, settings that differ from the defaults, seed, steps, date and link', () => {
  expect(citationText(runCitation(run))).toBe(
    'The Vivarium authors (2026). Vivarium, version 0.1.0 (commit 6729cffd38) [Computer software]: CartPole, Moon gravity, seed 3. Experiment cartpole. Settings that differ from the defaults: world.gravity = 1.62. 61,440 steps on the CPU. Run of 2026-11-08. https://example.org/#/cartpole?preset=moon&seed=3',
  )
})

test('a BibTeX entry has the same contents, and escapes what LaTeX reads as commands', () => {
  const config = withSettings(run.config, [{ path: 'ppo.num_envs', value: 64 }])
  const entry = bibtex(runCitation({ ...run, config }))
  expect(entry).toBe(`@misc{vivarium-cartpole-seed3-2026-11-08,
  author = {{The Vivarium authors}},
  title = {{Vivarium: CartPole, custom settings, seed 3}},
  year = {2026},
  howpublished = {\\url{https://example.org/#/cartpole?preset=moon&seed=3}},
  note = {Version 0.1.0 (commit 6729cffd38). Experiment cartpole. Settings that differ from the defaults: world.gravity = 1.62, ppo.num\\_envs = 64. 61,440 steps on the CPU. Run of 2026-11-08},
}
`)
  const changes = [{ steps: 2000, path: 'a', text: '50 % of {a} & #b^~\\$' }]
  expect(bibtex(runCitation({ ...run, changes }))).toContain(
    'Changed during the run: 50 \\% of \\textbraceleft{}a\\textbraceright{} \\& \\#b\\textasciicircum{}\\textasciitilde{}\\textbackslash{}\\$ at 2,000 steps',
  )
})

test('a citation says what a link does not: opened weights and changes during the run', () => {
  const changes = [{ steps: 20_480, path: 'world.gravity', text: 'Gravity 1.62' }]
  const text = citationText(
    runCitation({ ...run, config: defaults, earlierSteps: 5000, changes, release: undefined }),
  )
  expect(text).toContain('Vivarium [Computer software]: CartPole, Default, seed 3. ')
  expect(text).toContain(
    'Default settings. Changed during the run: Gravity 1.62 at 20,480 steps. 61,440 steps on the CPU. Opened weights, trained before for 5,000 steps.',
  )
})

test('the citation of a comparison names the runs of each group with their settings and steps', () => {
  const curves = (end: number) => ({ steps: [2048, end], columns: {} })
  const groups = [
    {
      name: 'Moon gravity, seed 3',
      runs: [{ config: run.config, curves: curves(61_440) }],
      isBaseline: false,
    },
    {
      name: 'Default, seeds 1, 2',
      runs: [4096, 8192].map((end) => ({ config: defaults, curves: curves(end) })),
      isBaseline: true,
    },
  ]
  const cited = comparisonCitation({ ...run, earlierSteps: 5000 }, groups, null)
  expect(citationText(cited)).toBe(
    'The Vivarium authors (2026). Vivarium, version 0.1.0 (commit 6729cffd38) [Computer software]: CartPole, comparison of Moon gravity, seed 3 and Default, seeds 1, 2. Experiment cartpole. Runs Moon gravity, seed 3: world.gravity = 1.62, 61,440 steps. Baseline Default, seeds 1, 2: default settings, 4,096 to 8,192 steps. Opened weights, trained before for 5,000 steps. Run of 2026-11-08. https://example.org/#/cartpole?preset=moon&seed=3',
  )
  expect(bibtex(cited)).toMatch(/^@misc{vivarium-cartpole-comparison-2026-11-08,/)
  // The link of the run has no curves.
  const link = `${run.link}&curves=x_y-z&paused=1`
  const omitted = ['Approximate KL']
  const withCurves = comparisonCitation(run, groups, { link, omitted })
  expect(citationText(withCurves)).toContain(
    `. The link contains the learning curves of these runs, without Approximate KL. Run of 2026-11-08. ${link}`,
  )
  expect(bibtex(withCurves)).toContain(`howpublished = {\\url{${link}}},`)
  expect(citationText(comparisonCitation(run, groups, { link, omitted: [] }))).toContain(
    'The link contains the learning curves of these runs. Run of',
  )
})

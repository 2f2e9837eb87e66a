import { describe, expect, test } from 'vitest'
import type { ExperimentInfo } from '../../../engine/page/session'
import experiments from '../../../protocol/experiments.json'
import { checkAction, checkFigure, documented } from '../../../../../tests/fixtures/actions'
import { distanceTo, ringAround } from './ring'
import { guided } from '../../../../../tests/fixtures/guided.mjs'
import { guideOf } from '../../../../../tests/fixtures/guides'
import { termOf } from '../../../glossary'
import { moves } from '../../cube/guides/cube2'
import { indexOf, numberIn, Outcome, setupOf, step, textParts, valuesOf, type GuideStep } from './guide'

const infos = experiments as unknown as ExperimentInfo[]
const counting = step({
  title: 'A',
  text: 'B',
  question: 'C?',
  target: 'steps',
  action: { label: 'D', does: [] },
  figures: { steps: { progress: 'steps' }, loss: { metric: 'loss' } },
  outcome: ({ steps = 0 }, then) => (steps > (then.steps ?? 0) ? `${steps} after ${then.steps}` : null),
})

test('an outcome has no text before the experiment has started', () => {
  const outcome = new Outcome(counting)
  expect([{ steps: 5 }, { steps: 7 }].map((now) => outcome.update(now))).toEqual([null, null])
  outcome.start({ steps: 7 })
  expect(outcome.update({ steps: 7 })).toBeNull()
})

test('an outcome compares with the values at the start of the experiment and remains', () => {
  const outcome = new Outcome(counting)
  outcome.update({ steps: 2 })
  outcome.start({ steps: 5 })
  expect(outcome.update({ steps: 5 })).toBeNull()
  expect(outcome.update({ steps: 7 })).toBe('7 after 5')
  expect(outcome.update({ steps: 0 })).toBe('7 after 5')
  outcome.start({ steps: 9 })
  expect(outcome.update({ steps: 9 })).toBe('7 after 5')
  expect(outcome.update({ steps: 10 })).toBe('10 after 9')
})

test('a final outcome stays until the experiment is repeated', () => {
  const outcome = new Outcome({ ...counting, isFinal: ({ steps = 0 }) => steps >= 7 })
  outcome.start({ steps: 5 })
  expect([6, 7, 8].map((steps) => outcome.update({ steps }))).toEqual(['6 after 5', '7 after 5', '7 after 5'])
  outcome.start({ steps: 8 })
  expect(outcome.update({ steps: 9 })).toBe('9 after 8')
})

test('an outcome with an answer decides the guess until the experiment is repeated', () => {
  const outcome = new Outcome({
    ...counting,
    guesses: ['few', 'many'],
    outcome: ({ steps = 0 }) => (steps > 9 ? { text: `${steps}`, right: 1 } : steps > 5 ? `${steps}` : null),
  })
  const at = (steps: number) => [outcome.update({ steps }), outcome.right]
  outcome.start({ steps: 5 })
  expect([5, 7, 10].map(at)).toEqual([
    [null, null],
    ['7', null],
    ['10', 1],
  ])
  outcome.start({ steps: 5 })
  expect(outcome.right).toBeNull()
})

test('a text is split at its terms', () => {
  expect(textParts('A [policy](policy) acts.')).toEqual([
    { text: 'A ', term: null },
    { text: 'policy', term: 'policy' },
    { text: ' acts.', term: null },
  ])
})

test('the moves of the cube have the order of the network', () => {
  const { world } = infos.find(({ name }) => name === 'cube2')!
  expect(world.kind === 'cube' && world.turns.map((turn) => turn.replace("'", '′'))).toEqual(moves)
})

test('the step of CartPole about the doubled return keeps the number of gradient steps', async () => {
  const outcome = new Outcome((await guideOf('control', 'cartpole'))[1]!)
  outcome.start({ updates: 0 })
  const at = (updates: number, mean: number) => outcome.update({ updates, mean })
  expect(at(0, 22)).toBeNull()
  expect(at(16, 30)).toContain('at the start it was 22')
  expect(at(96, 45)).toContain('doubled after 96 gradient steps')
  expect(at(112, 60)).toContain('doubled after 96 gradient steps')
})

test.each([
  [
    'connect-four',
    5,
    { random: 0.9, two: 0.6, four: 0.2, six: 0.1 },
    /^It beats random moves, minimax with 2 plies\..*random moves 90 %, minimax with 2 plies 60 %/,
  ],
  ['backgammon', 5, { random: 0.4, pubeval: 0.1 }, /^It beats no opponent yet/],
])('%s states the order of the opponents', async (world, at, values, expected) => {
  const outcome = new Outcome((await guideOf('games', world))[at]!)
  outcome.start({})
  expect(outcome.update(values)).toMatch(expected)
})

test('the first known value of a figure since the start counts as its value then', () => {
  const outcome = new Outcome(counting)
  outcome.start({})
  expect(outcome.update({})).toBeNull()
  expect(outcome.update({ steps: 7 })).toBeNull()
  expect(outcome.update({ steps: 8 })).toBe('8 after 7')
})

test('the first text of the page, which the click writes, is an outcome of the step of the language model', async () => {
  const step = (await guideOf('language', 'language'))[0]!
  const outcome = new Outcome(step)
  outcome.start(valuesOf(step, (figure) => ('element' in figure ? figure.missing : undefined)))
  expect(outcome.update({ text: 0, length: 3 })).toBeNull()
  expect(outcome.update({ text: 0, length: 9, tokens: 2048 })).toMatch(/^The text has 9 tokens/)
})

test('a requirement prevents the experiment only before its start', () => {
  const requirement = {
    isMet: ({ loss = 9 }: { loss?: number }) => loss < 1,
    text: 'The loss is too high.',
    action: { label: 'Train', does: [] },
  }
  const outcome = new Outcome({ ...counting, requirement })
  expect([{}, { loss: 2 }, { loss: 0.5 }].map((now) => outcome.unmet(now))).toEqual([
    requirement,
    requirement,
    null,
  ])
  outcome.start({ loss: 0.5 })
  expect(outcome.unmet({ loss: 2 })).toBeNull()
  expect(new Outcome(counting).unmet({})).toBeNull()
})

describe('the setup of a step', () => {
  const setup = [{ kind: 'learn', on: false }] as const
  const restart = { kind: 'restart', held: true }
  const guide = [counting, { ...counting, setup }]
  const run = { moved: false, fromFile: false, running: true, seconds: 9 }

  test('restarts and pauses a run in its first seconds, if the guide is opened at its first step', () => {
    expect(setupOf(guide, 0, run)).toEqual([restart])
    expect(setupOf([{ ...counting, setup }], 0, run)).toEqual([restart, ...setup])
    for (const other of [{ moved: true }, { fromFile: true }, { running: false }, { seconds: 30 }])
      expect(setupOf(guide, 0, { ...run, ...other })).toEqual([])
    expect(setupOf(guide, 1, run)).toEqual(setup)
  })

  test('changes a restored run only after the visitor has opened a step', () => {
    expect(setupOf(guide, 1, { ...run, fromFile: true })).toEqual([])
    expect(setupOf(guide, 1, { ...run, fromFile: true, moved: true })).toEqual(setup)
  })
})

test('figures that are not numbers are unknown', () => {
  const read = (figure: object) => ('metric' in figure ? NaN : 3)
  expect(valuesOf(counting, read)).toEqual({ steps: 3 })
})

test('a step number beyond the ends opens the nearest step', () => {
  const guide = [counting, counting]
  expect([1, 2, 99, 0].map((number) => indexOf(guide, number))).toEqual([0, 1, 1, 0])
})

test('numbers of the page are read from text', () => {
  expect(['−0.5 m', '1,234.5', 'about 12 %', 'none'].map(numberIn)).toEqual([-0.5, 1234.5, 12, null])
})

test('five families have guides', () => {
  expect(new Set(guided.map(({ family }) => family)).size).toBe(5)
})

describe.each(guided)('the guide of $world', async ({ family, world }) => {
  const guide = await guideOf(family, world)

  test('explains its first terms, which are in the glossary', () => {
    const terms = guide.map(({ text }) => textParts(text).flatMap(({ term }) => term ?? []))
    expect(terms[0]!.length).toBeGreaterThan(0)
    for (const term of terms.flat()) expect(termOf(term), term).not.toBeNull()
  })

  test('has 5 to 8 steps with different titles', () => {
    expect(guide.length).toBeGreaterThanOrEqual(5)
    expect(guide.length).toBeLessThanOrEqual(8)
    expect(new Set(guide.map(({ title }) => title)).size).toBe(guide.length)
  })

  test('names existing metrics, fields, presets and elements', () => {
    const info = infos.find(({ name }) => name === world)!
    for (const each of guide) checkStep(each, info)
  })

  test('has at least two different short guesses, where it has any', () => {
    for (const { guesses } of guide) {
      if (!guesses) continue
      expect(new Set(guesses).size).toBeGreaterThanOrEqual(2)
      for (const guess of guesses) expect(guess.length).toBeLessThan(32)
    }
  })

  test('an outcome never appears without values', () => {
    for (const each of guide) expect(each.outcome({}, {})).toBeNull()
  })
})

/** Environments with a test of a trained policy; its step, a mean return below the goal, and a solved one. */
const tests = [
  ['cartpole', 6, 23, 480],
  ['acrobot', 3, -400, -90],
  ['mountain-car', 3, -200, -105],
  ['pendulum', 3, -1200, -150],
  ['frozen-lake', 3, 0.02, 0.74],
  ['frozen-lake-8x8', 4, 0.02, 0.88],
] as const

test.each(tests)('%s tests only a policy that has solved the task', async (world, at, low, high) => {
  const step = (await guideOf('control', world))[at - 1]!
  expect(step.title).toBe('A test without learning')
  const outcome = new Outcome(step)
  for (const now of [{}, { mean: low }, { evaluated: low, parameter: 19.6, mean: low }])
    expect(outcome.unmet(now)?.action.label).toBe('Train until solved')
  expect(outcome.unmet({ solvedSteps: 9e4, mean: low })).toBeNull()
  // The steps until a run of a file was solved are unknown.
  expect(outcome.unmet({ mean: high })).toBeNull()
})

test.each(tests)('%s states the steps until the run was first solved', async (world, _, low, high) => {
  const solving = (await guideOf('control', world)).find(({ figures }) => 'solvedSteps' in figures)!
  const outcome = new Outcome(solving)
  outcome.start({ steps: 5e5, mean: low })
  expect(outcome.update({ steps: 5e5, mean: low })).toBeNull()
  const texts = [5.1e5, 6e5].map((steps) => outcome.update({ steps, mean: high, solvedSteps: 210_000 }))
  expect(texts[0]).toContain('after 210 k environment steps')
  expect(texts[1]).toBe(texts[0])
})

test.each([
  ['language', 'language', 4, { tokens: 2000 }, { tokens: 200_000 }],
  [
    'language',
    'language',
    4,
    { tokens: 200_000, held: 4, bigram: 3.5 },
    { tokens: 3e5, held: 3, bigram: 3.5 },
  ],
  ['language', 'language', 5, { tokens: 2000 }, { tokens: 200_000 }],
  ['cube', 'cube2', 5, { level: 3 }, { level: 7 }],
  ['logic-ca', 'logic-ca', 5, { accuracy: 0.5 }, { accuracy: 0.97 }],
  ['logic-ca', 'logic-ca', 6, { accuracy: 0.5 }, { accuracy: 0.97 }],
  ['logic-ca', 'logic-ca', 7, { accuracy: 0.5 }, { accuracy: 0.97 }],
])('%s (%s, step %i) requires training', async (family, world, at, young, trained) => {
  const outcome = new Outcome((await guideOf(family, world))[at - 1]!)
  expect(outcome.unmet(young)?.action.does).toContainEqual({ kind: 'learn', on: true })
  expect(outcome.unmet(trained)).toBeNull()
})

test.each(['acrobot', 'mountain-car', 'pendulum', 'frozen-lake'])(
  '%s continues learning in the changed environment, also without the step before',
  async (world) => {
    const step = (await guideOf('control', world)).find(({ title }) => title === 'Learning continues')!
    const [change] = step.action.does
    expect(change?.kind).toBe('set')
    expect(Object.values(step.figures)).toContainEqual({ field: change && 'path' in change && change.path })
  },
)

test('the steps of the damaged automaton are counted from the click', async () => {
  const outcome = new Outcome((await guideOf('logic-ca', 'logic-ca'))[5]!)
  outcome.start({ sandboxStep: 13, accuracy: 1 })
  expect(outcome.update({ sandboxStep: 30, accuracy: 1 })).toBeNull()
  // The sandbox was a few steps ahead of its counter when the button was clicked.
  expect(outcome.update({ sandboxStep: 36, accuracy: 1 })).toMatch(/made 20 steps/)
})

test.each([
  ['mountain-car', -200, /no episode has reached the flag/],
  ['acrobot', -500, /no episode has reached the line/],
  ['cartpole', 23, /^(?!.*drift)/],
])('the last step of %s concludes nothing from an untrained policy', async (world, mean, expected) => {
  const outcome = new Outcome((await guideOf('control', world)).at(-1)!)
  outcome.start({})
  const setting = world === 'cartpole' ? 0.8 : 2
  expect(outcome.update({ setting, mean, updates: 600 })).toMatch(expected)
})

test.each([
  ['control', 'cartpole', 5, { axis: 0 }],
  ['cube', 'cube2', 1, { distance: 11 }],
  ['cube', 'cube2', 7, { solution: 11 }],
  ['games', 'backgammon', 1, { equity: 0.1, win: 52 }],
])(
  'an experiment of %s (%s, step %i) that ends as it began has an outcome',
  async (family, world, at, values) => {
    const outcome = new Outcome((await guideOf(family, world))[at - 1]!)
    outcome.start(values)
    expect(outcome.update(values)).not.toBeNull()
  },
)

function checkStep(step: GuideStep, info: ExperimentInfo): void {
  expect(step.question).toMatch(/\?$/)
  expect(documented(step.target), step.target).toBe(true)
  // A setup keeps the run.
  for (const action of step.setup ?? []) expect(action.kind).not.toBe('restart')
  const { setup = [], requirement, action } = step
  for (const each of [...setup, ...(requirement?.action.does ?? []), ...action.does]) checkAction(each, info)
  for (const figure of Object.values(step.figures)) checkFigure(figure, info)
}

describe('the ring of a step', () => {
  const box = (left: number, top: number, width: number, height: number) => ({
    left,
    top,
    right: left + width,
    bottom: top + height,
  })
  const card = box(1000, 600, 384, 288)

  test('surrounds its block, within the width of the window', () => {
    expect(ringAround(box(100, 50, 200, 30), 1440)).toEqual(box(93, 47, 214, 36))
    expect(ringAround(box(0, 50, 390, 30), 390)).toEqual(box(1, 47, 388, 36))
  })

  test('scrolls into the space above the card, or beside it', () => {
    expect(distanceTo(box(1000, 200, 300, 100), card, 900)).toBe(0)
    expect(distanceTo(box(1000, 550, 300, 100), card, 900)).toBe(62)
    expect(distanceTo(box(40, 550, 300, 100), card, 900)).toBe(0)
    expect(distanceTo(box(40, 850, 300, 100), card, 900)).toBe(62)
    expect(distanceTo(box(1000, -40, 300, 100), card, 900)).toBe(-52)
    // The top of a high ring is visible.
    expect(distanceTo(box(1000, 300, 300, 900), card, 900)).toBe(288)
  })
})

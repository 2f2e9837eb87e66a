import { describe, expect, test } from 'vitest'
import type { ExperimentInfo } from '../../../engine/page/session'
import { History, type Point } from '../../../state/history'
import experiments from '../../../protocol/experiments.json'
import { checkAction, checkFigure, documented } from '../../../../../tests/fixtures/actions'
import { distanceTo, heightAbove, ringAround } from './ring'
import { guided } from '../../../../../tests/fixtures/guided.mjs'
import { guideOf } from '../../../../../tests/fixtures/guides'
import { termOf } from '../../../glossary'
import { moves } from '../../cube/guides/cube2'
import {
  furtherStepOf,
  indexOf,
  lessonsOf,
  numberIn,
  Outcome,
  ranges,
  remainingTime,
  setupOf,
  skippedText,
  step,
  textParts,
  valuesOf,
  verdictOf,
  type FindPoint,
  type GuideStep,
  type NextStep,
} from './guide'

/** Returns the search in a stored curve of the mean return, with points of steps and values. */
function curveOf(...points: readonly (readonly [number, number])[]): FindPoint {
  const history = new History()
  for (const [steps, value] of points) history.push({ steps, values: [['return_mean', value]] } as never)
  return (metric, accepts) => history.find(metric, accepts)
}

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

test('a skipped experiment is named, with the result that it usually has, and never one of the run', () => {
  expect(skippedText({ usually: 'the loss falls.' }, 2)).toBe('You skipped step 2. Usually the loss falls.')
  expect(skippedText({}, 1)).toBe('You skipped step 1.')
})

test('a summary states only what the visitor has seen; the others are what the experiments usually show', () => {
  const learned = [
    { text: 'One.', steps: [1, 2] },
    { text: 'Two.', steps: [3] },
  ]
  const of = (...done: number[]) => lessonsOf(learned, new Set(done))
  expect(of()).toEqual({ seen: [], skipped: ['One.', 'Two.'] })
  expect(of(0, 2)).toEqual({ seen: ['Two.'], skipped: ['One.'] })
  expect(of(0, 1, 2)).toEqual({ seen: ['One.', 'Two.'], skipped: [] })
})

describe.each(guided)('the guide of $world', ({ family, world }) => {
  test('has sentences of a summary for existing steps, and usual results as clauses', async () => {
    const guide = await guideOf(family, world)
    for (const { text, steps } of guide.at(-1)!.summary!.learned)
      for (const number of steps) expect([text, guide[number - 1] !== undefined]).toEqual([text, true])
    for (const { title, usually = 'x.' } of guide)
      expect([title, usually]).toEqual([title, expect.stringMatching(/^[^A-Z].*\.$/)])
    // The first steps of the others have one as well.
    expect([world, guide[0]!.usually !== undefined]).toEqual([world, true])
  })

  test('calls an episode by one word, after its introduction', async () => {
    const guide = await guideOf(family, world)
    const written = guide.flatMap(({ text, question, guesses = [], usually = '', summary }) => [
      ...[text.replace(/episode\](.*?) attempt/g, ''), question, ...guesses, usually],
      ...(summary?.learned.map(({ text }) => text) ?? []),
    ])
    expect(
      written.filter((text) => /\battempts?\b/.test(text.replace(/(is one|:) (an )?attempt/, ''))),
    ).toEqual([])
  })
})

/** Number of sentences of a text. */
const sentencesIn = (text: string) => text.split(/[.!?](?=\s|$)/).filter((part) => part.trim() !== '').length

const tree = { complete: 1, depth: 6, states: 90, all: 100, most: 60, moves: 7, end: 3 }
test.each([
  ['control', 'cartpole', 1, { ended: 256, all: 256, mean: 20, longest: 60 }, {}],
  ['control', 'cartpole', 6, { parameter: 1.5, evaluated: 18 }, {}],
  ['control', 'cartpole', 8, { setting: 0.8, mean: 275, updates: 600, steps: 153_600 }, {}],
  ['games', 'connect-four', 1, { simulations: 400, chosenEquity: 0.98, glance: 6, chosen: 2 }, {}],
  ['games', 'connect-four', 2, tree, {}],
  ['games', 'connect-four', 3, { games: 9540, seconds: 31.8, firstLength: 16.9, length: 25.4 }, {}],
  ['games', 'backgammon', 3, tree, {}],
  ['cube', 'cube2', 1, { distance: 11 }, {}],
  ['cube', 'cube2', 3, { distance: 3, estimate: 3.2 }, { estimate: 4.1 }],
  ['cube', 'cube2', 5, { solved: 0.05, failing: 5, evaluatedAt: 2e6, done: 1 }, {}],
  ['language', 'language', 1, { written: 1 }, {}],
  ['language', 'language', 9, { quiz: 0.42, known: 1, asked: 200 }, {}],
  ['logic-ca', 'logic-ca', 7, { strokes: 1, worst: 9, wrong: 0, steps: 7 }, {}],
] as const)(
  'the outcome of %s/%s, step %i, is one or two short sentences',
  async (family, world, number, now, then) => {
    const outcome = (await guideOf(family, world))[number - 1]!.outcome(now, then)
    const text = typeof outcome === 'string' ? outcome : outcome!.text
    expect([text, sentencesIn(text) <= 2, text.split(/\s+/).length <= 48]).toEqual([text, true, true])
  },
)

test('an outcome has no text before the experiment has started', () => {
  const outcome = new Outcome(counting)
  expect([{ steps: 5 }, { steps: 7 }].map((now) => outcome.update(now))).toEqual([null, null])
  outcome.start({ steps: 7 })
  expect(outcome.update({ steps: 7 })).toBeNull()
})

test('the first answer stays if the question is about the run as it was', () => {
  const given = { ...counting, keepsAnswer: true as const, guesses: ['few', 'many'] }
  const early = { text: 'early', right: 0 }
  const answers = { 1: early, 2: { text: 'late', right: 1 }, 3: 'later' }
  const outcome = new Outcome({ ...given, outcome: ({ steps }) => answers[steps as 1 | 2 | 3] })
  for (const steps of [1, 2, 3]) {
    outcome.clear()
    outcome.start({ steps: 0 })
    outcome.update({ steps })
    expect(outcome.right).toBe(0)
  }
  expect(outcome.text).toBe('later')
})

test('an outcome compares with the values at the start of the experiment and remains', () => {
  const outcome = new Outcome(counting)
  outcome.update({ steps: 2 })
  outcome.start({ steps: 5 })
  expect(outcome.update({ steps: 5 })).toBeNull()
  expect(outcome.update({ steps: 7 })).toBe('7 after 5')
  expect(outcome.update({ steps: 0 })).toBe('7 after 5')
  expect(outcome.update({ steps: 8 })).toBe('7 after 5')
  outcome.start({ steps: 9 })
  expect(outcome.update({ steps: 9 })).toBeNull()
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

test('a text that decides the guess is frozen until the experiment is repeated', () => {
  const outcome = new Outcome({
    ...counting,
    guesses: ['few', 'many'],
    outcome: ({ steps = 0 }) => (steps > 9 ? { text: `Many: ${steps}`, right: 1 } : `Not yet: ${steps}`),
    isFinal: ({ steps = 0 }) => steps === 20,
  })
  const at = (steps: number) => [outcome.update({ steps }), outcome.right]
  outcome.start({ steps: 5 })
  expect(at(6)).toEqual(['Not yet: 6', null])
  expect(at(7)).toEqual(['Not yet: 7', null])
  for (const steps of [10, 11, 8]) expect(at(steps)).toEqual(['Many: 10', 1])
  expect(outcome.final).toBe(false)
  expect(at(20)).toEqual(['Many: 10', 1])
  expect(outcome.final).toBe(true)
  outcome.settle({ steps: 21 })
  expect([outcome.text, outcome.right, outcome.final]).toEqual(['Many: 10', 1, true])
  outcome.start({ steps: 21 })
  expect([outcome.text, outcome.right, outcome.final]).toEqual([null, null, false])
  expect(at(22)).toEqual(['Many: 22', 1])
})

test('a verdict names the right guess, and keeps the guess while it is not decided', () => {
  const verdict = (guess: number | null, right: number | null) => verdictOf(['few', 'many'], guess, right)
  expect(verdict(null, null)).toBeNull()
  expect(verdict(0, null)).toEqual({ kind: 'open', text: 'Your guess: “few”.' })
  expect(verdict(null, 1)).toEqual({ kind: 'answer', text: 'Answer: “many”.' })
  expect(verdict(1, 1)).toEqual({ kind: 'right', text: 'Right: “many”.' })
  expect(verdict(0, 1)).toEqual({
    kind: 'wrong',
    text: 'Not quite. Answer: “many”.',
  })
})

test('a text is split at its terms', () => {
  expect(textParts('A [policy](policy) acts on [states](state), as (a [rule](rule)).')).toEqual([
    { text: 'A ', term: null, after: '' },
    { text: 'policy', term: 'policy', after: '' },
    { text: ' acts on ', term: null, after: '' },
    { text: 'states', term: 'state', after: ',' },
    { text: ' as (a ', term: null, after: '' },
    { text: 'rule', term: 'rule', after: ').' },
  ])
})

test('the moves of the cube have the order of the network', () => {
  const { world } = infos.find(({ name }) => name === 'cube2')!
  expect(world.kind === 'cube' && world.turns).toEqual(moves)
})

test('the step of CartPole about a return of one second judges the first point of the curve, and pauses', async () => {
  const second = (await guideOf('control', 'cartpole'))[1]!
  const outcome = new Outcome(second)
  expect(outcome.unmet({ mean: 480 })?.action.label).toBe('Start again')
  outcome.start({ steps: 0 })
  const curve: [number, number][] = []
  const at = (steps: number, mean: number) => {
    curve.push([steps, mean])
    return outcome.update({ steps, mean }, curveOf(...curve))
  }
  expect(at(0, 22)).toBeNull()
  // The page shows the changing mean return itself.
  expect(at(8192, 30)).toBe('The mean return is the large number.')
  expect(outcome.final).toBe(false)
  // The page reads the figures late, and the return of the last point is lower again.
  curve.push([24_576, 57.7], [49_152, 110])
  expect(at(57_344, 43)).toMatch(/^After 24.6\u00a0k steps the mean return was 57\.7 \(1\.2 s\):/)
  expect([outcome.final, second.guesses?.[outcome.right!]]).toEqual([true, '10\u00a0k to 50\u00a0k'])
  expect(second.finish).toEqual([{ kind: 'learn', on: false }])
  outcome.settle({ steps: 65_536, mean: 120 }, curveOf(...curve))
  expect(outcome.text).toContain('After 24.6\u00a0k')
  // The large number beside the text is that of the paused run.
  expect(outcome.text).toContain('paused at 65.5\u00a0k steps; the mean return is 120.0 now.')
  outcome.settle({ steps: 65_536, mean: 57.68 }, curveOf(...curve))
  expect(outcome.text).toMatch(/paused at 65\.5\u00a0k steps\.$/)
})

/** Adaptation steps: a changed parameter, a mean return of an adapted policy, and of one that is better than `low`. */
test.each([
  ['cartpole', 1.5, 16.6, 39.4, 480],
  ['pendulum', 1, -1200, -900, -250],
  ['acrobot', 0.5, -480, -300, -150],
  ['mountain-car', 0.003, -200, -160, -125],
])('%s adapts slowly until the policy is adapted', async (world, parameter, low, better, adapted) => {
  const outcome = new Outcome(
    (await guideOf('control', world)).find(({ title }) => title === 'Learning continues')!,
  )
  outcome.start({ parameter, evaluated: low, updates: 500, steps: 128_000 })
  const curve: [number, number][] = [[128_000, adapted + 1]]
  const at = (mean: number, steps: number) => {
    curve.push([steps, mean])
    const text = outcome.update({ parameter, mean, steps, updates: steps / 256 }, curveOf(...curve))
    return [text?.split(':')[0], outcome.right]
  }
  expect(at(low, 400_000)).toEqual(['Not yet', null])
  expect(at(better, 500_000)).toEqual(['Slowly', null])
  // The page reads the figures late.
  curve.push([700_000, adapted])
  expect(at(better, 790_000)).toEqual([
    expect.stringMatching(
      /^572\u00a0k steps after the change \(700\u00a0k in all\), the mean return was .*, and .+ before/,
    ),
    1,
  ])
  // Noise after the answer does not change it.
  expect(at(better, 800_000)).toEqual([expect.stringMatching(/^572\u00a0k/), 1])
})

test('the adaptation of CartPole is counted from the change of the pole, also if the button has continued it', async () => {
  const step = (await guideOf('control', 'cartpole')).find(({ title }) => title === 'Learning continues')!
  const outcome = new Outcome(step)
  const run = { parameter: 1.5, solvedSteps: 123_000, changedAt: 130_000 }
  outcome.start({ ...run, updates: 500, steps: 130_000 })
  const early = { ...run, mean: 400, updates: 9000, steps: 2.2e6 }
  const points: [number, number][] = [
    [1e6, 300],
    [2.131e6, 390],
    [2.2e6, 400],
  ]
  expect(outcome.update(early, curveOf(...points))).toMatch(
    /^2\.00\u00a0M steps after .* return was 390\.0: .* return is 400\.0 now\./,
  )
  expect([outcome.right, outcome.final]).toEqual([2, true])
  outcome.start(early)
  const late = { ...run, mean: 480, updates: 11_800, steps: 2.9e6 }
  expect(outcome.update(late, curveOf(...points, [2.5e6, 400], [2.8e6, 480]))).toMatch(
    /^2\.67\u00a0M steps after the change \(2\.80\u00a0M in all\)/,
  )
  expect(outcome.right).toBe(2)
  // A repetition keeps when the policy has adapted.
  outcome.start(late)
  const again = { ...run, mean: 430, updates: 13_000, steps: 3.2e6 }
  expect(outcome.update(again, curveOf(...points, [2.8e6, 480], [3.1e6, 400], [3.2e6, 430]))).toMatch(
    /^2\.67\u00a0M steps after the change/,
  )
})

test('the last step of CartPole reports the return at the number of steps of its question', async () => {
  const outcome = new Outcome((await guideOf('control', 'cartpole')).at(-1)!)
  outcome.start({})
  const now = { setting: 0.8, mean: 264, updates: 930, steps: 238_080 }
  expect(outcome.update(now, curveOf([98_304, 90], [155_648, 210], [238_080, 264]))).toMatch(
    /^After 156\u00a0k steps the mean return was 210\.0 \(4\.2 s\): .* paused at 238\u00a0k steps; the mean return is 264\.0 now\.$/,
  )
})

test('CartPole restarts with the default settings when the visitor leaves the last step', async () => {
  const guide = await guideOf('control', 'cartpole')
  expect(guide.at(-1)!.leave).toEqual([
    { kind: 'restart', preset: 'default', from: 'short-sighted', held: true },
  ])
})

test('a further experiment without a question is a step that names the new run and starts at its button', () => {
  const restart = { kind: 'restart', preset: 'default', held: true }
  const further = (next: NextStep) =>
    furtherStepOf([{ ...counting, summary: { learned: [{ text: 'Fact.', steps: [1] }], next } }])!
  const ice = further({ label: 'Train on ice', does: [{ kind: 'restart', preset: 'ice' }], target: 'board' })
  expect(ice).toMatchObject({ title: 'Train on ice', target: 'board', question: '' })
  expect(ice.text).toMatch(/A new run then replaces the present one\./)
  expect(ice.leave).toEqual([{ ...restart, from: 'ice' }])
  const writes = further({ label: 'Write', does: [{ kind: 'click', element: 'write' }] })
  expect(writes.text).not.toMatch(/replaces/)
  expect(writes.leave).toEqual([])
  const outcome = new Outcome(writes)
  outcome.start({})
  expect(outcome.update({})).toMatch(/has started/)
  expect(outcome.final).toBe(true)
})

test('ranges are guesses, and a value belongs to one of them', () => {
  const { guesses, indexOf: rangeOf } = ranges([100, 200], String, ' s')
  expect(guesses).toEqual(['Under 100 s', '100 to 200 s', 'Over 200 s'])
  expect([99, 100, 199, 200].map(rangeOf)).toEqual([0, 1, 1, 2])
})

test('the first known value of a figure since the start counts as its value then', () => {
  const outcome = new Outcome(counting)
  outcome.start({})
  expect(outcome.update({})).toBeNull()
  expect(outcome.update({ steps: 7 })).toBeNull()
  expect(outcome.update({ steps: 8 })).toBe('8 after 7')
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
  const prepared = { ...counting, setup }
  const guide = [counting, prepared]
  const run = { moved: false, fromFile: false, running: true, seconds: 9 }

  test('restarts and pauses a run in its first seconds, if the guide is opened at its first step', () => {
    expect(setupOf(guide, counting, run)).toEqual([restart])
    expect(setupOf([prepared], prepared, run)).toEqual([restart, ...setup])
    for (const other of [{ moved: true }, { fromFile: true }, { running: false }, { seconds: 30 }])
      expect(setupOf(guide, counting, { ...run, ...other })).toEqual([])
    expect(setupOf(guide, prepared, run)).toEqual(setup)
  })

  test('changes a restored run only after the visitor has opened a step', () => {
    expect(setupOf(guide, prepared, { ...run, fromFile: true })).toEqual([])
    expect(setupOf(guide, prepared, { ...run, fromFile: true, moved: true })).toEqual(setup)
  })
})

test('the time of an experiment is estimated from its part since the start', () => {
  expect([0.05, 0.25, 1].map((part) => remainingTime(part, 0, 20))).toEqual([null, 60, null])
  expect([0.55, 0.75].map((part) => remainingTime(part, 0.5, 20))).toEqual([null, 20])
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

  test('has 5 to 9 steps with different titles', () => {
    expect(guide.length).toBeGreaterThanOrEqual(5)
    expect(guide.length).toBeLessThanOrEqual(9)
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

  test('has a summary of one to five sentences, if any, only at its last step', () => {
    const info = infos.find(({ name }) => name === world)!
    for (const each of guide.slice(0, -1)) expect(each.summary).toBeUndefined()
    const { summary } = guide.at(-1)!
    if (!summary) return
    expect(summary.learned.length).toBeGreaterThanOrEqual(1)
    expect(summary.learned.length).toBeLessThanOrEqual(5)
    if ('question' in summary.next) return checkStep(summary.next, info)
    const { does, target } = summary.next
    if (typeof does !== 'string') for (const action of does) checkAction(action, info)
    if (target) expect(documented(target), target).toBe(true)
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
    expect(outcome.unmet(now)?.action.label).toBe('Train a new run until solved')
  expect(outcome.unmet({ solvedSteps: 9e4, mean: low })).toBeNull()
  expect(outcome.unmet({ solvedSteps: 9e4, steps: 3e5, mean: high })).toBeNull()
  // A policy that was trained for long adapts unreliably.
  expect(outcome.unmet({ solvedSteps: 9e4, steps: 27e6, mean: high })?.finish).toEqual([
    { kind: 'learn', on: false },
  ])
  // The steps until a run of a file was solved are unknown.
  expect(outcome.unmet({ mean: high })).toBeNull()
})

test.each(tests)('%s states the steps until the run was first solved', async (world, _, low, high) => {
  const solving = (await guideOf('control', world)).find(({ figures }) => 'solvedSteps' in figures)!
  const outcome = new Outcome(solving)
  outcome.start({ steps: 2e5, mean: low })
  expect(outcome.update({ steps: 2e5, mean: low })).toBeNull()
  const texts = [5.1e5, 6e5].map((steps) => outcome.update({ steps, mean: high, solvedSteps: 210_000 }))
  expect(texts[0]).toMatch(/^Solved after 210\u00a0k steps \(paused at 510\u00a0k\): .*\.$/)
  expect(texts[1]).toBe(texts[0])
  // Only an untrained run can be solved again.
  expect(outcome.unmet({ steps: 6e5, mean: high, solvedSteps: 210_000 })?.action.label).toBe('Start again')
})

test.each([
  ['cube', 'cube2', 6, { level: 3 }, { level: 7 }],
  ['logic-ca', 'logic-ca', 5, { accuracy: 0.5 }, { accuracy: 0.97 }],
  ['logic-ca', 'logic-ca', 6, { accuracy: 0.5 }, { accuracy: 0.97 }],
  ['logic-ca', 'logic-ca', 7, { accuracy: 0.5 }, { accuracy: 0.97 }],
  ['logic-ca', 'logic-ca', 8, { accuracy: 0.5 }, { accuracy: 0.97 }],
])('%s (%s, step %i) requires training', async (family, world, at, young, trained) => {
  const outcome = new Outcome((await guideOf(family, world))[at - 1]!)
  const does = outcome.unmet(young)?.action.does
  expect(does).toContainEqual({ kind: 'learn', on: true })
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

/** Performs a step with values at the click and later; returns the outcome. */
async function performed(family: string, world: string, at: number, then: object, now: object) {
  const outcome = new Outcome((await guideOf(family, world))[at - 1]!)
  outcome.start({ ...then })
  return { text: outcome.update({ ...then, ...now }), right: outcome.right }
}

test.each([
  // A stroke before the click does not count.
  [{ worst: 9, wrong: 0, steps: 9 }, null, null],
  // The board that the page shows may be older than the damage.
  [{ strokes: 2, worst: 0, wrong: 0, steps: 6 }, null, null],
  [{ strokes: 2, worst: 12, wrong: 3, steps: 8 }, /^3 cells are wrong 8 steps after the damage/, null],
  [
    { strokes: 2, worst: 12, wrong: 0, steps: 9 },
    /The pattern was complete 9 steps after the damage; at most 12 cells were wrong/,
    0,
  ],
  [{ strokes: 2, worst: 12, wrong: 2, steps: 60 }, /2 cells are wrong/, 1],
  [{ strokes: 2, worst: 12, wrong: 12, steps: 60 }, /12 cells are wrong/, 2],
  [{ strokes: 2, worst: 0, wrong: 0, steps: 60 }, /changed no cell/, null],
])('the repair of the damaged automaton is measured: %j', async (now, text, right) => {
  const outcome = await performed('logic-ca', 'logic-ca', 7, { strokes: 1, accuracy: 1 }, now)
  expect(outcome.right).toBe(right)
  if (text) expect(outcome.text).toMatch(text)
  else expect(outcome.text).toBeNull()
})

test.each([
  // The rollout is displayed.
  [{ step: 8, upperLeft: 3, upperRight: 9, lowerLeft: 9, lowerRight: 13 }, null, null],
  [
    { step: 14, upperLeft: 9, upperRight: 13, lowerLeft: 1, lowerRight: 9 },
    /lower left quarter is complete after 1\sstep, the upper right one after 13\ssteps, in all eight runs\. Follow the numbers/,
    1,
  ],
  [
    { step: 14, upperLeft: 3, upperRight: 2, lowerLeft: 4, lowerRight: 3 },
    /after 2 to 4\ssteps in all eight runs\.$/,
    0,
  ],
  // The last board is not as the target.
  [{ step: 14 }, /did not become as the target/, null],
])('the growth of the automaton is measured by quarters: %j', async (now, text, right) => {
  const outcome = await performed('logic-ca', 'logic-ca', 6, { accuracy: 1 }, { last: 14, ...now })
  expect(outcome.right).toBe(right)
  if (text) expect(outcome.text).toMatch(text)
  else expect(outcome.text).toBeNull()
})

test('the automaton grows a pattern from noise, damages it, and shows the damage before the repair begins', async () => {
  const { action, setup } = (await guideOf('logic-ca', 'logic-ca'))[6]!
  // The board of the opened step is noise that does not change.
  expect(setup?.slice(-2)).toEqual([
    { kind: 'click', element: 'sandbox-step-one' },
    { kind: 'click', element: 'start-as_trained' },
  ])
  const kinds = action.does.map((each) => ('element' in each ? each.element : each.kind))
  expect(kinds.indexOf('start-as_trained')).toBeGreaterThanOrEqual(0)
  expect(kinds.indexOf('reach')).toBeGreaterThan(kinds.indexOf('start-as_trained'))
  expect(kinds.indexOf('sandbox')).toBeGreaterThan(kinds.indexOf('reach'))
  // A requested step would run after the stroke, and hide the damage.
  expect(kinds).not.toContain('sandbox-step-one')
  const paused = kinds.indexOf('sandbox-pause')
  expect([paused > kinds.indexOf('reach'), paused < kinds.indexOf('sandbox')]).toEqual([true, true])
  // The board runs again once the page shows it without steps since the damage.
  expect(action.does.at(-2)).toEqual({
    kind: 'reach',
    figure: { element: 'sandbox', attribute: 'steps' },
    value: 0,
  })
  expect(kinds.at(-1)).toBe('sandbox-speed')
})

test('the automaton explains constants that stay after simplification', async () => {
  const at = (now: object) => performed('logic-ca', 'logic-ca', 4, {}, { kept: 26, f3: 300, ...now })
  // The rows do not show the simplified circuit yet.
  expect((await at({})).text).toBeNull()
  expect((await at({ zeros: 0, ones: 0 })).text).not.toContain('constant')
  expect((await at({ zeros: 1, ones: 0 })).text).toContain('One gate is a constant, which stays as an output')
  expect((await at({ zeros: 1, ones: 2 })).text).toContain('3 gates are constants, which stay')
})

test('the automaton reports the epoch in which the picture appeared, or pauses without it', async () => {
  const outcome = new Outcome((await guideOf('logic-ca', 'logic-ca'))[1]!)
  const curve: Point[] = []
  const at = (epochs: number, accuracy: number) => {
    curve.push({ steps: epochs, value: accuracy })
    const text = outcome.update({ epochs, accuracy }, (metric, accepts) =>
      metric === 'hard_accuracy' ? curve.find(accepts) : undefined,
    )
    return { text, right: outcome.right, final: outcome.final }
  }
  outcome.start({ epochs: 0 })
  expect(at(20, 0.52)).toEqual({
    text: 'Not yet: 52.0 % of the cells are as in the target after 20 epochs. An empty board also has 50.0 %.',
    right: null,
    final: false,
  })
  const picture = {
    text: expect.stringMatching(/^In epoch 262, at least 90\.0 % .* needed 200 to 1,200 epochs\.$/) as string,
  }
  expect(at(262, 0.961)).toEqual({ ...picture, right: 1, final: true })
  // The accuracy of single epochs fluctuates.
  expect(at(264, 0.85)).toMatchObject(picture)
  curve.length = 0
  outcome.start({ epochs: 0 })
  expect(at(999, 0.8).final).toBe(false)
  expect(at(1001, 0.8)).toMatchObject({
    text: expect.stringMatching(/^Not yet: 80/) as string,
    right: 3,
    final: true,
  })
})

test.each([
  [{ kept: 16, f3: 300, f6: 40 }, 0, /340 .* 300 are wires, and 24 others are not needed: 16 remain/],
  [{ kept: 34, f3: 300, f6: 172 }, 1, /472 .* 300 are wires, and 138 others are not needed: 34 remain/],
  [{ kept: 90, f5: 800, f6: 100 }, 2, /900 .* 800 are wires, and 10 others are not needed: 90 remain/],
])('the gates after simplification are counted: %j', async (now, right, text) => {
  const outcome = await performed('logic-ca', 'logic-ca', 4, { accuracy: 1, zeros: 0, ones: 0 }, now)
  expect(outcome.right).toBe(right)
  expect(outcome.text).toMatch(text)
})

test.each([
  [{ step: 7, matching: 0.5 }, null, null],
  [{ step: 8, matching: 0.5 }, 1, /After 8 steps, 50\.0 % of the cells .* an empty board also has 50\.0 %/],
  [{ step: 9, matching: 0.97 }, 0, /^The rule makes the pattern/],
])(
  'the untrained rule of the automaton runs until noise has crossed the board: %j',
  async (now, right, text) => {
    const outcome = await performed('logic-ca', 'logic-ca', 1, {}, now)
    expect(outcome.right).toBe(right)
    if (text) expect(outcome.text).toMatch(text)
    else expect(outcome.text).toBeNull()
  },
)

test('the hard circuit is correct after three evaluations without error', async () => {
  const outcome = new Outcome((await guideOf('logic-ca', 'logic-ca'))[2]!)
  outcome.start({ epochs: 0 })
  const at = (now: object) => [outcome.update({ ...now }), outcome.right]
  expect(at({ epochs: 300, accuracy: 1, recent: 0.98 })[1]).toBeNull()
  expect(at({ epochs: 302, accuracy: 0.95, recent: 0.97 })[1]).toBeNull()
  const [text, right] = at({ epochs: 305, accuracy: 1, recent: 1, boards: 2 })
  expect([text, right, outcome.final]).toEqual([
    expect.stringMatching(/ had made no error in three .* each on 2 boards of new noise/),
    0,
    true,
  ])
  expect(at({ epochs: 310, accuracy: 0.9, recent: 0.9 })).toEqual([text, 0])
  outcome.start({ epochs: 0 })
  expect(at({ epochs: 2000, accuracy: 0.7, recent: 0.7 })[1]).toBe(1)
})

test.each([
  // A stroke before the click does not count.
  [{ strokes: 1, steps: 3, bit: 0, next: 1, wanted: 1 }, null, null],
  // The page shows the board before the inversion.
  [{ bit: 1, next: 1, wanted: 1 }, null, null],
  [{ steps: 0, bit: 1, next: 1, wanted: 1 }, null, null],
  [
    { steps: 0, bit: 0, next: 1, wanted: 1, visible: 0 },
    / is 0 now, but the next step makes it 1 .* read hidden bits only/,
    0,
  ],
  [
    { steps: 0, bit: 1, next: 0, wanted: 0, visible: 2 },
    / is 1 now, but the next step makes it 0 .* also read hidden bits/,
    0,
  ],
  [{ steps: 0, bit: 0, next: 0, wanted: 1, visible: 2 }, / is 0 now, and stays 0: .* also read visible/, 1],
])('the next bit of a framed cell with inverted neighbors is compared: %j', async (now, text, right) => {
  const outcome = await performed('logic-ca', 'logic-ca', 5, { strokes: 1 }, { strokes: 2, ...now })
  expect(outcome.right).toBe(right)
  if (text) expect(outcome.text).toMatch(text)
  else expect(outcome.text).toBeNull()
})

test('the automaton states its accuracy during training', async () => {
  const now = { accuracy: 0.72, recent: 0.7, epochs: 60 }
  expect((await performed('logic-ca', 'logic-ca', 3, { epochs: 0 }, now)).text).toMatch(
    /^Not yet: three tests .* needed\. With hard gates, 72\.0 % .* after 60 epochs/,
  )
})

test.each([
  // The board of the step before.
  [{ columns: 8, step: 5000, matching: 1 }, null, null],
  [{ columns: 64, step: 26, matching: 0.7 }, null, null],
  [{ columns: 64, step: 77, matching: 1 }, 0, /^After 77 steps, 100 % of the cells are right\./],
  [{ columns: 64, step: 305, matching: 0.98 }, 1, /^After 305 steps, 98\.0 %/],
  [{ columns: 64, step: 305, matching: 0.6 }, 2, /^After 305 steps, 60\.0 %/],
])('the large board of the automaton is judged once it has settled: %j', async (now, right, text) => {
  const outcome = await performed('logic-ca', 'logic-ca', 8, { accuracy: 1 }, now)
  expect(outcome.right).toBe(right)
  if (text) expect(outcome.text).toMatch(text)
  else expect(outcome.text).toBeNull()
})

test('the texts at two temperatures are compared by their measures', async () => {
  const then = { text: 3, tokens: 2e5 }
  const high = { text: 4, at: 0.9, done: 1, keptSure: 0.6 }
  // The text is not complete.
  expect((await performed('language', 'language', 6, then, { ...high, done: 0, sure: 0.3 })).text).toBeNull()
  for (const [sure, right] of [
    [0.3, 0],
    [0.61, 2],
    [0.8, 1],
  ])
    expect((await performed('language', 'language', 6, then, { ...high, sure })).right).toBe(right)
})

test.each([
  [{ ends: 60, sides: 90 }, 0, /^Mean value: 60 .* 90 at the left and the right/],
  [{ ends: 96, sides: 40 }, 1, /^Mean value: 96 .* 40 at the left and the right/],
  [{ ends: 60, sides: 61 }, null, /^In both/],
  [{ ends: 97, sides: 96 }, null, /^Only in small parts/],
  [{ ends: 97, sides: 96, low: 95 }, 2, /no difference yet/],
])('the map of the value is described by its edges: %j', async (edges, right, text) => {
  const now = { x: 0, y: 3, shownX: 0, shownY: 3, low: 30, high: 98, ...edges }
  const outcome = await performed('control', 'cartpole', 5, {}, now)
  expect(outcome.right).toBe(right)
  expect(outcome.text).toMatch(text)
})

test('a final outcome has the figures of the run that has stopped, or is no longer final', () => {
  const outcome = new Outcome({
    ...counting,
    outcome: ({ steps = 0 }) => (steps < 8 ? null : { text: `${steps}`, right: steps < 10 ? 0 : 1 }),
    isFinal: () => true,
  })
  outcome.start({ steps: 7 })
  expect(outcome.update({ steps: 8 })).toBe('8')
  expect(outcome.update({ steps: 9 })).toBe('8')
  outcome.settle({ steps: 10 })
  expect([outcome.text, outcome.right, outcome.final]).toEqual(['10', 1, true])
  outcome.settle({ steps: 7 })
  expect([outcome.text, outcome.final, outcome.open]).toEqual([null, false, true])
})

test.each([
  [{ quiz: 0.3, known: 0, topics: 12 }, 0, / 30 % .* knows no facts\.$/],
  [{ quiz: 0.3, known: 1, topics: 12 }, 1, / 30 % .* only in the words in which it has read them\.$/],
  [{ quiz: 0.6 }, 1, /^The model answers 60 % .* only in the words in which it has read them/],
  [{ quiz: 0.94, known: 9, topics: 12 }, 2, /^The model answers 94 % (?!.*(no facts|only in the words))/],
])('the quiz tells facts from the form of sentences: %j', async (now, right, text) => {
  const then = { asked: 200 }
  const outcome = await performed('language', 'language', 9, then, now)
  expect(outcome.right).toBe(right)
  expect(outcome.text).toMatch(text)
})

test.each([
  ['mountain-car', -200, /no episode has reached the flag/],
  ['acrobot', -500, /no episode has reached the line/],
  ['cartpole', 23, /^(?!.*drift)/],
])('the last step of %s concludes nothing from an untrained policy', async (world, mean, expected) => {
  const outcome = new Outcome((await guideOf('control', world)).at(-1)!)
  outcome.start({})
  const setting = world === 'cartpole' ? 0.8 : 2
  expect(outcome.update({ setting, mean, updates: 600, steps: 153_600 })).toMatch(expected)
})

test.each([
  ['control', 'cartpole', 5, { x: 0, y: 3, shownX: 0, shownY: 3, ends: 60, sides: 90, low: 55, high: 98 }],
  ['cube', 'cube2', 1, { distance: 11 }],
  ['cube', 'cube2', 8, { pretrained: 1, solution: 11, shortest: 11 }],
  ['games', 'backgammon', 1, { complete: 1, equity: 0.1, win: 52 }],
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
  test('surrounds its block, within the width of the window', () => {
    expect(ringAround(box(100, 50, 200, 30), 1440)).toEqual(box(93, 47, 214, 36))
    expect(ringAround(box(0, 50, 390, 30), 390)).toEqual(box(1, 47, 388, 36))
  })

  test('scrolls into the height above the card', () => {
    expect(heightAbove(box(1080, 0, 360, 900), 900)).toBe(900)
    const height = heightAbove(box(0, 600, 390, 300), 900)
    expect(height).toBe(600)
    expect(distanceTo(box(40, 200, 300, 100), height)).toBe(0)
    expect(distanceTo(box(40, 550, 300, 100), height)).toBe(62)
    expect(distanceTo(box(40, -40, 300, 100), height)).toBe(-52)
    // The top of a high ring is visible.
    expect(distanceTo(box(40, 300, 300, 900), height)).toBe(288)
  })
})

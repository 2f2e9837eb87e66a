import { describe, expect, test } from 'vitest'
import experiments from '../../protocol/experiments.json'
import { get, type Config } from '../../state/config'
import type { Values } from '../shared/guide/guide'
import { namedBy } from '../shared/guide/focus'
import { guide, bestTurn, nearState, threshold } from './guides/cube2'
import { guide as cube3 } from './guides/cube3'

describe('the guide of the 2×2×2 cube', () => {
  test('quotes the complete evaluation of the columns, never one in progress', () => {
    const outcome = (now: Record<string, number>) => guide[4]!.outcome(now, {})
    const complete = { solved: 0.0496, failing: 5, evaluatedAt: 2e6, done: 1 }
    expect(outcome(complete)).toMatchObject({
      right: 0,
      text: expect.stringMatching(
        /^After 2\.00\u00a0M samples, .* all states up to 4 turns, .* 5\.0\s% of all states\. Near .* outwards\.$/,
      ) as string,
    })
    expect(outcome({ ...complete, failing: 6 })).toMatchObject({ right: 1 })
    expect(outcome({ ...complete, failing: 1 })).toMatchObject({
      right: 0,
      text: expect.stringMatching(/all states up to 0 turns/) as string,
    })
    // An evaluation of the network before the click.
    expect(guide[4]!.outcome(complete, { samples: 3e6 })).toMatch(
      /began before the click, after 2\.00\u00a0M/,
    )
    expect(guide[4]!.outcome(complete, { samples: 1e6 })).toMatchObject({ right: 0 })
    // The evaluation of the pretrained network.
    expect(outcome({ ...complete, evaluatedAt: 0 })).toBeNull()
    // The headline of a restored run is older than the columns.
    expect(outcome({ ...complete, done: 0.43 })).toMatch(/^The first evaluation .* 43 %/)
    expect(outcome({ done: 0.43 })).toMatch(/^The first evaluation .* 43 %/)
  })

  test('states the exact number of turns to go beside the estimates of the network', () => {
    const now = { distance: 1, pretrained: 1, best: 2, optimal: 1, estimate: 1.02, fewest: 12.1, most: 18.4 }
    expect(guide[1]!.outcome(now, {})).toMatchObject({
      right: 0,
      text: expect.stringMatching(
        /^For R, .* 1\.0 turns, .* other turn needs 3; .* 12 to 18, are far too high, .* best turns\.$/,
      ) as string,
    })
    // The reverse of another turn and a wrong best turn do not solve the cube.
    const wrong = guide[1]!.outcome({ ...now, optimal: 0 }, {})
    expect(wrong).toMatchObject({
      right: 1,
      text: expect.stringMatching(/does not solve the cube\.$/) as string,
    })
  })

  test('shows lengths, evaluated states and solvers only after their explanation', () => {
    for (const step of guide.slice(0, 5))
      for (const id of ['turns-htm', 'turns-made', 'evaluated', 'solver'])
        expect([step.title, namedBy(step, true)]).not.toEqual([step.title, expect.arrayContaining([id])])
    expect(namedBy(guide[5]!, true)).toContain('solver')
  })

  test('calls a random state that is nearer than most by its name', () => {
    const outcome = (distance: number) => guide[0]!.outcome({ distance }, {})
    expect(outcome(9)).toMatchObject({
      right: 2,
      text: expect.stringMatching(/can be nearer: this one is 9 turns away/) as string,
    })
    expect(outcome(12)).toMatchObject({
      text: expect.stringMatching(/This cube is 12 turns away\.$/) as string,
    })
  })

  test('compares the two maps that the page shows', () => {
    const own = { ownSamples: 2e6, inner: 1, outer: 0.05 }
    const trained = { pretrained: 1, samples: 0, solved: 1 }
    const outcome = (own: Values) => guide[6]!.outcome({ ...trained, ...own }, {})
    expect(outcome(own)).toMatchObject({
      right: 1,
      text: expect.stringMatching(
        /^After 2\.00\u00a0M samples, .* 100\s% .* up to 4 turns .* 5\.0\s% .* pretrained network solves 100\s%/,
      ) as string,
    })
    expect(outcome({ ...own, outer: 1 })).toMatchObject({ right: 2 })
    expect(outcome(own)).not.toMatchObject({ text: expect.stringContaining('forgotten') as string })
    const forgotten = {
      text: expect.stringMatching(/98\.0\s% .* Missing near states .* forgotten/) as string,
    }
    expect(outcome({ ...own, inner: 0.98 })).toMatchObject({ ...forgotten, right: 1 })
    expect(outcome({ ...own, inner: 0.98, outer: 0.99 })).toMatchObject({ ...forgotten, right: 0 })
    // The map beside it is of another pretrained network.
    expect(outcome({ ...own, ownSamples: 0 })).toMatch(/^The pretrained network/)
    // The page still shows the evaluation of the own network.
    expect(guide[6]!.outcome({ pretrained: 1, samples: 2e6, solved: 0.1 }, {})).toBeNull()
    const { isMet, progress } = guide[6]!.requirement!
    expect([{}, { done: 0.4 }, { done: 1, evaluatedAt: 0 }].some(isMet)).toBe(false)
    // The map of the complete evaluation is not computed yet.
    expect([{ solved: 0.1 }, { done: 1, evaluatedAt: 2e6 }].every(isMet)).toBe(true)
    expect(progress?.({ done: 0.4 })).toBe('It has tested 40 % of the states.')
    expect(progress?.({ done: 1, evaluatedAt: 0 })).toBeNull()
  })

  test('compares the completed solution of the trained network with the shortest one', () => {
    const outcome = (now: Record<string, number>) => guide[7]!.outcome({ pretrained: 1, ...now }, {})
    expect(outcome({ shortest: 11, gaveUp: 0 })).toBeNull()
    expect(outcome({ shortest: 11, solution: 11 })).toMatchObject({ right: 0 })
    expect(outcome({ shortest: 11, solution: 13 })).toMatchObject({
      right: 1,
      text: expect.stringMatching(/needed 13 turns; .* has 11\./) as string,
    })
    expect(outcome({ shortest: 11, gaveUp: 1 })).toMatch(/did not solve/)
  })

  test('makes the best turn of a state, whose target is the estimate after it plus one turn', () => {
    const before = { distance: 4, pretrained: 1, estimate: 4.1 }
    const { requirement, outcome, text } = guide[2]!
    expect(text).toMatch(/the yellow turn is the best one/)
    expect(bestTurn).toBe(`${nearState.split(' ').at(-1)}'`)
    expect(nearState.split(' ')).toHaveLength(before.distance)
    // The panel counts the turns since the scramble.
    const command = { kind: 'apply', turns: nearState, by: 'scramble' }
    expect(guide[2]!.setup).toContainEqual({ kind: 'command', command })
    expect(requirement!.action.does).toEqual(guide[2]!.setup)
    expect(
      [before, { ...before, distance: 3 }, { ...before, pretrained: 0 }].map(requirement!.isMet),
    ).toEqual([true, false, false])
    expect(outcome(before, before)).toBeNull()
    expect(outcome({ ...before, distance: 3, estimate: 3.2 }, before)).toMatchObject({
      right: 0,
      text: expect.stringMatching(
        /estimated 4\.1 .* estimates 3\.2, .* 3\.2 \+ 1 = 4\.2\. The two agree/,
      ) as string,
    })
    expect(outcome({ ...before, distance: 3 }, before)).toMatchObject({
      right: 1,
      text: expect.stringMatching(/4\.1 \+ 1 = 5\.1\. Training would move/) as string,
    })
    expect(outcome({ ...before, distance: 3, estimate: 7 }, before)).toMatchObject({ right: 2 })
  })

  test('compares training with and without a curriculum after equally many samples', () => {
    const { requirement, outcome, isFinal } = guide[3]!
    const without = { curriculum: 0, samples: 1.21e6, level: 15, six: 0.04 }
    const { isMet, progress } = requirement!
    expect([without, { ...without, samples: 9e5 }, { ...without, curriculum: threshold }].map(isMet)).toEqual(
      [true, false, false],
    )
    expect(progress!({ ...without, samples: 9e5 })).toMatch(/^Trained on 900\u00a0k of 1\.20\u00a0M samples/)
    expect(progress!({ ...without, curriculum: threshold })).toBeNull()
    expect(requirement!.met!(without)).toMatch(
      /^Without a curriculum, .* 4\.0 % .* 1\.21\u00a0M .* second network/,
    )
    const at = (some: Values) =>
      outcome({ curriculum: threshold, samples: 1.22e6, level: 6, six: 0.5, ...some }, without)
    expect(outcome(without, without)).toBeNull()
    expect(at({ samples: 5e5, level: 1 })).toMatch(/^After 500\u00a0k samples, .* up to 1 turn\./)
    expect(at({ samples: 1.3e6, level: 5, six: undefined })).toMatch(/up to 5 turns\./)
    expect(at({})).toEqual({
      right: 1,
      text: expect.stringMatching(
        /^With a curriculum, .* 50 % .* 1\.22\u00a0M .* Without a curriculum, .* solved 4\.0 % after 1\.21\u00a0M: the lower columns\.$/,
      ) as string,
    })
    expect(at({ six: 0.1 })).toEqual({
      right: 2,
      text: expect.stringMatching(/^With a curriculum/) as string,
    })
    expect(isFinal!({ curriculum: threshold, samples: 1.22e6, six: 0.5 }, without)).toBe(true)
    expect(isFinal!(without, without)).toBe(false)
  })

  test('restores the curriculum of the default settings', () => {
    const cube2 = experiments.find(({ name }) => name === 'cube2')!
    expect(get(cube2.defaults as unknown as Config, 'dqn.curriculum_threshold')).toBe(threshold)
  })
})

test('the guide of the 3×3×3 cube states the probability of the right move, once the network is trained', () => {
  const outcome = (now: Record<string, number>) => cube3[1]!.outcome({ turns: 1, ...now }, {})
  expect(cube3[1]!.outcome({ turns: 2 }, {})).toBeNull()
  expect(outcome({})).toMatchObject({ right: 0, text: expect.stringMatching(/not trained yet/) as string })
  expect(outcome({ undo: 0.3, samples: 100 })).toMatchObject({ right: 0 })
  expect(outcome({ undo: 0.934, samples: 2e5 })).toMatchObject({
    right: 2,
    text: expect.stringMatching(/^93 %: .* 200\u00a0k samples/) as string,
  })
})

test('the guide of the 3×3×3 cube answers when the solver has ended', () => {
  const outcome = (now: Record<string, number>) => cube3[4]!.outcome(now, {})
  expect(outcome({ solved: 0, gaveUp: 0, evaluated: 5 })).toBeNull()
  expect(outcome({ solved: 0, gaveUp: 1, evaluated: 5 })).toMatchObject({ right: 1 })
  expect(outcome({ solved: 1, gaveUp: 0, evaluated: 5, solution: 30 })).toMatchObject({ right: 0 })
})

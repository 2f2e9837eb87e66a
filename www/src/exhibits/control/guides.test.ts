import { expect, test } from 'vitest'
import { furtherStepOf } from '../shared/guide/guide'
import { namedBy } from '../shared/guide/focus'
import { guide } from './guides/cartpole'
import { guide as lake } from './guides/frozen-lake'
import { guide as largeLake } from './guides/frozen-lake-8x8'

test('the steps whose text describes the left and the right lake show them', () => {
  for (const step of [...lake, ...largeLake].filter(({ text }) => /(left|right) lake/.test(text)))
    expect([step.title, namedBy(step, true)]).toEqual([step.title, expect.arrayContaining(['lake-learned'])])
})

test('the poles of the first step stand still until its button restarts an untrained run, and act in the next steps', () => {
  const { setup, action, leave } = guide[0]!
  expect(setup).toContainEqual({ kind: 'act', on: false })
  expect(action.does).toContainEqual({ kind: 'restart', preset: 'default', held: true })
  for (const actions of [action.does, leave]) expect(actions).toContainEqual({ kind: 'act', on: true })
})

test('the first step ends when each displayed pole has fallen', () => {
  const { outcome } = guide[0]!
  const at = (ended: number, mean: number) => outcome({ ended, all: 256, mean, longest: 60 }, {})
  expect(at(255, 20)).toBeNull()
  expect(at(256, 20)).toEqual({
    right: 0,
    text: expect.stringMatching(/^The 256 poles .* after 0\.4 s on average, .* after 1\.2 s/) as string,
  })
  // 49 steps are displayed as 1.0 s.
  expect([at(256, 49), at(256, 52)]).toMatchObject([{ right: 1 }, { right: 1 }])
})

test('the test with the long pole compares with random pushes, if the network is worse, with this length only', () => {
  const text = (evaluated: number, parameter: number) => {
    const outcome = guide[5]!.outcome({ parameter, evaluated }, {})
    return typeof outcome === 'object' ? outcome?.text : outcome
  }
  expect(text(17.9, 1.5)).toMatch(
    /17\.9 \(0\.4 s\), of at most 500 \(10 s\); even random pushes reach 42 \(0\.8 s\)\. .* pushes back too late/,
  )
  expect(text(60, 1.5)).not.toMatch(/random/)
  expect(guide[5]!.outcome({ parameter: 1.5, evaluated: 17.9 }, {})).toMatchObject({ right: 0 })
  expect(guide[5]!.outcome({ parameter: 1.5, evaluated: 60 }, {})).toMatchObject({ right: 1 })
  expect(guide[5]!.outcome({ parameter: 1.5, evaluated: 480 }, {})).toMatchObject({ right: 2 })
  expect(text(17.9, 1.8)).not.toMatch(/random/)
})

test('the last step names the end of the track as the reason of short episodes', () => {
  const text = (mean: number) => {
    const outcome = guide.at(-1)!.outcome({ setting: 0.8, mean, updates: 600, steps: 153_600 }, {})
    return typeof outcome === 'object' ? outcome?.text : outcome
  }
  expect(text(275)).toMatch(/the cart drifts until it leaves the track/)
  expect(text(480)).toMatch(/a horizon of five steps is enough/)
})

test('the poles stand still while an update is compared, since the map depends on them', () => {
  const { setup, leave } = guide[2]!
  expect(setup).toContainEqual({ kind: 'act', on: false })
  expect(leave).toContainEqual({ kind: 'act', on: true })
})

test('an update is judged by the colors of the two maps that the page shows', () => {
  const then = { updates: 0 }
  const at = (values: Record<string, number>) =>
    guide[2]!.outcome({ updates: 1, before: 0.52, certainty: 0.71, ...values }, then)
  expect(at({})).toEqual({
    right: 0,
    text: expect.stringMatching(/^The colors got stronger: .* 52 % on average, now 71 %\.$/) as string,
  })
  expect([at({ certainty: 0.4 }), at({ certainty: 0.521 })]).toMatchObject([{ right: 1 }, { right: 2 }])
  // The page still shows the map before the update.
  expect([at({ updates: 0 }), at({ certainty: 0.52 })]).toEqual([null, null])
})

test('the further experiment trains on the moon until the task is solved; a step after the summary restores the default preset', () => {
  const moon = furtherStepOf(guide)!
  const at = (gravity: number, solvedSteps?: number) =>
    moon.outcome({ gravity, ...(solvedSteps !== undefined && { solvedSteps }) }, {})
  // The run before it was solved as well.
  expect([at(9.8, 120_000), at(1.62)]).toEqual([null, null])
  expect([90_000, 139_264, 210_000].map((steps) => at(1.62, steps))).toMatchObject([
    { right: 0 },
    {
      right: 1,
      text: expect.stringMatching(/^Solved on the moon after 139.k steps; .* little difference/) as string,
    },
    { right: 2 },
  ])
  expect(moon.leave).toEqual(guide.at(-1)!.leave!.map((each) => ({ ...each, from: 'moon' })))
})

import { expect, test } from 'vitest'
import type { Answer, Values } from '../shared/guide/guide'
import { guide } from './guide'

const stepWithTitle = (wanted: string) => guide.find(({ title }) => title === wanted)!

/** Returns the answer of a step; fails for an outcome that decides nothing. */
function answerOf(title: string, now: Values, then: Values = {}): Answer {
  const outcome = stepWithTitle(title).outcome(now, then)
  if (outcome === null || typeof outcome === 'string') return expect.fail(`no answer: ${outcome}`)
  return outcome
}

test('the numbers of gates add up', () => {
  const counts = { f0: 3, f1: 60, f3: 300, f5: 44, f7: 65 }
  const { text } = answerOf('Few gates remain', { ...counts, kept: 26, zeros: 1, ones: 0 })
  const [all, wires, removed, kept] = text.match(/\d+/g)!.map(Number)
  expect([all, wires, kept]).toEqual([472, 344, 26])
  expect(wires! + removed! + kept!).toBe(all)
  expect(text).toMatch(/One gate is a constant/)
})

test('the circuit is answered with the bits of the inverted board, which rests', () => {
  const { outcome, action } = stepWithTitle('The circuit')
  const inverted = { strokes: 1, steps: 0, bit: 0, next: 1, wanted: 1, visible: 0 }
  const then = { strokes: 0 }
  // The circuit still shows the board before the inversion.
  expect(outcome({ ...inverted, bit: 1 }, then)).toBeNull()
  expect(outcome(inverted, { strokes: 1 })).toBeNull()
  expect(answerOf('The circuit', inverted, then)).toMatchObject({
    right: 0,
    text: expect.stringMatching(
      /^The visible bit of the framed cell is 0 now, but the next step makes it 1 again/,
    ) as string,
  })
  expect(answerOf('The circuit', { ...inverted, next: 0 }, then)).toMatchObject({ right: 1 })
  // Nothing runs the board after the inversion.
  const last = action.does.findIndex((each) => each.kind === 'click' && each.element === 'tool-invert')
  expect(last).toBeGreaterThan(0)
  const runs = action.does.slice(last).filter((each) => JSON.stringify(each).includes('sandbox-speed'))
  expect(runs).toEqual([])
})

test('the sandbox rests as the outcome describes it', () => {
  for (const title of ['A picture out of noise', 'Damage', 'Larger boards'])
    expect(JSON.stringify(stepWithTitle(title).finish)).toMatch(/"element":"sandbox-pause"/)
})

test('the boards beside the answer show the last step', () => {
  for (const title of ['A rule made of gates', 'Soft and hard gates'])
    expect(stepWithTitle(title).finish?.at(-1)).toEqual({
      kind: 'reach',
      figure: { element: 'rollout-step', attribute: 'rests' },
      value: 1,
    })
})

test('the second step begins with an untrained rule, also after training', () => {
  expect(stepWithTitle('A rule made of gates').action.does[0]).toEqual({
    kind: 'unless',
    figure: { progress: 'steps' },
    is: 0,
    does: [{ kind: 'restart', preset: 'checkerboard-small', held: true }],
  })
})

test('the circuit is shown with the complete pattern, whose inversion is not inverted back', () => {
  const { setup, action, requirement } = stepWithTitle('The circuit')
  const grown = { kind: 'reach', figure: { element: 'sandbox-target', attribute: 'step' }, value: 40 }
  expect(setup).toContainEqual(grown)
  expect(requirement!.finish).toContainEqual(grown)
  expect(action.does).toContainEqual({
    kind: 'unless',
    figure: { element: 'sandbox-target' },
    is: 1,
    does: requirement!.finish!.slice(0, -1),
  })
  // Training changes the gates, so that the marked one is chosen again.
  expect(requirement!.finish!.at(-1)).toEqual({ kind: 'click', element: 'circuit-trace' })
})

import { describe, expect, test } from 'vitest'
import { guide } from './cube2'
import { guide as cube3 } from './cube3'

describe('the guide of the 2×2×2 cube', () => {
  test('quotes the complete evaluation of the columns, never one in progress', () => {
    const outcome = (now: Record<string, number>) => guide[3]!.outcome(now, {})
    const complete = { solved: 0.0496, failing: 5, evaluatedAt: 2e6, done: 1 }
    expect(outcome(complete)).toMatchObject({
      right: 1,
      text: expect.stringMatching(/all states up to 4 turns, .* 4\.96 %/) as string,
    })
    expect(outcome({ ...complete, failing: 1 })).toMatchObject({
      right: 0,
      text: expect.stringMatching(/all states up to 0 turns/) as string,
    })
    // The evaluation of the pretrained network.
    expect(outcome({ ...complete, evaluatedAt: 0 })).toBeNull()
    // The headline of a restored run is older than the columns.
    expect(outcome({ ...complete, done: 0.43 })).toMatch(/^So far .* up to 4 turns .* 43 %/)
    expect(outcome({ done: 0.43 })).toMatch(/^So far all tested states are solved/)
  })

  test('quotes the shares of the map beside the map', () => {
    const outcome = (now: Record<string, number>) => guide[5]!.outcome({ samples: 9, ...now }, { samples: 1 })
    const shares = { known: 1, solved: 0.1, inner: 0.7, outer: 0.05 }
    expect(outcome(shares)).toMatchObject({ right: 1 })
    expect(outcome({ ...shares, known: 0.4 })).toMatch(/^The first evaluation has painted 40\.0+ %/)
    expect(outcome({ ...shares, inner: 1, outer: 1 })).toMatch(/^All rings are equal/)
  })

  test('asks which rings get their color last only while some have none', () => {
    const { isMet } = guide[5]!.requirement!
    expect([{}, { known: 0.4, solved: 1 }, { known: 1, solved: 0.9 }].every(isMet)).toBe(true)
    expect(isMet({ known: 1, solved: 0.999 })).toBe(false)
  })

  test('measures the time of the curriculum from the start of a new network', () => {
    const outcome = (level: number, seconds: number) => guide[2]!.outcome({ level, seconds }, { level: 15 })
    expect(guide[2]!.action.does).toContainEqual({ kind: 'restart' })
    expect(outcome(5, 8)).toMatch(/^After 8 s of training/)
    expect(outcome(6, 21)).toMatchObject({ right: 1 })
  })
})

test('the guide of the 3×3×3 cube answers when the solver has ended', () => {
  const outcome = (now: Record<string, number>) => cube3[4]!.outcome(now, {})
  expect(outcome({ solved: 0, gaveUp: 0, evaluated: 5 })).toBeNull()
  expect(outcome({ solved: 0, gaveUp: 1, evaluated: 5 })).toMatchObject({ right: 1 })
  expect(outcome({ solved: 1, gaveUp: 0, evaluated: 5, solution: 30 })).toMatchObject({ right: 0 })
})

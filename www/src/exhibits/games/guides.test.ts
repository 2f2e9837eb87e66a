import { describe, expect, test } from 'vitest'
import { guide } from './guides/connect-four'
import { guide as backgammon } from './guides/backgammon'

describe('the guide of Connect Four', () => {
  test('compares the first sight of the network with the search by their figures', () => {
    const figures = {
      simulations: 400,
      prior: 0.569,
      chosenPrior: 0.047,
      chosenEquity: 0.8,
      glanceEquity: 0.18,
    }
    const outcome = (glance: number) => guide[0]!.outcome({ ...figures, glance, chosen: 4 }, {})
    expect(outcome(7)).toMatchObject({
      right: 1,
      text: expect.stringMatching(
        /^At first sight .*column 7 \(57 %; column 4 only 5 %\).*After 400 simulations .* expects 90 % wins with column 4, 59 % .* wins by force: after it, each of the two dashed holes of column 5 .* only the lower one/,
      ) as string,
    })
    expect(outcome(4)).toMatchObject({ right: 0 })
    expect(guide[0]!.outcome({ ...figures, simulations: 10, glance: 7, chosen: 4 }, {})).toBeNull()
  })

  test('compares the policy loss as displayed, after 20 s', () => {
    const outcome = (policy: number, seconds: number) =>
      guide[3]!.outcome({ policy, seconds }, { policy: 0.984, seconds: 10 })
    expect(outcome(0.9, 20)).toMatch(/^Measuring/)
    expect(outcome(0.981, 30)).toMatchObject({
      right: 2,
      text: expect.stringMatching(/^The policy loss is still 0\.98/) as string,
    })
    expect(outcome(0.97, 30)).toMatchObject({ right: 0 })
    expect(outcome(1.2, 30)).toMatchObject({ right: 1 })
  })
})

test('games that show no gain by search get the reason and other measurements', () => {
  const step = backgammon.at(-1)!
  const match = { points: 0.4, simulations: 100, games: 100, without: 0.4, with: 0.5 }
  const unsure = { ...match, withoutLow: 0.1, withoutHigh: 0.7, withLow: 0.2, withHigh: 0.8 }
  expect(step.outcome(unsure, {})).toMatchObject({
    right: 0,
    text: expect.stringContaining('The luck of the dice hides the gain') as string,
  })
  const sure = { ...match, with: 0.9, withoutLow: 0.3, withoutHigh: 0.5, withLow: 0.8, withHigh: 1 }
  expect(step.outcome(sure, {})).toMatchObject({
    right: 2,
    text: expect.not.stringContaining('luck') as string,
  })
})

test('the strength is compared by the mean result against all fixed players', () => {
  const { outcome, figures } = guide[5]!
  const before = { random: 0.9, two: 0.6, four: 0.3, six: 0.2, seconds: 40 }
  const outcomeWith = (change: Record<string, number>) =>
    outcome({ ...before, seconds: 70, ...change }, before)
  expect(outcomeWith({ seconds: 60 })).toMatch(/^Measuring/)
  // A loss against one player is less than a gain against another.
  expect(outcomeWith({ two: 0.54, six: 0.5 })).toMatchObject({
    right: 0,
    text: expect.stringMatching(/^It wins 56 % .*before: 50 %.*6 moves ahead 50 %.*learned/) as string,
  })
  expect(outcomeWith({ two: 0.54 })).toMatchObject({ right: 1 })
  expect(outcomeWith({ two: 0.3 })).toMatchObject({ right: 2 })
  expect(figures.six).toEqual({ recent: 'wins_minimax_6' })
})

test('the effect of search names its opponent and reports each match while it is played', () => {
  const { outcome, text } = guide[6]!
  expect(text).toMatch(/minimax/)
  expect(outcome({ points: 0.16, newest: 0.16, newestSimulations: 0 }, {})).toMatch(
    /without search .* 58 % .* so far/,
  )
  expect(outcome({ points: 0.16, newest: 0.68, newestSimulations: 100 }, {})).toMatch(
    /without search .* 58 % .*; with 100 simulations per move, 84 % so far/,
  )
})

test('a rate of games that has not fallen gets no cause', () => {
  const outcome = (rate: number) =>
    guide[4]!.outcome({ share: 1, rate, seconds: 12 }, { rate: 100, seconds: 0 })
  expect(outcome(30)).toMatchObject({ right: 1, text: expect.stringContaining('Fewer games') as string })
  expect(outcome(100)).toMatchObject({ right: 0, text: expect.not.stringContaining('Fewer games') as string })
})

test('the guide of backgammon names the play that the search has chosen', () => {
  const outcome = (chosen: number) => backgammon[1]!.outcome({ simulations: 400, chosen }, {})
  expect(outcome(8565)).toMatchObject({
    right: 0,
    text: expect.stringContaining('chooses 8/5 6/5') as string,
  })
  expect(outcome(24231310)).toMatchObject({ right: 1 })
  expect(outcome(6532)).toMatchObject({ right: 2 })
})

test('no step of a game answers before the search of the position has ended', () => {
  const complete = { equity: 0.1, win: 52, depth: 6, states: 90, all: 100, most: 60, moves: 7 }
  for (const step of [backgammon[0]!, backgammon[2]!, guide[1]!]) {
    expect(step.outcome({ ...complete, complete: 0 }, {})).toBeNull()
    expect(step.outcome({ ...complete, complete: 1 }, {})).not.toBeNull()
  }
})

test('training pauses at the final outcome of the steps that count games and compare strengths', () => {
  for (const step of [guide[2]!, guide[3]!, guide[4]!, guide[5]!, backgammon[4]!, backgammon[5]!])
    expect([step.title, step.finish]).toEqual([step.title, [{ kind: 'learn', on: false }]])
})

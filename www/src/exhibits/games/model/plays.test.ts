import { expect, test } from 'vitest'
import type { OutcomeInfo } from '../../../engine/page/session'
import { plusMinus, seenFrom } from './outcomes'
import { accuracyNote, ratedRows, rolledRows, rolledStanding, searchedRows } from './plays'
import { earlierPosition } from './status'

test('a position that is not the current one is described', () => {
  const names = ['You', 'Net'] as const
  expect(earlierPosition({ seat: 1, dice: [4, 2] }, names, 'Earlier position')).toBe(
    'Earlier position: Net with 4-2.',
  )
  expect(earlierPosition({ seat: 0, dice: null }, names, 'Opened match')).toBe(
    'Opened match: You before the roll.',
  )
})

test('the table of plays has the rows of a search or of the analysis of a match', () => {
  const names = ['win', 'win_gammon', 'win_backgammon', 'lose_gammon', 'lose_backgammon']
  const infos = names.map((name) => ({ name })) as unknown as OutcomeInfo[]
  const found = { text: '8/5 6/5', equity: 0.2, lost: 0, prior: 0.6, visits: 40 }
  const searched = (outcome_probabilities: number[]) =>
    searchedRows([{ ...found, moves: [], branches: [], outcome_probabilities }], infos)[0]
  expect(searched([0.5, 0.2, 0.01, 0.1, 0.02])).toEqual({
    ...found,
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02],
    isShallow: false,
    errors: null,
  })
  const few = { ...found, visits: 7, moves: [], branches: [], outcome_probabilities: [] }
  expect(searchedRows([few], infos, true)[0], 'the estimate of the network').toMatchObject({
    lost: null,
    isShallow: true,
  })
  expect(searchedRows([few], infos)[0]!.isShallow, 'without rolls').toBe(false)
  expect(searched([])!.probabilities, 'of a play after the best ones').toEqual([])
  const rated = (isSearched: boolean) => ({
    play: '24/23 13/10',
    equity: -100,
    loss: 50,
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02] as [number, number, number, number, number],
    searched: isSearched,
    played: false,
  })
  const rows = ratedRows({ candidates: [rated(true), rated(false)] })
  expect(rows[0]).toMatchObject({ text: '24/23 13/10', equity: -0.1, lost: 0.05, visits: null })
  expect(rows.map(({ isShallow }) => isShallow)).toEqual([false, true])
  expect(rows[1]!.lost, 'not comparable').toBeNull()
  const alike = ratedRows({ candidates: [rated(false)] })[0]
  expect(alike, 'all plays are evaluated alike').toMatchObject({ isShallow: false, lost: 0.05 })
})

test('the table of plays has the means of a rollout with their standard errors', () => {
  const play = (error: number | null) => ({
    play: '8/5 6/5',
    equity: { mean: 0.2, error },
    loss: { mean: 0, error: null },
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02] as [number, number, number, number, number],
  })
  const [row] = rolledRows({ trials: 36, plays: [play(0.0123)] })
  expect(row).toMatchObject({ text: '8/5 6/5', equity: 0.2, lost: 0, errors: { equity: 0.0123, lost: null } })
  expect(plusMinus(row!.errors?.equity)).toBe('\u00a0±\u20090.012')
  expect([plusMinus(row!.errors?.lost), plusMinus(undefined)]).toEqual(['', ''])
  expect(rolledRows({ trials: 35, plays: [play(0.0123)] })[0]!.errors!.equity, 'few trials').toBeNull()
})

test('a rollout evaluates the position for the player on roll, from the fewest trials of a verdict on', () => {
  const probabilities = [0.6, 0.2, 0.01, 0.1, 0.02] as [number, number, number, number, number]
  const mean = (mean: number) => ({ mean, error: 0.01 })
  const play = { play: '8/5 6/5', equity: mean(0.2), loss: mean(0), probabilities }
  const onRoll = { seat: 1, isOffered: false } as const
  const rolled = { trials: 36, plays: [play], doubling: null }
  const standing = rolledStanding(rolled, onRoll)!
  expect(standing).toMatchObject({ seat: 1, equity: 0.2, source: 'rollout' })
  expect(standing.probabilities!.seats[1]).toEqual({ win: 0.6, gammon: 0.2, backgammon: 0.01 })
  expect(seenFrom(standing, 0)).toMatchObject({ seat: 0, equity: -0.2 })
  expect(rolledStanding({ ...rolled, trials: 35 }, onRoll)).toBeNull()
  const equities = { no_double: mean(0.8), double_take: mean(0.7), double_pass: 1, gain: mean(-0.1) }
  const doubling = { ...equities, best: '', probabilities }
  const decided = { trials: 36, plays: [], doubling }
  expect(rolledStanding(decided, onRoll)!.equity).toBe(0.8)
  expect(rolledStanding(decided, { ...onRoll, isOffered: true })!.equity, 'an offered double').toBe(0.7)
})

test('the losses of backgammon have a note on the strength of the network', () => {
  const note = (columns: Parameters<typeof accuracyNote>[0], mostEquity = 3) =>
    accuracyNote(columns, mostEquity)
  expect([note('visits'), note('probabilities')]).toEqual(
    [0, 0].map(() => expect.stringMatching(/weaker than GNU Backgammon.*roll out/)),
  )
  expect(note('rollout')).toMatch(/error of the dice.*systematic errors remain/)
  expect([note('rated'), note('rollout', 1), note('visits', 1)]).toEqual([null, null, null])
})

import { expect, test } from 'vitest'
import type { OutcomeInfo } from '../../../engine/page/session'
import { plusMinus } from './outcomes'
import { ratedRows, rolledRows, searchedRows } from './plays'
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
  expect(ratedRows({ candidates: [rated(false)] })[0]!.isShallow, 'all plays are evaluated alike').toBe(false)
})

test('the table of plays has the means of a rollout with their standard errors', () => {
  const play = (error: number | null) => ({
    play: '8/5 6/5',
    equity: { mean: 0.2, error },
    loss: { mean: 0, error: null },
    probabilities: [0.5, 0.2, 0.01, 0.1, 0.02] as [number, number, number, number, number],
  })
  const [row] = rolledRows({ plays: [play(0.0123)] })
  expect(row).toMatchObject({ text: '8/5 6/5', equity: 0.2, lost: 0, errors: { equity: 0.0123, lost: null } })
  expect(plusMinus(row!.errors?.equity)).toBe('\u00a0±\u20090.012')
  expect([plusMinus(row!.errors?.lost), plusMinus(undefined)]).toEqual(['', ''])
})

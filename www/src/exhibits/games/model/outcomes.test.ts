import { describe, expect, test } from 'vitest'
import type { OutcomeInfo } from '../../../engine/page/session'
import { termOf } from '../../../glossary'
import { ended, forWhite, lostText, outcomeProbabilities, severity } from './outcomes'
import { texts } from './texts'

const info = (...names: string[]): OutcomeInfo[] => names.map((name) => ({ name, label: name, help: '' }))
const five = info('win', 'win_gammon', 'win_backgammon', 'lose_gammon', 'lose_backgammon')

describe('the probabilities', () => {
  test('is the same from both sides', () => {
    const outcome_probabilities = [0.6, 0.2, 0.01, 0.1, 0.02]
    const [white, black] = [
      outcomeProbabilities(five, outcome_probabilities, 0)!,
      outcomeProbabilities(five, outcome_probabilities, 1)!,
    ]
    expect(white.seats[0]).toEqual({ win: 0.6, gammon: 0.2, backgammon: 0.01 })
    expect(white.seats[1].win).toBeCloseTo(0.4)
    expect(white.seats[1].gammon).toBe(0.1)
    expect(black.seats).toEqual([white.seats[1], white.seats[0]])
  })

  test('of a game that is over is its result', () => {
    const won = ended({ winner: 1, points: 4, win: 2, how: 'gammon' })
    expect([won.equity, won.source]).toEqual([-4, 'over'])
    expect(won.probabilities?.seats[1]).toEqual({ win: 1, gammon: 1, backgammon: 0 })
    expect(won.probabilities?.seats[0].win).toBe(0)
    expect(ended({ winner: null, points: 0, win: 0, how: 'draw' })).toMatchObject({
      equity: 0,
      probabilities: { draw: 1 },
    })
  })

  test('handles draws and contradicting heads', () => {
    const four = outcomeProbabilities(info('win', 'lose'), [0.5, 0.3], 0)!
    expect(four.draw).toBeCloseTo(0.2)
    expect(four.seats[1].win).toBeCloseTo(0.3)
    expect(outcomeProbabilities(info('win', 'lose'), [0.9, 0.3], 1)!.draw).toBe(0)
    const odd = outcomeProbabilities(five, [0.1, 0.4, 0.5, 0, 0], 0)!
    expect(odd.seats[0]).toEqual({ win: 0.1, gammon: 0.1, backgammon: 0.1 })
    expect(outcomeProbabilities(five, [], 0)).toBeNull()
    expect(outcomeProbabilities(five, [1], 0)).toBeNull()
  })

  test('marks the equity loss of a play', () => {
    const losses = [0, 0.029, 0.03, 0.059, 0.06, 0.119, 0.12]
    const [fine, doubtful, error] = ['fine', 'doubtful', 'error']
    expect(losses.map(severity)).toEqual([fine, fine, doubtful, doubtful, error, error, 'blunder'])
    const lost = (points: number) => lostText(points, texts.backgammon.scale)
    expect([0, 0.1234, -0.02].map(lost)).toEqual(['0.000', '0.123', '–'])
    expect([forWhite(0.5, 0), forWhite(0.5, 1)]).toEqual([0.5, -0.5])
  })
})

test('the equity of Connect Four is explained without gammons, and that of backgammon with them', () => {
  const formula = (game: keyof typeof texts) => termOf(texts[game].help.equity.term!)?.formula
  expect(formula('connect-four')).toBe('E = P_{win} − P_{loss}')
  expect(formula('backgammon')).toContain('gammon')
})

test('Connect Four shows the share of games won, of which a draw counts half; backgammon shows points', () => {
  const [four, backgammon] = [texts['connect-four'].scale, texts.backgammon.scale]
  expect([-1, 0, 0.953].map(four.format)).toEqual(['0.0 %', '50.0 %', '97.6 %'])
  expect([four.brief(0.953), four.difference(0.1), four.loss(0.02)]).toEqual([
    '98 %',
    '5.0 %',
    '1.0 percentage points',
  ])
  expect([-0.5, 0, 1].map(four.tick)).toEqual(['25 %', 'even', '100 %'])
  expect([-1, 0, 0.953].map(backgammon.format)).toEqual(['−1.000', '0.000', '+0.953'])
  expect([backgammon.brief(0.953), backgammon.loss(0.1)]).toEqual(['+0.95', '0.100 points'])
  expect([-0.5, 0].map(backgammon.tick)).toEqual(['−0.5', 'even'])
})

import { describe, expect, test } from 'vitest'
import type { GameMove } from '../../../engine/page/session'
import { BAR, type Checkers, OFF, played, same, start, unplayed } from '../model/checkers'
import { animationSteps, final, moveTime, rollTime, spent, stateAfter } from './animationSteps'
import { move, table, turn } from '../../../../../tests/fixtures/game-table'

const after = (checkers: Checkers, seat: 0 | 1, moves: GameMove[]): Checkers =>
  moves.reduce((at, { from, to }) => played(at, seat, from, to), checkers)

describe('animation of a game', () => {
  test('reverts moves including hits', () => {
    const moves = [move(24, 20), move(20, 17), move(13, 8)]
    expect(same(unplayed(after(start, 0, moves), 0, moves), start)).toBe(true)
    const blot = after(start, 1, [move(6, 5)])
    const hit = [move(24, 20, true)]
    expect(same(unplayed(after(blot, 0, hit), 0, hit), blot)).toBe(true)
  })

  test('spends the exact die, or the highest one when bearing off', () => {
    expect(spent([5, 3], move(8, 5))).toEqual([5])
    expect(spent([6, 2], move(4, OFF))).toEqual([2])
    expect(spent([4, 4, 4], move(8, 4))).toEqual([4, 4])
    expect(spent([6, 1], move(BAR, 24))).toEqual([6])
  })

  test('shows another game without animation', () => {
    const first = table(start)
    const place = stateAfter(first, start)
    const steps = animationSteps(place, table(start, { game: 2, dice: [3, 1], dice_left: [3, 1] }), start)
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatchObject({ hold: 0, dice: [3, 1] })
    expect(animationSteps(null, first, start)).toHaveLength(1)
  })

  test('animates the roll and each move of a computer', () => {
    const place = stateAfter(table(start), start)
    const moves = [move(24, 18), move(18, 13)]
    const end = after(start, 1, moves)
    const steps = animationSteps(place, table(end, { history: [turn(1, [6, 5], moves)] }), end)
    expect(steps.map(({ hold }) => hold)).toEqual([rollTime, moveTime, moveTime, 0])
    expect(steps.map(({ left }) => left)).toEqual([[6, 5], [5], [], []])
    expect(same(steps[0]!.checkers, start)).toBe(true)
    expect(same(steps[2]!.checkers, end)).toBe(true)
    expect(steps[0]!.seat).toBe(1)
  })

  test('does not animate dice that are already shown', () => {
    const rolled = table(start, { seat: 1, stage: 'computer', dice: [6, 5], dice_left: [6, 5] })
    const place = stateAfter(rolled, start)
    const moves = [move(24, 13)]
    const end = after(start, 1, moves)
    const steps = animationSteps(place, table(end, { history: [turn(1, [6, 5], moves)] }), end)
    expect(steps[0]!.hold).toBe(moveTime)
    expect(steps[0]!.roll).toBe(final(rolled, start).roll)
  })

  test('does not animate computers without delay', () => {
    const place = stateAfter(table(start), start)
    const moves = [move(24, 18), move(18, 13)]
    const end = after(start, 1, moves)
    const history = [turn(1, [6, 5], moves)]
    const random = { kind: 'random' } as const
    const two = table(end, { history, pace: 0, seats: [random, random] })
    expect(animationSteps(place, two, end).map(({ hold }) => hold)).toEqual([0])
    // If one player is human, the opponent's moves are animated even without a delay.
    expect(animationSteps(place, table(end, { history, pace: 0 }), end).length).toBeGreaterThan(1)
  })

  test('animates the roll of a computer without a legal move', () => {
    const place = stateAfter(table(start), start)
    const steps = animationSteps(place, table(start, { history: [turn(1, [6, 6], [])] }), start)
    expect(steps.map(({ hold, dice }) => [hold, dice])).toEqual([
      [rollTime, [6, 6]],
      [0, null],
    ])
    // The roll of a human player is already on display.
    expect(animationSteps(place, table(start, { history: [turn(0, [6, 6], [])] }), start)).toHaveLength(1)
  })

  test('does not animate the turn of the human player', () => {
    const moves = [move(8, 5), move(6, 5)]
    const end = after(start, 0, moves)
    const under = table(end, { dice: [3, 1], moves, can_confirm: true })
    const place = stateAfter(under, end)
    expect(same(place.base, start)).toBe(true)
    const steps = animationSteps(
      place,
      table(end, { seat: 1, stage: 'roll', history: [turn(0, [3, 1], moves)] }),
      end,
    )
    expect(steps).toHaveLength(1)
  })

  test('shows a taken-back turn without animation', () => {
    const end = after(start, 0, [move(8, 5), move(6, 5)])
    const place = stateAfter(table(end, { history: [turn(0, [3, 1], [])] }), end)
    expect(animationSteps(place, table(start), start)).toHaveLength(1)
  })
})

test('a computer has all its dice left until it plays', () => {
  const shown = stateAfter(table(start, { seat: 1, stage: 'computer', dice: [4, 4] }), start).shown
  expect(shown.left).toEqual([4, 4, 4, 4])
  expect(final(table(start, { dice: [4, 2], dice_left: [2] }), start).left).toEqual([2])
})

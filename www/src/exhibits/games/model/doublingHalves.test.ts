import { expect, test } from 'vitest'
import type { AnalyzedAction } from '../../../engine/page/session'
import { doublingHalves } from './doublingHalves'

const action = (action: AnalyzedAction['action']) => ({ action }) as AnalyzedAction
const analyzed = { doubling: [action('double'), action('take')], play: null }
const costs: [number, number, number, number] = [0.1, 0.2, 0.3, 0.4]

test('the reply to a double belongs to the other player', () => {
  const halves = doublingHalves({ seat: 1, text: 'Doubles to 2', reply: 'Takes' }, analyzed, undefined)
  expect(halves).toEqual([
    { seat: 1, text: 'Doubles to 2', action: analyzed.doubling[0], searched: undefined },
    { seat: 0, text: 'Takes', action: analyzed.doubling[1], searched: undefined },
  ])
  const passed = doublingHalves({ seat: 0, text: 'Doubles', reply: 'Passes' }, undefined, costs)
  expect(passed).toEqual([
    { seat: 0, text: 'Doubles', action: undefined, searched: 0.2 },
    { seat: 1, text: 'Passes', action: undefined, searched: 0.4 },
  ])
})

test('a decision not to double has no reply', () => {
  const missed = { doubling: [action('no double')], play: null }
  expect(doublingHalves({ seat: 1, text: 'No double', reply: null }, missed, costs)).toEqual([
    { seat: 1, text: 'No double', action: missed.doubling[0], searched: 0.1 },
  ])
})

import { describe, expect, test } from 'vitest'
import type { PlayerChoice } from '../../../engine/page/session'
import {
  earlierLast,
  keyOf,
  measured,
  playerName,
  searches,
  simulationsOf,
  withSimulations,
  withoutSearch,
} from './players'
import { analystNote, opponentText } from './seats'

describe('players', () => {
  const best: PlayerChoice = {
    player: { kind: 'best', simulations: 0 },
    label: 'Best so far',
    help: '',
    searches: true,
  }

  test('are distinguished without their simulations', () => {
    expect(keyOf({ kind: 'best', simulations: 7 })).toBe(keyOf(best.player))
    expect(keyOf({ kind: 'minimax', depth: 2 })).not.toBe(keyOf({ kind: 'minimax', depth: 4 }))
    expect(withSimulations({ kind: 'random' }, 9)).toEqual({ kind: 'random' })
    expect(simulationsOf(withSimulations(best.player, 9))).toBe(9)
    expect(simulationsOf({ kind: 'pubeval' })).toBeNull()
  })

  test('have names', () => {
    expect(playerName({ kind: 'person' }, [])).toBe('You')
    expect(playerName(best.player, [best])).toBe('Best so far')
    expect(playerName({ kind: 'best', simulations: 1000 }, [best])).toBe('Best so far, 1,000 simulations')
    expect(['Best network, 3000 simulations', 'Minimax, 4 moves ahead'].map(withoutSearch)).toEqual([
      'Best network',
      'Minimax, 4 moves ahead',
    ])
  })

  test('the default for matches is opened, best or newest, never an earlier network', () => {
    const choice = (player: PlayerChoice['player']): PlayerChoice => ({ ...best, player })
    const earlier = choice({ kind: 'earlier', promotion: 0, simulations: 0 })
    const newest = choice({ kind: 'newest', simulations: 0 })
    const opened = choice({ kind: 'opened', simulations: 0 })
    expect(measured([earlier, newest, best, opened])).toBe(opened)
    expect(measured([earlier, newest, best])).toBe(best)
    expect(measured([earlier, newest])).toBe(newest)
    expect(measured([earlier])).toBeUndefined()
    expect(earlierLast([earlier, newest, best])).toEqual([newest, best, earlier])
  })

  test('are limited by the largest search', () => {
    expect(searches(400)).toEqual([0, 10, 30, 100, 300])
  })
})

test('the opponent of a match is named, and an analyst that is another network says so', () => {
  const person = { kind: 'person' } as const
  const newest = { kind: 'newest', simulations: 100 } as const
  const analyst = { kind: 'opened', simulations: 400 } as const
  const choices = [
    {
      player: { kind: 'opened', simulations: 0 } as const,
      label: 'Trained network',
      help: '',
      searches: true,
    },
  ]
  const names = ['You', 'Network in training, 100 simulations'] as const
  expect(opponentText({ seats: [person, newest] }, names)).toBe(
    'Your opponent: Network in training, 100 simulations',
  )
  expect(opponentText({ seats: [person, person] }, names)).toBe('Players')
  expect(opponentText({ seats: [newest, newest] }, names), 'no human player').toBe('Players')
  expect(analystNote({ seats: [person, newest], analyst }, choices)).toBe(
    'Analysis by “Trained network”, which is not your opponent.',
  )
  // The same network is the opponent, with fewer simulations.
  expect(analystNote({ seats: [person, { ...analyst, simulations: 100 }], analyst }, choices)).toBeNull()
  expect(analystNote({ seats: [newest, newest], analyst }, choices)).toBeNull()
  expect(analystNote({ seats: [person, person], analyst }, choices)).toBeNull()
})

import { expect, test, vi } from 'vitest'
import type { AnalyzedMatch, PlayedMatch, RolledPosition } from '../../../engine/page/session'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { ErrorRollouts } from './errorRollouts.svelte'
import { Rollout, type RolledDecision } from './rollout.svelte'

const turns = ['a', 'b', 'c'].map((id, at) => ({
  id,
  seat: at % 2,
  dice: [3, 1],
  moves: at === 0 ? [move(8, 5), move(6, 5)] : [],
  doubled: null,
}))
const match = {
  names: ['Ann', 'Bob'],
  length: 5,
  jacoby: false,
  games: [{ score: [0, 0], crawford: false, turns, doubles: [], outcome: null }],
} as unknown as PlayedMatch
const rated = (position: string, error: number) => ({
  action: 'play',
  player: 0,
  play: '8/5 6/5',
  position,
  mark: '?',
  best: '13/9',
  error,
  candidates: [{ play: '13/9', equity: 0, loss: 0, probabilities: [], searched: true }],
})

/** Returns the rollouts of the errors `a` and `b`; the second one is larger. `play` is called by each rollout. */
function begun(play: (decision: RolledDecision, rollout: Rollout) => void) {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = match
  opened.select(0)
  const actions = [rated('a', 50), rated('b', 90), { ...rated('c', 0), mark: null, best: null }]
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  const rollout = new Rollout()
  const start = vi.spyOn(rollout, 'start').mockImplementation(async (decision) => {
    rollout.id = decision.id
    rollout.wanted = rollout.perStart
    play(decision, rollout)
  })
  const finish = (trials: number) => {
    const result = { trials, plays: [], doubling: null } as RolledPosition
    rollout.results = new Map(rollout.results).set(rollout.id!, result)
  }
  return { opened, ui, rollout, finish, start, rollouts: new ErrorRollouts(opened, rollout) }
}

test('the errors are rolled out one after the other, the largest first, on the board', async () => {
  const shown: unknown[] = []
  const { ui, finish, start, rollouts, rollout } = begun(() => {
    shown.push([ui.past?.id, rollouts.progress])
    finish(rollout.perStart)
  })
  await rollouts.start()
  expect(shown).toEqual([
    ['b', { at: 1, of: 2 }],
    ['a', { at: 2, of: 2 }],
  ])
  expect(start.mock.calls[0]![0]).toEqual({ id: 'b', plays: ['13/9'], played: '8/5 6/5', cubeless: false })
  expect(rollouts.progress).toBeNull()
})

test('a rollout that is stopped or fails, or another one, ends the rollouts', async () => {
  const ends = [
    (rollout: Rollout, finish: (trials: number) => void) => finish(rollout.perStart - 1),
    (rollout: Rollout) => (rollout.wanted = 0),
    (rollout: Rollout, finish: (trials: number) => void) => {
      finish(rollout.perStart)
      rollout.id = 'other'
    },
  ]
  for (const end of ends) {
    const { start, rollouts, finish } = begun((_, rollout) => end(rollout, finish))
    await rollouts.start()
    expect([start.mock.calls.length, rollouts.progress]).toEqual([1, null])
  }
})

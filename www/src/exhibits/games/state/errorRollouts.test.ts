import { beforeEach, expect, test, vi } from 'vitest'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { ErrorRollouts } from './errorRollouts.svelte'
import { Rollout } from './rollout.svelte'

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

const { ask } = vi.hoisted(() => ({ ask: vi.fn() }))
vi.mock('../../../engine/page/tools', () => ({ tools: { ask } }))
vi.mock('../../shared/networks', () => ({ network: async () => Uint8Array.of(1), unreachable: new Error() }))

/** Number of trials of the position that is rolled out. */
let played = 0
/** Called before the response to a request for trials. */
let beforeResponse = () => {}

beforeEach(() => {
  ask.mockReset()
  beforeResponse = () => {}
  ask.mockImplementation(async (tool: string, { trials }: { trials: number }) => {
    if (tool === 'rollOut') return ((played = 0), null)
    played += trials
    beforeResponse()
    return { trials: played, plays: [], doubling: null }
  })
})

const begun = () => ask.mock.calls.filter(([tool]) => tool === 'rollOut').map(([, { id }]) => id)

/** Returns the rollouts of the errors of two turns; the second error is larger. */
function ofTwoErrors() {
  const { opened, ui } = seated({ id: 'table' })
  opened.match = match
  opened.select(0)
  const actions = [rated('a', 50), rated('b', 90), { ...rated('c', 0), mark: null, best: null }]
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  const rollout = new Rollout()
  rollout.selectCount(36)
  return { opened, ui, rollout, rollouts: new ErrorRollouts(opened, rollout) }
}

test('the errors are rolled out one after the other, the largest first, on the board', async () => {
  const { opened, ui, rollout, rollouts } = ofTwoErrors()
  opened.hints = false
  const shown: unknown[] = []
  beforeResponse = () => played === 2 && shown.push([ui.past?.id, opened.hints, rollouts.progress])
  await rollouts.start()
  expect(shown).toEqual([
    ['b', true, { at: 1, of: 2 }],
    ['a', true, { at: 2, of: 2 }],
  ])
  const begin = { id: 'b', plays: ['13/9', '8/5 6/5'], cubeless: false }
  expect(ask.mock.calls[0]).toEqual(['rollOut', expect.objectContaining(begin)])
  expect([rollout.resultOf('a')?.trials, rollout.resultOf('b')?.trials, rollouts.progress]).toEqual([
    36,
    36,
    null,
  ])
})

test('a stop or the selection of another decision during the last request ends the rollouts', async () => {
  const ends = [
    ({ rollouts }: ReturnType<typeof ofTwoErrors>) => rollouts.stop(),
    ({ opened }: ReturnType<typeof ofTwoErrors>) => opened.select(0, { turn: 2, doubling: false }),
  ]
  for (const end of ends) {
    ask.mockClear()
    const all = ofTwoErrors()
    beforeResponse = () => played === 36 && end(all)
    await all.rollouts.start()
    expect([begun(), all.rollouts.progress]).toEqual([['b'], null])
    // The results are kept.
    expect(all.rollout.resultOf('b')?.trials).toBe(36)
  }
})

test('a double and its reply are one position, and errors with enough trials are not rolled out again', async () => {
  const { opened, rollouts } = ofTwoErrors()
  const double = { ...rated('d', 70), action: 'double', play: null, candidates: [] }
  const pass = { ...double, action: 'pass', player: 1, error: 60 }
  opened.analysis.analyzed = { games: [{ actions: [double, pass] }] } as unknown as AnalyzedMatch
  expect(rollouts.open.map(({ action }) => action.action)).toEqual(['double'])
  const rolled = { ...rated('b', 90), trials: 36 }
  opened.analysis.analyzed = { games: [{ actions: [rated('a', 50), rolled] }] } as unknown as AnalyzedMatch
  expect(rollouts.open.map(({ action }) => action.position)).toEqual(['a'])
})

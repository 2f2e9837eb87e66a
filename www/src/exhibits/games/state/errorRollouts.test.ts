import { beforeEach, expect, test, vi } from 'vitest'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { toasts } from '../../../state/toasts.svelte'
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

/** Number of trials of the position that is rolled out, and of the others. */
let played = 0
let kept = new Map<string, number>()
let current = ''
/** Called before the response to a request for trials. */
let beforeResponse = () => {}

beforeEach(() => {
  ask.mockReset()
  beforeResponse = () => {}
  kept = new Map()
  ask.mockImplementation(async (tool: string, { trials, id }: { trials: number; id: string }) => {
    if (tool === 'rollOut') {
      current = id
      played = kept.get(id) ?? 0
      return { trials: played, plays: [], doubling: null }
    }
    played += trials
    kept.set(current, played)
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
  return { opened, ui, rollout, rollouts: new ErrorRollouts(opened, rollout, ui) }
}

test('the errors are rolled out one after the other, the largest first, on the board', async () => {
  const { opened, ui, rollout, rollouts } = ofTwoErrors()
  opened.hints = false
  const shown: unknown[] = []
  beforeResponse = () => played === 2 && shown.push([ui.past?.id, opened.isHidden, rollouts.progress])
  await rollouts.start()
  expect(shown).toEqual([
    ['b', false, { at: 1, of: 2 }],
    ['a', false, { at: 2, of: 2 }],
  ])
  // Other decisions stay hidden, and the next error has the columns of the rollout.
  expect([opened.hints, opened.hides(0, { turn: 2, doubling: false }), ui.columns]).toEqual([
    false,
    true,
    'rollout',
  ])
  const begin = { id: 'b', plays: ['13/9', '8/5 6/5'], cubeless: false }
  expect(ask.mock.calls[0]).toEqual(['rollOut', expect.objectContaining(begin)])
  expect([rollout.resultOf('a')?.trials, rollout.resultOf('b')?.trials, rollouts.progress]).toEqual([
    36,
    36,
    null,
  ])
})

test('a stop, the selection of another decision or a quiz during the last request ends the rollouts', async () => {
  const ends = [
    ({ rollouts }: ReturnType<typeof ofTwoErrors>) => rollouts.stop(),
    ({ opened }: ReturnType<typeof ofTwoErrors>) => opened.select(0, { turn: 2, doubling: false }),
    ({ opened }: ReturnType<typeof ofTwoErrors>) => (opened.hiddenByQuiz = true),
  ]
  for (const end of ends) {
    ask.mockClear()
    kept = new Map()
    const all = ofTwoErrors()
    beforeResponse = () => played === 36 && end(all)
    await all.rollouts.start()
    expect([begun(), all.rollouts.progress]).toEqual([['b'], null])
    // The results are kept.
    expect(all.rollout.resultOf('b')?.trials).toBe(36)
  }
})

const undoubled = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10'
const offered = undoubled.replace(':00:', ':D:')
const equities = { no_double: 900, double_take: 1100, double_pass: 1000, best: '', probabilities: [] }
const replied = (action: 'double' | 'take' | 'pass', error: number) => ({
  ...rated(action === 'double' ? undoubled : offered, error),
  ...{ action, player: action === 'double' ? 0 : 1, play: null, candidates: [], doubling: equities },
  ...(error > 0 ? {} : { mark: null, best: null }),
})

test('a wrong take is rolled out as the double, and smaller errors follow', async () => {
  const { opened, rollout, rollouts } = ofTwoErrors()
  const actions = [rated('a', 50), replied('double', 0), replied('take', 90), { ...rated('c', 40) }]
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  await rollouts.start()
  expect(begun()).toEqual([undoubled, 'a', 'c'])
  expect([rollout.resultOf(undoubled)?.trials, rollouts.open]).toEqual([36, []])
})

test('a decision that cannot be rolled out is skipped with a message', async () => {
  const { opened, rollouts } = ofTwoErrors()
  const impossible = { ...rated('b', 90), candidates: [], doubling: null }
  const actions = [rated('a', 50), impossible, rated('c', 40)]
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  const report = vi.spyOn(toasts, 'report').mockImplementation(() => {})
  await rollouts.start()
  expect([begun(), rollouts.open, report.mock.calls.length]).toEqual([
    ['a', 'c'],
    [impossible].map((action) => expect.objectContaining({ action })),
    1,
  ])
  expect(report.mock.calls[0]![0]).toBe('Ann: 8/5 6/5 was skipped.')
  report.mockRestore()
})

test('a failed rollout is skipped', async () => {
  const { rollouts } = ofTwoErrors()
  const error = vi.spyOn(toasts, 'error').mockImplementation(() => {})
  const respond = ask.getMockImplementation()!
  ask.mockImplementation(async (tool: string, args: { id: string }) => {
    if (tool === 'rollOut' && args.id === 'b') throw new Error('illegal')
    return respond(tool, args)
  })
  await rollouts.start()
  expect([begun(), error.mock.calls.length, rollouts.progress]).toEqual([['b', 'a'], 1, null])
  error.mockRestore()
})

test('a double and its reply are one position, and errors with enough trials of the play made are not rolled out again', async () => {
  const { opened, rollout, rollouts } = ofTwoErrors()
  const [double, pass] = [replied('double', 70), replied('pass', 60)]
  opened.analysis.analyzed = { games: [{ actions: [double, pass] }] } as unknown as AnalyzedMatch
  expect(rollouts.open.map(({ action }) => action.action)).toEqual(['double'])
  opened.analysis.analyzed = {
    games: [{ actions: [rated('a', 50), rated('b', 90)] }],
  } as unknown as AnalyzedMatch
  const [play, other] = [{ id: 'a', plays: ['13/9'], cubeless: false }, '8/5 6/5']
  await rollout.start({ ...play, id: 'b', played: other })
  await rollout.start({ ...play, played: null })
  expect(rollouts.open.map(({ action }) => action.position)).toEqual(['a'])
})

test('interrupted rollouts are continued with their trials', async () => {
  const { rollout, rollouts } = ofTwoErrors()
  beforeResponse = () => played === 20 && rollouts.stop()
  await rollouts.start()
  // Another rollout in the meantime.
  beforeResponse = () => {}
  await rollout.start({ id: 'z', plays: [], played: null, cubeless: false })
  ask.mockClear()
  await rollouts.start()
  expect([begun(), rollout.resultOf('b')?.trials, rollout.resultOf('a')?.trials]).toEqual([
    ['b', 'a'],
    36,
    36,
  ])
  const further = ask.mock.calls.filter(([tool]) => tool === 'rollFurther').length
  expect(further, 'requests of 2 trials').toBe((16 + 36) / 2)
})

test('doubling decisions without a mark are rolled out if they lose equity or are close', async () => {
  const { opened, ui, rollout, rollouts } = ofTwoErrors()
  const doubling = (no_double: number, double_take: number) => ({
    ...{ no_double, double_take, double_pass: 1000, best: '', probabilities: [] },
  })
  const missed = (position: string, some: object) => ({
    ...{ ...rated(position, 0), action: 'no double', play: null, best: null, mark: null, candidates: [] },
    ...some,
  })
  const actions = [
    missed('small', { error: 10, best: 'double', doubling: doubling(500, 510) }),
    rated('a', 50),
    missed('close', { doubling: doubling(500, 480) }),
    { ...rated('b', 0), mark: null, best: null },
    missed('far', { doubling: doubling(500, 400) }),
    { ...rated('c', 0), mark: null, best: null },
  ]
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  expect(rollouts.open.map(({ action }) => action.position)).toEqual(['a', 'small', 'close'])
  const shown: unknown[] = []
  beforeResponse = () => played === 2 && shown.push([ui.past?.id, opened.selected])
  await rollouts.start()
  expect(shown.slice(1)).toEqual([
    ['small', { turn: 0, doubling: true }],
    ['close', { turn: 1, doubling: true }],
  ])
  expect(rollout.resultOf('close')?.trials).toBe(36)
  opened.kind = 'play'
  expect(rollouts.open).toEqual([])
})

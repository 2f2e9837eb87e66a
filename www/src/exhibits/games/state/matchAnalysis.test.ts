import { beforeEach, expect, test, vi } from 'vitest'
import type { AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import { MatchAnalysis } from './matchAnalysis.svelte'

const ask = vi.hoisted(() => vi.fn())
const network = vi.hoisted(() => vi.fn())
const error = vi.hoisted(() => vi.fn())
vi.mock('../../../engine/page/tools', () => ({ tools: { ask } }))
vi.mock('../../shared/networks', () => ({ network, unreachable: { message: 'unreachable', hint: '' } }))
vi.mock('../../../state/toasts.svelte', () => ({ toasts: { error } }))

const match = (name: string) => ({ names: [name, 'Bob'], games: [] }) as unknown as PlayedMatch
/** Analysis of a game whose actions have the numbers from 1. */
const analyzed = (actions: number) =>
  ({ games: [{ actions: Array.from({ length: actions }, (_, i) => i + 1) }] }) as unknown as AnalyzedMatch
const step = (action: number) => ({ index: 0, game: { actions: [action] } })

/** Number of actions of the match that the worker has rated; the match has three. */
let rated = 0
/** Called before the response to a request for an action. */
let beforeResponse = () => {}

beforeEach(() => {
  vi.resetAllMocks()
  network.mockResolvedValue(Uint8Array.of(1))
  beforeResponse = () => {}
  ask.mockImplementation(async (tool: string) => {
    if (tool === 'analyzeMatch') return ((rated = 0), analyzed(0))
    if (tool === 'analysisText') return `${rated} actions`
    const answer = rated < 3 ? step(++rated) : null
    beforeResponse()
    return answer
  })
})

const started = () => ask.mock.calls.filter(([tool]) => tool === 'analyzeMatch').length

test('all actions are rated by the trained network', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  const running = analysis.start()
  expect(analysis.running).toBe(true)
  await running
  expect(ask.mock.calls[0]).toEqual([
    'analyzeMatch',
    { match: match('Ann'), checkpoint: Uint8Array.of(1), plies: 1 },
  ])
  expect([analysis.analyzed, analysis.complete, analysis.running]).toEqual([analyzed(3), true, false])
})

test('a stopped analysis keeps its results and is resumed', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  beforeResponse = () => rated === 2 && analysis.stop()
  await analysis.start()
  // The step that was in progress is not lost.
  expect([analysis.analyzed, analysis.complete, analysis.running]).toEqual([analyzed(2), false, false])
  beforeResponse = () => {}
  await analysis.start()
  expect([analysis.analyzed, analysis.complete, started()]).toEqual([analyzed(3), true, 1])
})

test('the analysis of the same match is kept, and that of another match is dropped', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  await analysis.start()
  analysis.show(match('Ann'))
  expect(analysis.complete).toBe(true)
  analysis.show(match('Eve'))
  expect([analysis.analyzed, analysis.complete]).toEqual([null, false])
  // Another match is opened while an action is rated.
  beforeResponse = () => analysis.show(match('Ann'))
  await analysis.start()
  expect([analysis.analyzed, analysis.running]).toEqual([null, false])
})

test('another search depth begins the analysis again', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  await analysis.start()
  analysis.select(1)
  expect(analysis.complete).toBe(true)
  analysis.select(2)
  expect([analysis.analyzed, analysis.complete]).toEqual([null, false])
  await analysis.start()
  expect([analysis.complete, started()]).toEqual([true, 2])
  expect(ask.mock.calls.filter(([tool]) => tool === 'analyzeMatch').at(-1)![1]).toMatchObject({ plies: 2 })
})

test('the analysis of the worker is exported as text, unless the worker has lost it', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  await analysis.start()
  await expect(analysis.text()).resolves.toBe('3 actions')
  ask.mockResolvedValueOnce(null)
  await expect(analysis.text()).rejects.toMatchObject({
    message: expect.stringMatching(/no longer in memory/) as string,
  })
})

test('a failure is shown, and the next start begins again', async () => {
  const analysis = new MatchAnalysis()
  analysis.show(match('Ann'))
  network.mockResolvedValueOnce(null)
  await analysis.start()
  expect(error).toHaveBeenLastCalledWith({ message: 'unreachable', hint: '' })
  beforeResponse = () => {
    throw new Error('failed')
  }
  await analysis.start()
  expect([analysis.running, analysis.complete]).toEqual([false, false])
  beforeResponse = () => {}
  await analysis.start()
  expect([analysis.complete, started()]).toEqual([true, 2])
})

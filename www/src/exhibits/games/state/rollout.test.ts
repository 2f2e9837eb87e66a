import { beforeEach, expect, test, vi } from 'vitest'
import { mostDecisive } from '../model/rolledActions'
import { Rollout, untilDecided } from './rollout.svelte'

const ask = vi.hoisted(() => vi.fn())
const network = vi.hoisted(() => vi.fn())
const error = vi.hoisted(() => vi.fn())
vi.mock('../../../engine/page/tools', () => ({ tools: { ask } }))
vi.mock('../../shared/networks', () => ({ network, unreachable: { message: 'unreachable', hint: '' } }))
vi.mock('../../../state/toasts.svelte', () => ({ toasts: { error } }))

const listed = ['8/5 6/5', '13/10', '24/20', '13/9', '6/2', '24/23']
const decision = (id: string, played: string | null = '24/23') => ({
  id,
  plays: listed,
  played,
  cubeless: false,
})

/** Trials of a start that are selected at first. */
const trialsPerStart = Number(new Rollout().perStart)

/** Number of trials of the last rollout of the worker, and of the others by their arguments. */
let played = 0
let kept = new Map<string, number>()
let current = ''
/** Equity loss of the second play and its standard error in the responses; null for responses without plays. */
let rival: { mean: number; error: number } | null = null
/** Called before the response to a request for trials. */
let beforeResponse = () => {}

beforeEach(() => {
  vi.resetAllMocks()
  network.mockResolvedValue(Uint8Array.of(1))
  beforeResponse = () => {}
  kept = new Map()
  rival = null
  ask.mockImplementation(async (tool: string, args: { trials: number; checkpoint?: unknown }) => {
    if (tool === 'rollOut') {
      current = JSON.stringify({ ...args, checkpoint: null })
      played = kept.get(current) ?? 0
      return result()
    }
    played += args.trials
    kept.set(current, played)
    const response = result()
    beforeResponse()
    return response
  })
})

const result = () => ({
  trials: played,
  plays: rival
    ? [
        { play: '8/5 6/5', loss: { mean: 0, error: 0 } },
        { play: '13/10', loss: rival },
      ]
    : [],
  doubling: null,
})

const started = () => ask.mock.calls.filter(([tool]) => tool === 'rollOut').map(([, args]) => args.id)

test('a rollout plays its trials with the trained network', async () => {
  const rollout = new Rollout()
  const running = rollout.start(decision('a'))
  expect(rollout.running).toBe(true)
  await running
  const plays = ['8/5 6/5', '13/10', '24/20', '13/9', '24/23']
  const args = { id: 'a', checkpoint: Uint8Array.of(1), plays, truncation: 7, cubeless: false }
  expect(ask.mock.calls[0]).toEqual(['rollOut', args])
  expect([rollout.running, rollout.resultOf('a')?.trials]).toEqual([false, trialsPerStart])
  expect([rollout.resultOf('b'), rollout.resultOf(null)]).toEqual([null, null])
})

test('a complete rollout is continued, also after the rollout of another position', async () => {
  const rollout = new Rollout()
  await rollout.start(decision('a'))
  await rollout.start(decision('a'))
  expect([rollout.resultOf('a')?.trials, rollout.wanted]).toEqual([2 * trialsPerStart, 2 * trialsPerStart])
  await rollout.start(decision('b'))
  expect(rollout.resultOf('b')?.trials).toBe(trialsPerStart)
  expect(rollout.resultOf('a')?.trials, 'the estimates of the first position').toBe(2 * trialsPerStart)
  await rollout.start(decision('a'))
  expect([rollout.resultOf('a')?.trials, started()]).toEqual([3 * trialsPerStart, ['a', 'b', 'a']])
})

test('a rollout that the worker has dropped keeps its estimates until further trials exceed them', async () => {
  const rollout = new Rollout()
  await rollout.start(decision('a'))
  await rollout.start(decision('b'))
  kept = new Map()
  const shown = new Set<unknown>()
  beforeResponse = () => void shown.add(rollout.resultOf('a')?.trials)
  const running = rollout.start(decision('a'))
  expect([rollout.isHeld(decision('a')), rollout.wanted]).toEqual([true, 2 * trialsPerStart])
  await running
  expect([...shown].slice(0, 2)).toEqual([trialsPerStart, trialsPerStart + 2])
  expect(rollout.resultOf('a')?.trials).toBe(2 * trialsPerStart)

  kept = new Map()
  beforeResponse = () => played === 10 && rollout.stop()
  await rollout.start(decision('b'))
  expect([rollout.resultOf('b')?.trials, rollout.running], 'after a stop').toEqual([trialsPerStart, false])
})

test('a rollout continues up to a multiple of the selected number of trials, also while it is in progress', async () => {
  const rollout = new Rollout()
  rollout.selectCount(36)
  await rollout.start(decision('a'))
  await rollout.start(decision('a'))
  rollout.selectCount(1296)
  expect(rollout.wanted, 'a selection starts nothing').toBe(72)
  await rollout.start(decision('a'))
  expect(rollout.resultOf('a')?.trials).toBe(1296)
  beforeResponse = () => played === 1300 && rollout.selectCount(36)
  await rollout.start(decision('a'))
  expect([rollout.resultOf('a')?.trials, started().length]).toEqual([1332, 1])
})

test('a play that is made or added afterwards is rolled out as well', async () => {
  const rollout = new Rollout()
  await rollout.start(decision('a', null))
  expect(rollout.playsOf(decision('a', null))).toEqual(listed.slice(0, 4))
  await rollout.start(decision('a', '24/23'))
  expect([rollout.wanted, started(), rollout.playsOf(decision('a')).at(-1)]).toEqual([
    trialsPerStart,
    ['a', 'a'],
    '24/23',
  ])
  // The order of the table has changed; the plays of the rollout stay.
  await rollout.start({ ...decision('a', '24/23'), plays: listed.toReversed() })
  expect([rollout.wanted, started().length]).toEqual([2 * trialsPerStart, 2])
  await rollout.start(decision('a', '24/23'), ['6/2'])
  expect([rollout.playsOf(decision('a')).includes('6/2'), started().length]).toEqual([true, 3])
  await rollout.start(decision('b', null))
  expect(rollout.playsOf(decision('b', null)), 'of another position').toEqual(listed.slice(0, 4))
})

test('the native command has the same plays and trials', async () => {
  const rollout = new Rollout()
  expect(rollout.commandOf({ ...decision('XGID=a', null), plays: ['8/5 6/5'] })).toBe(
    'vivarium rollout XGID=a --trials 360 --truncate 7 --play "8/5 6/5"',
  )
  rollout.select(null)
  const beforeRoll = { ...decision('a:b', null), plays: [] }
  expect(rollout.commandOf(beforeRoll)).toBe('vivarium rollout a:b --trials 360')
  await rollout.start({ ...decision('c', null), plays: ['13/10', '6/2'] }, ['6/2'])
  expect(rollout.commandOf({ ...decision('c', null), plays: ['6/2'] })).toContain(
    '--play "13/10" --play "6/2"',
  )
  await rollout.start({ ...decision('c', null), plays: ['13/10', '6/2'] })
  expect(rollout.commandOf(decision('c', null)), 'after more trials').toContain('--trials 720')
})

test('the trials of other settings or plays count neither as complete nor for the native command', async () => {
  const rollout = new Rollout()
  await rollout.start(decision('a', null))
  await rollout.start(decision('a', null))
  await rollout.start(decision('b', null))
  const isComplete = (some = {}) => rollout.isComplete({ ...decision('a', null), ...some })
  expect([isComplete(), isComplete({ played: '6/2' }), isComplete({ cubeless: true })]).toEqual([
    true,
    false,
    false,
  ])
  expect(rollout.commandOf(decision('a', null))).toContain('--trials 720')
  expect(rollout.commandOf(decision('a', '6/2')), 'with another play').toContain('--trials 360')
  rollout.select(null)
  expect(isComplete()).toBe(false)
  expect(rollout.commandOf(decision('a', null))).toContain('--trials 360')
})

test('a stopped rollout keeps its estimates and is resumed', async () => {
  const rollout = new Rollout()
  beforeResponse = () => played === 10 && rollout.stop()
  await rollout.start(decision('a'))
  // The trials that were in progress are not lost.
  expect([rollout.running, rollout.resultOf('a')?.trials]).toEqual([false, 10])
  beforeResponse = () => {}
  await rollout.start(decision('a'))
  expect([rollout.resultOf('a')?.trials, started()]).toEqual([trialsPerStart, ['a']])
})

test('the number of trials that is selected after a stop counts', async () => {
  const rollout = new Rollout()
  beforeResponse = () => played === 10 && rollout.stop()
  await rollout.start(decision('a'))
  rollout.selectCount(1296)
  beforeResponse = () => {}
  await rollout.start(decision('a'))
  expect([rollout.resultOf('a')?.trials, started().length]).toEqual([1296, 1])
})

test('the number of trials that is selected after a stop is shown, unless the rollout has decided', async () => {
  const rollout = new Rollout()
  rollout.selectCount(5184)
  beforeResponse = () => played === 100 && rollout.stop()
  await rollout.start(decision('a', null))
  rollout.selectCount(36)
  expect(rollout.wantedOf(decision('a', null))).toBe(108)
  expect(rollout.commandOf(decision('a', null))).toContain('--trials 108')
  rival = { mean: 0.5, error: 0.01 }
  rollout.selectCount(5184)
  beforeResponse = () => played === 288 && rollout.stop()
  await rollout.start(decision('a', null))
  rollout.selectCount(untilDecided)
  expect([rollout.isDecided(decision('a', null)), rollout.wantedOf(decision('a', null))]).toEqual([true, 288])
  expect(rollout.commandOf(decision('a', null))).toContain('--trials 288')
  rollout.selectCount(360)
  expect(rollout.wantedOf(decision('a', null))).toBe(360)
})

test('another end of the trials, or another position during a request, drops the estimates', async () => {
  const rollout = new Rollout()
  await rollout.start(decision('a'))
  rollout.select(7)
  expect(rollout.resultOf('a')).not.toBeNull()
  rollout.select(null)
  expect([rollout.resultOf('a'), rollout.wanted]).toEqual([null, 0])

  let next: Promise<unknown> = Promise.resolve()
  let isNext = false
  beforeResponse = () => {
    if (isNext || played !== 10) return
    isNext = true
    next = rollout.start(decision('b'))
  }
  await rollout.start(decision('a'))
  expect(rollout.resultOf('b')?.trials ?? null, 'of the request that was in progress').not.toBe(10)
  await next
  expect(rollout.resultOf('b')?.trials).toBe(trialsPerStart)
  expect(ask.mock.calls.filter(([tool]) => tool === 'rollOut').at(-1)![1].truncation).toBeNull()
})

test('a failure is shown, and the next start begins again', async () => {
  const rollout = new Rollout()
  network.mockResolvedValueOnce(null)
  await rollout.start(decision('a'))
  expect(error.mock.calls[0]![0]).toMatchObject({ message: 'unreachable' })
  ask.mockRejectedValueOnce(new Error('not a position'))
  await rollout.start(decision('a'))
  expect(error).toHaveBeenCalledTimes(2)
  expect([rollout.running, rollout.resultOf('a')]).toEqual([false, null])
  await rollout.start(decision('a'))
  expect(rollout.resultOf('a')?.trials).toBe(trialsPerStart)
  // A terminated worker has lost its rollouts; the page has their results.
  kept = new Map()
  ask.mockRejectedValueOnce(new Error('no longer in memory'))
  await rollout.start(decision('a'))
  expect([rollout.running, rollout.resultOf('a')?.trials]).toEqual([false, trialsPerStart])
  await rollout.start(decision('a'))
  expect(rollout.resultOf('a')?.trials).toBe(2 * trialsPerStart)
})

test('a rollout until a decision stops when the best play leads by 2.33 standard errors, or at the limit', async () => {
  const rollout = new Rollout()
  rollout.selectCount(untilDecided)
  rival = { mean: 0.02, error: 0.01 }
  beforeResponse = () => void (rival = { mean: 0.02, error: 0.1 / Math.sqrt(played + 2) })
  expect(rollout.commandOf(decision('a'))).toContain('--trials 5184')
  await rollout.start(decision('a', null))
  // 0.02 is 2.33 errors of 0.1 / √trials from 136 trials on; the smallest number is 144.
  expect([rollout.resultOf('a')?.trials, rollout.isComplete(decision('a', null))]).toEqual([144, true])
  expect(rollout.commandOf(decision('a', null)), 'the trials that were played').toContain('--trials 144')
  await rollout.start(decision('a', null))
  expect([rollout.resultOf('a')?.trials, started().length], 'nothing to decide').toEqual([144, 1])

  beforeResponse = () => void (rival = { mean: 0.02, error: 0.15 / Math.sqrt(played + 2) })
  await rollout.start(decision('b', null))
  expect(rollout.resultOf('b')?.trials).toBe(324)
  rival = { mean: 0, error: 0.01 }
  beforeResponse = () => {}
  await rollout.start(decision('c', null))
  expect([rollout.resultOf('c')?.trials, rollout.running]).toEqual([mostDecisive, false])
})

test('the choice of a rollout until a decision applies to a rollout in progress', async () => {
  const rollout = new Rollout()
  rival = { mean: 0.5, error: 0.01 }
  beforeResponse = () => played === 10 && rollout.selectCount(untilDecided)
  await rollout.start(decision('a', null))
  expect([rollout.resultOf('a')?.trials, rollout.wanted]).toEqual([144, 144])
})

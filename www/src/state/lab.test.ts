import { beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../tests/fixtures/fake-session'
import type { MetricRow } from '../engine/page/session'
import { get, type Config } from './config'

let session: FakeSession
let broken = false

vi.mock('../engine/page/start', () => ({
  startSession: async () => {
    if (broken) throw new Error('The worker could not be loaded.')
    return session
  },
}))

/** The store as a page that was just opened has it. */
async function fresh() {
  vi.resetModules()
  session = new FakeSession()
  const { Lab } = await import('./lab.svelte')
  const lab = new Lab()
  const { toasts } = await import('./toasts.svelte')
  await lab.start()
  const cartpole = lab.experiments.find((e) => e.name === 'cartpole')!
  expect(await lab.create('cartpole', cartpole.defaults as Config, 7)).toBe(true)
  return { lab, toasts, defaults: cartpole.defaults as Config }
}

describe('the lab', () => {
  beforeEach(() => void vi.useRealTimers())

  test('holds what it was given, and nothing else', async () => {
    const { lab, defaults } = await fresh()
    expect(lab.info?.name).toBe('cartpole')
    expect(lab.holds('cartpole', defaults, 7)).toBe(true)
    expect(lab.holds('cartpole', defaults, 8)).toBe(false)
    expect(lab.holds('pendulum', defaults, 7)).toBe(false)
    await lab.setLive('world.gravity', 3)
    expect(lab.holds('cartpole', defaults, 7)).toBe(false)
    expect(lab.settings).toEqual([{ path: 'world.gravity', value: 3 }])
  })

  test('that could not be started is started when it is asked for again', async () => {
    vi.resetModules()
    session = new FakeSession()
    const { Lab } = await import('./lab.svelte')
    const lab = new Lab()
    broken = true
    expect(await lab.start()).toBeNull()
    expect([lab.running, lab.failure]).toEqual(['failed', expect.any(Error)])
    broken = false
    lab.tryAgain()
    expect([lab.running, lab.failure]).toEqual(['starting', null])
    expect(await lab.start()).toBe(session)
    expect(lab.running).toBe('paused')
  })

  test('another world whose worker does not start leaves what runs as it is', async () => {
    const { lab, toasts } = await fresh()
    const { StartError } = await import('../engine/page/session')
    lab.exhibit = 'logic-ca'
    const create = session.create
    session.create = () => Promise.reject(new StartError({ message: 'It could not be loaded.', hint: '' }))
    expect(await lab.create('logic-ca', {}, 1)).toBe(false)
    expect([lab.info?.name, lab.failure, toasts.list]).toEqual(['cartpole', expect.any(StartError), []])
    session.create = create
    lab.tryAgain()
    expect([lab.attempts, lab.failure]).toEqual([1, null])
  })

  test('was solved where its curve says so, whatever is known of progress', async () => {
    const { lab } = await fresh()
    const row = (steps: number, value: number): MetricRow => ({ steps, values: [['return_mean', value]] })
    lab.progress = { ...lab.progress, steps: 115_000 }
    session.report([row(122_880, 470), row(131_072, 480), row(139_264, 500)])
    expect(lab.solved?.steps).toBe(131_072)
  })

  test('is not solved any more where it goes on from before that', async () => {
    const { lab } = await fresh()
    session.pace = 1
    while (!lab.solved) session.learn()
    const { steps } = lab.solved
    session.back(steps - 4096)
    expect(lab.solved).toBeNull()
    session.learn()
    expect(lab.solved).not.toBeNull()
    expect(lab.history.steps.filter((s) => s === steps)).toHaveLength(1)
  })

  test('is settled when what was asked for last is there', async () => {
    const { lab, defaults } = await fresh()
    const pendulum = lab.experiments.find((e) => e.name === 'pendulum')!
    void lab.create('pendulum', pendulum.defaults as Config, 7)
    void lab.create('cartpole', defaults, 8)
    expect(lab.holds('cartpole', defaults, 7)).toBe(true)
    await lab.settled()
    expect(lab.holds('cartpole', defaults, 8)).toBe(true)
  })

  test('begins with no speed of the run before, and an evaluation of that is none of its', async () => {
    const { lab, toasts, defaults } = await fresh()
    lab.play()
    session.learn()
    expect(lab.stepsPerSecond).toBeGreaterThan(0)
    const evaluation = lab.evaluate(100)
    await lab.create('cartpole', defaults, 8)
    expect(lab.stepsPerSecond).toBe(0)
    await evaluation
    expect([lab.evaluation, lab.evaluating, toasts.list]).toEqual([null, false, []])
    session.pause()
  })

  test('has no evaluation any more once a setting has changed that it was made with', async () => {
    const { lab } = await fresh()
    await lab.evaluate(100)
    expect(lab.evaluation).not.toBeNull()
    await lab.setLive('world.gravity', 3)
    expect(lab.evaluation).toBeNull()
    // Nor one that was under way meanwhile.
    const evaluation = lab.evaluate(100)
    await lab.setLive('world.gravity', 4)
    await evaluation
    expect(lab.evaluation).toBeNull()
  })

  test('goes on with a run that is over where its end can be put off, and says so where it cannot', async () => {
    const { lab, toasts } = await fresh()
    const logic = lab.experiments.find((e) => e.name === 'logic-ca')!
    expect(await lab.create('logic-ca', logic.defaults as Config, 1)).toBe(true)
    lab.progress = { steps: 2000, updates: 0, episodes: 0, total_steps: 2000 }
    await lab.play()
    expect(get(lab.config, 'learning.epochs')).toBe(3000)
    expect(lab.running).toBe('running')
    session.pause()
    const language = lab.experiments.find((e) => e.name === 'language')!
    expect(await lab.create('language', language.defaults as Config, 1)).toBe(true)
    lab.progress = { steps: 2000, updates: 0, episodes: 0, total_steps: 2000 }
    await lab.play()
    expect(lab.running).toBe('paused')
    expect(toasts.list.at(-1)?.message).toContain('end')
  })

  test('what is wrong with something typed is said beside it, in a sentence', async () => {
    const { lab } = await fresh()
    const { SessionError } = await import('../engine/page/session')
    const { Commands } = await import('../exhibits/shared/commands')
    const commands = new Commands(lab)
    const refused = (problem: object) => {
      session.command = () => Promise.reject(new SessionError({ message: '', hint: '', ...problem }))
      return commands.trial({ kind: 'apply', turns: '' })
    }
    const hint = 'What was running is untouched.'
    const id = 'the ID has 9 characters; 14 are needed'
    const position = { message: `position = garbage!!: ${id}`, hint, field: 'position', allowed: id }
    expect(await refused(position)).toBe('Position: the ID has 9 characters; 14 are needed.')
    const range = { message: 'sampling.top_k = a: b: from 1 to 99', hint, field: 'sampling.top_k' }
    expect(await refused({ ...range, allowed: 'from 1 to 99' })).toBe('Top k: from 1 to 99.')
    expect(await refused({ message: 'The text is gone', hint: 'Write another.' })).toBe(
      'The text is gone. Write another.',
    )
  })

  test('links to the run that there is', async () => {
    const { lab } = await fresh()
    expect(lab.addressOf('cartpole')).toBe('#/cartpole?seed=7')
    expect(lab.addressOf('pendulum')).toBe('#/pendulum')
  })

  test('says once when it was solved, and what that took', async () => {
    const { lab } = await fresh()
    session.pace = 1
    while (!lab.solved) session.learn()
    const first = lab.solved
    expect(lab.latest.return_mean).toBeGreaterThanOrEqual(475)
    expect(first.steps).toBe(lab.progress.steps)
    for (let i = 0; i < 20; i++) session.learn()
    expect(lab.solved).toBe(first)
  })

  test('that learns something else from now on has not learned that', async () => {
    const { lab } = await fresh()
    session.pace = 1
    while (!lab.solved) session.learn()
    await lab.evaluate(100)
    lab.aimAt([{ path: 'world.gravity', value: 3 }])
    expect([lab.solved, lab.evaluation]).toEqual([null, null])
    expect(get(lab.config, 'world.gravity')).toBe(3)
  })

  test('a file that is refused leaves the running experiment as it is', async () => {
    const { lab, toasts } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    const steps = lab.progress.steps
    expect(await lab.open(Uint8Array.of(1, 2, 3), 'notes.safetensors')).toBe(false)
    expect(lab.progress.steps).toBe(steps)
    expect(lab.history.length).toBe(5)
    expect(toasts.list.map((toast) => toast.kind)).toEqual(['error'])
    expect(toasts.list[0]!.hint).toContain('.safetensors')
  })

  test('a new run begins with an empty history', async () => {
    const { lab, defaults } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    await lab.evaluate(100)
    expect(lab.evaluation).toMatchObject({ kind: 'returns', episodes: 100 })
    await lab.create('cartpole', defaults, 8)
    expect([lab.history.length, lab.evaluation, lab.solved, lab.latest]).toEqual([0, null, null, {}])
  })

  test('moves to the GPU with its curves, and says why where it cannot', async () => {
    const { lab, toasts } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    await lab.useEngine('gpu')
    expect([lab.engine, lab.movingTo]).toEqual(['cpu', null])
    expect(toasts.list[0]!.message).toContain('no WebGPU')
    session.gpu = { status: 'ready', report: null, reason: '' }
    await lab.useEngine('gpu')
    expect([lab.engine, lab.history.length]).toEqual(['gpu', 5])
  })

  describe('with a GPU', () => {
    /** Tells three speeds, which are enough, and lets the run move. */
    async function report(stepsPerSecond: number) {
      for (let i = 0; i < 3; i++) session.runsAt(stepsPerSecond)
      await new Promise((done) => setTimeout(done))
    }

    test('goes on on the faster engine, in each run anew', async () => {
      const { lab, defaults } = await fresh()
      session.finds('A real one', false)
      await report(100)
      expect([lab.engine, lab.gpuFactor]).toEqual(['gpu', null])
      await report(600)
      expect([lab.engine, lab.gpuFactor, lab.movingTo]).toEqual(['gpu', 6, null])
      await lab.create('cartpole', defaults, 8)
      expect(lab.gpuFactor).toBeNull()
      await report(10)
      await report(100)
      expect([lab.engine, lab.gpuFactor]).toEqual(['cpu', 0.1])
      await report(1)
      expect(lab.engine).toBe('cpu')
    })

    test('leaves one that is a program to whoever chooses it', async () => {
      const { lab } = await fresh()
      session.finds('llvmpipe', true)
      await report(100)
      await report(100)
      expect([lab.engine, lab.gpuFactor]).toEqual(['cpu', null])
    })

    test('stays on the engine that somebody chose', async () => {
      const { lab } = await fresh()
      session.finds('A real one', false)
      await lab.useEngine('cpu')
      await report(100)
      expect(lab.engine).toBe('cpu')
    })

    test('stays without a word where a run cannot move by itself', async () => {
      const { lab, toasts } = await fresh()
      session.finds('A real one', false)
      session.useEngine = () => Promise.reject(new Error('It has no room.'))
      await report(100)
      await report(100)
      expect([lab.engine, lab.movingTo, toasts.list]).toEqual(['cpu', null, []])
    })
  })

  test('a speed holds for worlds of one kind, whose steps are alike', async () => {
    const { lab } = await fresh()
    lab.setSpeed(20)
    const begin = (name: string) =>
      lab.create(name, lab.experiments.find((e) => e.name === name)!.defaults as Config, 1)
    expect(await begin('pendulum')).toBe(true)
    expect(lab.speed).toBe(20)
    expect(await begin('logic-ca')).toBe(true)
    expect(lab.speed).toBe('max')
  })

  test('an unknown experiment is refused', async () => {
    const { lab, toasts } = await fresh()
    expect(await lab.create('cartpool', {}, 1)).toBe(false)
    expect(lab.info?.name).toBe('cartpole')
    expect(toasts.list[0]!.message).toContain('cartpool')
  })
})

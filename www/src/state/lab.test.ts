import { beforeEach, describe, expect, test, vi } from 'vitest'
import { checkpointOf } from '../../../tests/fixtures/checkpoint'
import { FakeSession } from '../../../tests/fixtures/fake-session'
import type { Family, MetricRow, ViewRequest } from '../engine/page/session'
import { get, type Config } from './config'

let session: FakeSession
/** The session that shows snapshots. */
let replay: FakeSession
let broken = false

vi.mock('../engine/page/start', () => ({
  startSession: async () => {
    if (broken) throw new Error('The worker could not be loaded.')
    return session
  },
  startReplay: async () => replay,
}))

/** Returns the lab of a new page. */
async function fresh() {
  vi.resetModules()
  session = new FakeSession()
  replay = new FakeSession()
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

  test('recognizes its current run by name, config and seed', async () => {
    const { lab, defaults } = await fresh()
    expect(lab.info?.name).toBe('cartpole')
    expect(lab.isCurrentRun('cartpole', defaults, 7)).toBe(true)
    expect(lab.isCurrentRun('cartpole', defaults, 8)).toBe(false)
    expect(lab.isCurrentRun('pendulum', defaults, 7)).toBe(false)
    await lab.setLive('world.gravity', 3)
    expect(lab.isCurrentRun('cartpole', defaults, 7)).toBe(false)
    expect(lab.settings).toEqual([{ path: 'world.gravity', value: 3 }])
  })

  test('describes an experiment of a family that its session has not loaded', async () => {
    const { lab } = await fresh()
    lab.experiments = lab.experiments.filter(({ world }) => world.kind === 'control')
    expect((await lab.describe('pendulum'))?.name).toBe('pendulum')
    expect((await lab.describe('cube2'))?.world.kind).toBe('cube')
    expect([await lab.describe('chess'), lab.failure]).toEqual([null, null])
  })

  test('describes an experiment although files of other families are missing', async () => {
    vi.doMock('../engine/page/experiments', async (original) => {
      const { loadExperiments } = await original<typeof import('../engine/page/experiments')>()
      return {
        loadExperiments: async (family?: Family) => {
          if (family !== 'cube') throw new Error('missing')
          return loadExperiments(family)
        },
      }
    })
    const { lab } = await fresh()
    vi.doUnmock('../engine/page/experiments')
    lab.experiments = []
    expect((await lab.describe('cube2'))?.name).toBe('cube2')
    expect([await lab.describe('chess'), lab.failure]).toEqual([null, null])
    expect([await lab.describe('pendulum'), lab.failure]).toEqual([null, expect.any(Error)])
  })

  test('can be started again after a failure', async () => {
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

  test('a worker that does not start leaves the current run unchanged', async () => {
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

  test('records the steps of the metric row that reaches the goal', async () => {
    const { lab } = await fresh()
    const row = (steps: number, value: number): MetricRow => ({ steps, values: [['return_mean', value]] })
    lab.progress = { ...lab.progress, steps: 115_000 }
    session.report([row(122_880, 470), row(131_072, 480), row(139_264, 500)])
    expect(lab.solved?.steps).toBe(131_072)
  })

  test('records the training time of each metric row, without pauses, also of single steps', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { lab } = await fresh()
    const report = (steps: number) => session.report([{ steps, values: [['return_mean', 1]] }])
    vi.spyOn(session, 'step').mockImplementation(() => {
      vi.advanceTimersByTime(2000)
      report(4096)
      session.emit('stepped', null)
    })
    lab.step('update')
    vi.advanceTimersByTime(5000)
    session.emit('state', 'running')
    vi.advanceTimersByTime(3000)
    report(40_960)
    expect(lab.history.column('elapsed')).toEqual([2, 5])
  })

  test('records the conditions under which a run has trained', async () => {
    const { lab } = await fresh()
    const cpu = { engine: 'cpu', threads: lab.capabilities!.chosen.threads, isBeside: false }
    session.learn()
    session.learn()
    expect(lab.pageState.trainedOn).toEqual([cpu])
    lab.isPaired = true
    session.learn()
    expect(lab.trainedOn).toEqual([cpu, { ...cpu, isBeside: true }])
    // Files of earlier versions have no conditions.
    const { trainedOn: _, ...earlier } = lab.pageState
    const bytes = await session.save()
    await lab.restore(async () => ({ bytes, pageState: earlier, id: 'a' }))
    session.learn()
    expect(lab.trainedOn).toBeNull()
    await lab.create('cartpole', lab.config, 9)
    expect(lab.trainedOn).toEqual([])
  })

  test('says at which step the stop of its pace has paused it, until it trains on', async () => {
    const { lab } = await fresh()
    lab.pace.stopAt(10_000)
    lab.session!.play()
    while (lab.stoppedAt === null) session.learn()
    expect([lab.progress.steps, lab.stoppedAt]).toEqual([12_288, 12_288])
    // A run that has these steps already trains on, and a pause by the visitor is no stop.
    lab.session!.play()
    expect(lab.stoppedAt).toBeNull()
    session.learn()
    lab.pause()
    expect([lab.progress.steps, lab.stoppedAt]).toEqual([16_384, null])
    // The next run stops again.
    await lab.create('cartpole', lab.config, 9)
    lab.session!.play()
    while (lab.stoppedAt === null) session.learn()
    expect(lab.stoppedAt).toBe(12_288)
  })

  test('requests frames until the request is withdrawn, and only on screen', async () => {
    const { lab } = await fresh()
    const view = vi.spyOn(session, 'view')
    const asked = () => {
      const kinds = view.mock.calls.map(([view]) => view?.kind ?? null)
      view.mockClear()
      return kinds
    }
    const first: ViewRequest = { kind: 'cube', documents: true, map: true, thumbnails: 0 }
    const second: ViewRequest = { kind: 'language', documents: true, attention: null, embeddings: false }
    const [withdrawFirst, withdrawSecond] = [lab.view(first), lab.view(second)]
    expect(asked()).toEqual(['cube', 'language'])
    withdrawFirst()
    expect(asked()).toEqual([])
    lab.setOnScreen(false)
    expect(asked()).toEqual([null])
    lab.view(first)
    withdrawSecond()
    expect(asked()).toEqual([null])
    lab.setOnScreen(true)
    expect(asked()).toEqual(['cube'])
    lab.withdraw(first)
    expect(asked()).toEqual([null])
  })

  test('is not solved if resumed from an earlier state', async () => {
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

  test('keeps when it was first solved if the environment is changed, and marks no change to the same value', async () => {
    const { lab } = await fresh()
    const report = (steps: number, value: number) => {
      lab.progress = { ...lab.progress, steps }
      session.report([{ steps, values: [['return_mean', value]] }])
    }
    report(1000, 500)
    expect(lab.solved?.steps).toBe(1000)
    // A later low return (noise) and a change of the learner do not clear `solved`.
    await lab.setLive('ppo.learning_rate', 0.001)
    report(2000, 400)
    expect(lab.solved?.steps).toBe(1000)
    expect([lab.isSolvedBeforeChange, lab.precedesChange]).toEqual([false, false])
    await lab.setLive('world.gravity', 30)
    expect([lab.isSolvedBeforeChange, lab.precedesChange]).toEqual([true, true])
    report(3000, 480)
    expect([lab.isSolvedBeforeChange, lab.precedesChange]).toEqual([true, false])
    expect(lab.solved?.steps).toBe(1000)
    report(4000, 200)
    report(9000, 490)
    await lab.setLive('world.gravity', 30)
    expect([lab.solved?.steps, lab.isSolvedBeforeChange, lab.changedAt]).toEqual([1000, true, 2000])
    expect(lab.changes).toEqual([
      { steps: 1000, path: 'ppo.learning_rate', text: 'Learning rate 0.001', before: 0.0025 },
      { steps: 2000, path: 'world.gravity', text: 'Gravity 30', before: 9.8 },
    ])
    expect(lab.pageState.changes).toEqual(lab.changes)
    session.back(1500)
    expect(lab.changes.map(({ steps }) => steps)).toEqual([1000])
  })

  test('stores a replaced run without settings that no step has used', async () => {
    const { lab, defaults } = await fresh()
    const stored: [Config, number][] = []
    lab.runStorage = {
      ...{ changed: () => {}, checkpoint: () => {}, snapshots: () => null },
      beforeReplace: async () => {
        stored.push([lab.config, lab.changes.length])
        return () => {}
      },
    } as unknown as typeof lab.runStorage
    lab.progress = { ...lab.progress, steps: 1000 }
    await lab.setLive('world.gravity', 3)
    lab.progress = { ...lab.progress, steps: 2000 }
    await lab.setLive('ppo.learning_rate', 0.001)
    await lab.setLive('world.force', 20)
    await lab.create('cartpole', lab.config, 7)
    const [[config, changes]] = stored as [[Config, number]]
    expect(['world.gravity', 'ppo.learning_rate', 'world.force'].map((path) => get(config, path))).toEqual([
      3,
      get(defaults, 'ppo.learning_rate'),
      get(defaults, 'world.force'),
    ])
    expect(changes).toBe(1)
    // The new run has all settings.
    expect([get(lab.config, 'ppo.learning_rate'), get(lab.config, 'world.force')]).toEqual([0.001, 20])
  })

  test('keeps the settings of its run if the run cannot be replaced', async () => {
    const { lab, defaults } = await fresh()
    lab.progress = { ...lab.progress, steps: 1000 }
    await lab.setLive('world.gravity', 3)
    session.create = () => Promise.reject(new Error('The settings contradict each other.'))
    expect(await lab.create('cartpole', defaults, 8)).toBe(false)
    expect([get(lab.config, 'world.gravity'), lab.changes.length]).toEqual([3, 1])
  })

  test('is settled when the last replacement is done', async () => {
    const { lab, defaults } = await fresh()
    const pendulum = lab.experiments.find((e) => e.name === 'pendulum')!
    void lab.create('pendulum', pendulum.defaults as Config, 7)
    void lab.create('cartpole', defaults, 8)
    expect(lab.isCurrentRun('cartpole', defaults, 7)).toBe(true)
    await lab.settled()
    expect(lab.isCurrentRun('cartpole', defaults, 8)).toBe(true)
  })

  test('starts without the speed and the evaluation of the previous run', async () => {
    const { lab, toasts, defaults } = await fresh()
    void lab.play()
    session.learn()
    expect(lab.stepsPerSecond).toBeGreaterThan(0)
    const evaluation = lab.evaluate(100)
    await lab.create('cartpole', defaults, 8)
    expect(lab.stepsPerSecond).toBe(0)
    await evaluation
    expect([lab.evaluation, lab.evaluating, toasts.list]).toEqual([null, false, []])
    session.pause()
  })

  test('drops the evaluation when a setting changes', async () => {
    const { lab } = await fresh()
    await lab.evaluate(100)
    expect(lab.evaluation).not.toBeNull()
    await lab.setLive('world.gravity', 3)
    expect(lab.evaluation).toBeNull()
    // An evaluation in progress is discarded too.
    const evaluation = lab.evaluate(100)
    await lab.setLive('world.gravity', 4)
    await evaluation
    expect(lab.evaluation).toBeNull()
  })

  test('counts the steps that opened weights were trained for before', async () => {
    const { lab } = await fresh()
    const text = JSON.stringify({ __metadata__: { vivarium: JSON.stringify({ steps: 5000 }) } })
    const bytes = new Uint8Array(8 + text.length)
    new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true)
    bytes.set(new TextEncoder().encode(text), 8)
    const progress = { steps: 0, updates: 0, episodes: 0, total_steps: null }
    session.open = async () => ({ name: 'cartpole', config: lab.config, seed: 1, progress })
    expect(await lab.open(bytes, 'weights.safetensors')).toBe(true)
    expect([lab.earlierSteps, lab.pageState.earlierSteps]).toEqual([5000, 5000])
    session.open = async () => ({
      name: 'cartpole',
      config: lab.config,
      seed: 1,
      progress: { ...progress, steps: 5000 },
    })
    expect(await lab.open(bytes, 'checkpoint.safetensors')).toBe(true)
    expect(lab.earlierSteps).toBe(0)
  })

  test('extends a finished run if possible, and reports it if not', async () => {
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
    expect(toasts.list.at(-1)?.message).toContain('complete')
  })

  test('errors of typed values are sentences', async () => {
    const { lab } = await fresh()
    const { SessionError } = await import('../engine/page/session')
    const { Commands } = await import('./session-commands')
    const commands = new Commands(lab)
    const refused = (problem: object) => {
      session.command = () => Promise.reject(new SessionError({ message: '', hint: '', ...problem }))
      return commands.trial({ kind: 'apply', turns: '', by: 'person' })
    }
    const hint = 'The current run is unchanged.'
    const id = 'the ID has 9 characters; 14 are needed'
    const invalid = (field: string, allowed: string) => ({ cause: { code: 'invalid', field, allowed } })
    const position = { message: `position = garbage!!: ${id}`, hint, ...invalid('position', id) }
    expect(await refused(position)).toBe('Position: the ID has 9 characters; 14 are needed.')
    const range = { message: 'sampling.top_k = a: b: from 1 to 99', hint }
    expect(await refused({ ...range, ...invalid('sampling.top_k', 'from 1 to 99') })).toBe(
      'Top k: from 1 to 99.',
    )
    expect(await refused({ message: 'The text is gone', hint: 'Write another.' })).toBe(
      'The text is gone. Write another.',
    )
  })

  test('links to the current run', async () => {
    const { lab } = await fresh()
    expect(lab.addressOf('cartpole')).toBe('#/cartpole?seed=7')
    expect(lab.addressOf('pendulum')).toBe('#/pendulum')
    expect(lab.addressOf('logic-ca')).toBe('#/logic-ca?preset=checkerboard-small')
  })

  test('records once when the run was solved', async () => {
    const { lab } = await fresh()
    session.pace = 1
    while (!lab.solved) session.learn()
    const first = lab.solved
    expect(lab.latest.return_mean).toBeGreaterThanOrEqual(475)
    expect(first.steps).toBe(lab.progress.steps)
    for (let i = 0; i < 20; i++) session.learn()
    expect(lab.solved).toBe(first)
  })

  test('resets the goal when the task changes', async () => {
    const { lab } = await fresh()
    session.pace = 1
    while (!lab.solved) session.learn()
    await lab.evaluate(100)
    lab.applySettings([{ path: 'world.gravity', value: 3 }])
    expect([lab.solved, lab.evaluation]).toEqual([null, null])
    expect(get(lab.config, 'world.gravity')).toBe(3)
  })

  test('a rejected file leaves the current experiment unchanged', async () => {
    const { lab, toasts } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    const steps = lab.progress.steps
    expect(await lab.open(Uint8Array.of(1, 2, 3), 'notes.safetensors')).toBe(false)
    expect(lab.progress.steps).toBe(steps)
    expect(lab.history.length).toBe(5)
    expect(toasts.list.map((toast) => toast.kind)).toEqual(['error'])
    expect(toasts.list[0]!.hint).toContain('.safetensors')
  })

  test('a new run starts with an empty history', async () => {
    const { lab, defaults } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    await lab.evaluate(100)
    expect(lab.evaluation).toMatchObject({ kind: 'returns', episodes: 100 })
    await lab.create('cartpole', defaults, 8)
    expect([lab.history.length, lab.evaluation, lab.solved, lab.latest]).toEqual([0, null, null, {}])
  })

  test('moves to the GPU with its curves, and reports why if it cannot', async () => {
    const { lab, toasts } = await fresh()
    for (let i = 0; i < 5; i++) session.learn()
    await lab.useEngine('gpu')
    expect([lab.engine, lab.movingTo]).toEqual(['cpu', null])
    expect(toasts.list[0]!.message).toContain('does not support WebGPU')
    session.gpu = { status: 'ready', report: null, reason: '' }
    await lab.useEngine('gpu')
    expect([lab.engine, lab.history.length]).toEqual(['gpu', 5])
  })

  describe('with a GPU', () => {
    /** Reports three speeds, which complete a trial, and waits for the move. */
    async function report(stepsPerSecond: number) {
      for (let i = 0; i < 3; i++) session.runsAt(stepsPerSecond)
      await new Promise((done) => setTimeout(done))
    }

    test('continues on the faster engine, with a trial in each run', async () => {
      const { lab, defaults } = await fresh()
      session.finds('A real one', false)
      await report(100)
      expect([lab.engine, lab.gpuSpeedup]).toEqual(['gpu', null])
      await report(600)
      expect([lab.engine, lab.gpuSpeedup, lab.movingTo]).toEqual(['gpu', 6, null])
      await lab.create('cartpole', defaults, 8)
      expect(lab.gpuSpeedup).toBeNull()
      await report(10)
      await report(100)
      expect([lab.engine, lab.gpuSpeedup]).toEqual(['cpu', 0.1])
      await report(1)
      expect(lab.engine).toBe('cpu')
    })

    test('does not use a software GPU automatically', async () => {
      const { lab } = await fresh()
      session.finds('llvmpipe', true)
      await report(100)
      await report(100)
      expect([lab.engine, lab.gpuSpeedup]).toEqual(['cpu', null])
    })

    test('stays on the engine chosen by the user', async () => {
      const { lab } = await fresh()
      session.finds('A real one', false)
      await lab.useEngine('cpu')
      await report(100)
      expect(lab.engine).toBe('cpu')
    })

    test('stays on its engine beside a second run', async () => {
      const { lab } = await fresh()
      session.finds('A real one', false)
      lab.keepEngine()
      await report(100)
      expect(lab.engine).toBe('cpu')
    })

    test('stays silently if the automatic move fails', async () => {
      const { lab, toasts } = await fresh()
      session.finds('A real one', false)
      session.useEngine = () => Promise.reject(new Error('Out of memory.'))
      await report(100)
      await report(100)
      expect([lab.engine, lab.movingTo, toasts.list]).toEqual(['cpu', null, []])
    })
  })

  test('a speed limit applies to environments of one family', async () => {
    const { lab } = await fresh()
    lab.pace.set(20)
    const begin = (name: string) =>
      lab.create(name, lab.experiments.find((e) => e.name === name)!.defaults as Config, 1)
    expect(await begin('pendulum')).toBe(true)
    expect(lab.pace.speed).toBe(20)
    expect(await begin('logic-ca')).toBe(true)
    expect(lab.pace.speed).toBe('max')
  })

  test('a stop applies to the runs of an experiment, also after a restart in the slow opening', async () => {
    const { lab } = await fresh()
    lab.stopOf = (name) => (name === 'pendulum' ? 8000 : null)
    lab.pace.stopAt(50_000)
    lab.pace.open([20, 'max'])
    const begin = (name: string) =>
      lab.create(name, lab.experiments.find((e) => e.name === name)!.defaults as Config, 1)
    await begin('cartpole')
    expect([lab.pace.speed, lab.pace.stop]).toEqual(['max', 50_000])
    await begin('pendulum')
    expect(lab.pace.stop).toBe(8000)
    await begin('cartpole')
    expect(lab.pace.stop).toBeNull()
  })

  /** Shows a snapshot of the run. */
  async function showSnapshot(lab: Awaited<ReturnType<typeof fresh>>['lab']) {
    replay.openSnapshot = async () => replay.create('cartpole', {}, 7)
    await lab.timeline.add(checkpointOf({ experiment: 'cartpole', steps: 0 }))
    await lab.timeline.show(0)
    expect(lab.viewed).toBe(replay)
  }

  test('the pace applies to the session of snapshots, in the present too', async () => {
    const { lab } = await fresh()
    await showSnapshot(lab)
    lab.timeline.present()
    const setSpeed = vi.spyOn(replay, 'setSpeed')
    lab.pace.set(20)
    expect(setSpeed).toHaveBeenLastCalledWith(20)
  })

  test('another speed limit is sent once with another run', async () => {
    const { lab } = await fresh()
    lab.pace.set(20)
    const setSpeed = vi.spyOn(session, 'setSpeed')
    const logic = lab.experiments.find((e) => e.name === 'logic-ca')!
    expect(await lab.create('logic-ca', logic.defaults as Config, 1)).toBe(true)
    expect(setSpeed.mock.calls).toEqual([['max']])
  })

  test('a player is opened in the present', async () => {
    const { lab } = await fresh()
    await showSnapshot(lab)
    const { Commands } = await import('./session-commands')
    const opened = vi.spyOn(session, 'openPlayer')
    expect(await new Commands(lab).openPlayer(Uint8Array.of(1))).toBe(true)
    expect(opened).toHaveBeenCalledTimes(1)
    expect(lab.viewed).toBe(session)
  })

  test('takes no step during a move to another engine', async () => {
    const { lab } = await fresh()
    const step = vi.spyOn(session, 'step')
    lab.movingTo = 'gpu'
    lab.step('update')
    expect([step.mock.calls, lab.single.busy]).toEqual([[], false])
    lab.movingTo = null
    lab.step('update')
    expect([step.mock.calls, lab.single.busy]).toEqual([[['update']], false])
  })

  test('an unknown experiment is rejected', async () => {
    const { lab, toasts } = await fresh()
    expect(await lab.create('cartpool', {}, 1)).toBe(false)
    expect(lab.info?.name).toBe('cartpole')
    expect(toasts.list[0]!.message).toContain('cartpool')
  })

  test('a disposed lab ends its session and reports no error of a pending request', async () => {
    const { lab, toasts } = await fresh()
    const ended = vi.spyOn(session, 'dispose')
    vi.spyOn(session, 'create').mockRejectedValue(new Error('The session was closed.'))
    const creating = lab.create('cartpole', {}, 2)
    lab.dispose()
    expect(await creating).toBe(false)
    expect(ended).toHaveBeenCalledTimes(1)
    expect(toasts.list).toEqual([])
  })

  test('a lab that is disposed while it starts ends the session and leaves no listener', async () => {
    const listening = new Set<unknown>()
    vi.stubGlobal('document', {
      addEventListener: (_: string, listener: unknown) => listening.add(listener),
      removeEventListener: (_: string, listener: unknown) => listening.delete(listener),
    })
    vi.resetModules()
    session = new FakeSession()
    const { Lab } = await import('./lab.svelte')
    const ended = vi.spyOn(session, 'dispose')
    const lab = new Lab()
    const starting = lab.start()
    lab.dispose()
    await starting
    await Promise.resolve()
    expect(ended).toHaveBeenCalledTimes(1)
    expect(listening.size).toBe(0)
    vi.unstubAllGlobals()
  })
})

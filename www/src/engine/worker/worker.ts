// The training worker: holds the wasm session, works in short slices, and hears the page between two of them.
import { adapterName } from '../shared/adapter'
import { Loop } from './loop'
import { loadModule, type Module, type WasmSession } from '../shared/modules'
import type { GpuReport, OpenedRun, Problem, Progress, ThrownProblem, ViewRequest } from '../../protocol/types'
import type { Frame } from '../../protocol/module'
import type { Down, Request, Requests, Up } from '../shared/messages'

let session: WasmSession | null = null

const post = (up: Up, transfer: Transferable[] = []): void => self.postMessage(up, { transfer })

const loop = new Loop({
  advance: (milliseconds) => session!.advance(milliseconds),
  waits: () => session!.waits(),
  report,
  speed: (stepsPerSecond) => post({ kind: 'speed', stepsPerSecond }),
  checkpoint: () => sendBytes(session!.pack()),
  stopped: (error) => {
    if (error !== null && session!.hasLeftGpu()) return leftGpu()
    const fault = error !== null && session!.fault()
    if (fault) return lost(fault)
    post({ kind: 'stopped', problem: error === null ? null : orBreak(error) })
  },
})

function report(): Progress {
  const rows = session!.takeMetrics()
  if (rows.length > 0) post({ kind: 'metrics', rows })
  const progress = session!.progress()
  post({ kind: 'progress', progress })
  return progress
}

/** The page goes on on the processor, as planned. */
function leftGpu(): void {
  report()
  const bytes = session!.pack()
  session!.close()
  post({ kind: 'leftGpu', bytes }, [bytes.buffer])
}

/** The page goes on elsewhere, with what was read back last. */
function lost(problem: Problem): void {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  try {
    bytes = session!.pack()
    const rows = session!.takeMetrics()
    // The experiment's own report of it is among its metrics.
    const said = rows.findLast(({ notice }) => notice)?.notice
    if (said) problem = { ...problem, message: said, hint: '' }
    post({ kind: 'metrics', rows: rows.filter(({ notice }) => !notice) })
  } catch {
    // There was no experiment; the page has older copies, too.
  }
  post({ kind: 'lost', problem, bytes }, bytes ? [bytes.buffer] : [])
}

function sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
  post({ kind: 'checkpoint', bytes }, [bytes.buffer])
}

/**
 * The problem to report for an exception: a session tags the problems that it throws. Any other exception is a broken module,
 * whose memory cannot be trusted from here on.
 */
function orBreak(error: unknown): Problem {
  if (isThrownProblem(error)) return error.problem
  const message = error instanceof Error ? error.message : String(error)
  const problem = { message: `The training module broke down: ${message}`, hint: '' }
  loop.pause()
  post({ kind: 'broken', problem })
  return problem
}

const isThrownProblem = (error: unknown): error is ThrownProblem =>
  typeof error === 'object' && error !== null && 'problem' in error

async function boot({
  family,
  module,
  threads,
  panics,
}: Requests['boot']['asks']): Promise<GpuReport | null> {
  const loaded: Module = await loadModule(family, module)
  await loaded.default()
  loaded.start(panics)
  if (threads > 1) await loaded.initThreadPool!(threads)
  const made = new loaded.Session(threads)
  if (!made.openGpu) {
    session = made
    return null
  }
  const report = await made.openGpu()
  session = made
  // A browser keeps a GPU's full name to itself, and wgpu looks for no other.
  return { ...report, name: (await adapterName()) || report.name }
}

/** Replaces the experiment; whether it runs stays as it is. */
function replaced(opened: OpenedRun): OpenedRun {
  loop.begin(session!.environments())
  return opened
}

/** Stops, with everything reported. */
function rest(): void {
  if (loop.running) report()
  loop.pause()
}

/** The state, for another worker to go on with. */
function leave(): Uint8Array<ArrayBuffer> {
  rest()
  return session!.pack()
}

function answer(request: Request): unknown {
  switch (request.kind) {
    case 'boot':
      return boot(request.asks)
    case 'create': {
      const { name, config, seed } = request.asks
      return replaced(session!.create(name, config, seed))
    }
    case 'open':
      return replaced(session!.open(request.asks.bytes))
    case 'set':
      session!.set(request.asks.path, request.asks.value)
      return null
    case 'player':
      session!.openPlayer(request.asks.bytes)
      return null
    case 'command':
      return session!.command(request.asks.command)
    case 'bring':
      session!.bringText(request.asks.names, request.asks.files)
      return null
    case 'save':
      return session!.save()
    case 'pack':
      return session!.pack()
    case 'evaluate':
      return session!.evaluate(request.asks.episodes, evaluationSeed)
    case 'leave':
      return leave()
    case 'figures':
      return session!.figures(request.asks.suite)
    case 'measure':
      return session!.measure(request.asks.name, request.asks.large)
  }
}

// The same episodes each time, so that two policies are compared on the same ones.
const evaluationSeed = 1

const nothing: Frame = { arrays: {}, documents: null }

function drawn(view: ViewRequest, elapsed: number): void {
  let frame = nothing
  try {
    frame = session!.frame(view, elapsed)
  } catch (error) {
    // The page asks for the next picture once it has this one.
    orBreak(error)
  }
  post(
    { kind: 'frame', frame },
    Object.values(frame.arrays).map(({ data }) => data.buffer),
  )
}

const starting: ThrownProblem = {
  problem: { message: 'The training module is still starting.', hint: 'Try again in a moment.' },
}

async function heard(down: Down): Promise<void> {
  switch (down.kind) {
    case 'play':
      return loop.play()
    case 'pause':
      return rest()
    case 'step':
      return loop.step()
    case 'speed':
      return loop.throttle(down.speed)
    case 'frame':
      return drawn(down.view, down.elapsed)
    case 'rest':
      loop.pause()
      return session?.close()
    case 'ping':
      return post({ kind: 'alive' })
  }
  try {
    if (!session && down.kind !== 'boot') throw starting
    const value = await answer(down)
    post(
      { kind: 'answer', id: down.id, value },
      value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
    )
    // After the answer: until the page has that, a copy of the state is one of the experiment before.
    if (down.kind === 'create' || down.kind === 'open') sendBytes(session!.pack())
  } catch (error) {
    post({ kind: 'refusal', id: down.id, problem: orBreak(error) })
    const fault = session?.fault()
    if (fault) lost(fault)
  }
}

self.onmessage = (event: MessageEvent<Down>) => {
  heard(event.data).catch(orBreak)
}

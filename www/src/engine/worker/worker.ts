// The training worker: owns the wasm session, trains in short slices, and processes messages between them.
import { adapterName } from '../shared/adapter'
import { isThrownProblem } from '../shared/thrown'
import { Loop } from './loop'
import { installPoolHook, prepareThreads, runThread, type ThreadStart } from './pool'
import { packSnapshot, unpackSnapshot } from './snapshot'
import { loadModule, type Module, type WasmSession } from './modules'
import type {
  GpuReport,
  OpenedRun,
  Problem,
  Progress,
  ThrownProblem,
  ViewRequest,
} from '../../protocol/types'
import type { Frame } from '../../protocol/frame'
import type { PageMessage, Request, Requests, Stop, WorkerMessage } from '../shared/messages'

let session: WasmSession | null = null

const post = (up: WorkerMessage, transfer: Transferable[] = []): void => self.postMessage(up, { transfer })

const loop = new Loop({
  advance: (milliseconds) => session!.advance(milliseconds),
  waits: () => session!.waits(),
  report,
  speed: (stepsPerSecond) => post({ kind: 'speed', stepsPerSecond }),
  checkpoint: () => sendBytes(session!.pack()),
  snapshot: sendSnapshot,
  stepped: () => post({ kind: 'stepped' }),
  stopped: (error) => {
    if (error !== null && session!.hasLeftGpu()) return leftGpu()
    const fault = error !== null && session!.fault()
    if (fault) return lost(fault)
    post({ kind: 'stopped', problem: error === null ? null : toProblem(error) })
  },
})

function report(): { progress: Progress; rows: number } {
  const rows = session!.takeMetrics()
  const progress = session!.progress()
  post({ kind: 'report', rows, progress })
  return { progress, rows: rows.length }
}

/** Reports that the next phase runs only on the CPU. */
function leftGpu(): void {
  report()
  const bytes = session!.pack()
  session!.close()
  post({ kind: 'leftGpu', bytes }, [bytes.buffer])
}

/** Reports the loss of the GPU, with the state of the last readback. */
function lost(problem: Problem): void {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  try {
    bytes = session!.pack()
    const rows = session!.takeMetrics()
    // The experiment reports the loss as a notice among its metrics.
    const said = rows.findLast(({ notice }) => notice)?.notice
    if (said) problem = { ...problem, message: said, hint: '' }
    post({ kind: 'report', rows: rows.filter(({ notice }) => !notice), progress: session!.progress() })
  } catch {
    // No experiment is open; the page resumes from an older copy of the state.
  }
  post({ kind: 'lost', problem, bytes }, bytes ? [bytes.buffer] : [])
}

function sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
  post({ kind: 'checkpoint', bytes }, [bytes.buffer])
}

/** Posts a snapshot for the timeline. */
function sendSnapshot(): void {
  try {
    const bytes = packSnapshot(session!.save())
    if (bytes) post({ kind: 'snapshot', bytes }, [bytes.buffer])
  } catch (error) {
    // Training does not depend on the timeline.
    console.warn('No snapshot was taken.', error)
  }
}

/**
 * Returns the problem of an exception. Sessions throw tagged problems. Any other exception means that the module failed
 * and its memory is unreliable.
 */
function toProblem(error: unknown): Problem {
  if (isThrownProblem(error)) return error.problem
  const message = error instanceof Error ? error.message : String(error)
  const problem = { message: `The training module failed: ${message}`, hint: '' }
  loop.pause()
  post({ kind: 'broken', problem })
  return problem
}

async function boot({
  family,
  module,
  threads,
  panics,
  compiled,
}: Requests['boot']['args']): Promise<GpuReport | null> {
  const loaded: Module = await loadModule(family, module)
  await loaded.default(compiled ? { module_or_path: compiled } : undefined)
  loaded.start(panics)
  if (threads > 1) {
    installPoolHook({ family, name: module })
    await loaded.initThreadPool!(threads)
  }
  const made = new loaded.Session(threads)
  if (!made.openGpu) {
    session = made
    return null
  }
  const report = await made.openGpu()
  session = made
  // wgpu does not read `GPUAdapterInfo.description`, which browsers provide instead of a device name.
  return { ...report, name: (await adapterName()) || report.name }
}

/**
 * Starts the training loop on a newly opened experiment with its stop. If training was running, it continues; otherwise it stays
 * paused.
 */
function replaced(opened: OpenedRun, { stop = null }: Stop): OpenedRun {
  loop.begin(session!.environments(), opened.progress, stop)
  return opened
}

/** Reports the progress, and pauses training. */
function rest(): void {
  if (loop.running) report()
  loop.pause()
  post({ kind: 'rested' })
}

/** Pauses training, and returns the state for another worker. */
function leave(): Uint8Array<ArrayBuffer> {
  rest()
  return session!.pack()
}

function answer(request: Request): unknown {
  switch (request.kind) {
    case 'boot':
      return boot(request.args)
    case 'create': {
      const { name, config, seed } = request.args
      return replaced(session!.create(name, config, seed), request.args)
    }
    case 'open':
      return replaced(session!.open(request.args.bytes), request.args)
    case 'openSnapshot':
      return replaced(session!.open(unpackSnapshot(request.args.bytes)), request.args)
    case 'set':
      session!.set(request.args.path, request.args.value)
      return null
    case 'openPlayer':
      session!.openPlayer(request.args.bytes)
      return null
    case 'command':
      return session!.command(request.args.command)
    case 'text':
      session!.bringText(request.args.names, request.args.files)
      return null
    case 'save':
      return session!.save()
    case 'pack':
      return session!.pack()
    case 'evaluate':
      return session!.evaluate(request.args.episodes, evaluationSeed)
    case 'suspend':
      return leave()
    case 'figures':
      return session!.figures(request.args.suite)
    case 'measure':
      return session!.measure(request.args.name, request.args.large)
  }
}

// Fixed seed, so that policies are compared on the same episodes.
const evaluationSeed = 1

const nothing: Frame = { arrays: {}, documents: null }

function drawn(view: ViewRequest, elapsed: number): void {
  let frame = nothing
  try {
    frame = session!.frame(view, elapsed)
  } catch (error) {
    // A reply is required, because the page waits for a frame before it requests the next.
    toProblem(error)
  }
  post(
    { kind: 'frame', frame },
    Object.values(frame.arrays).map(({ data }) => data.buffer),
  )
}

const starting: ThrownProblem = {
  problem: { message: 'The training module is still starting.', hint: 'Try again in a moment.' },
}

async function onEvent(down: PageMessage): Promise<void> {
  switch (down.kind) {
    case 'load':
      if (down.threads > 1) prepareThreads(down.threads, down)
      // An error is reported by `boot`, which loads the same scripts.
      return void loadModule(down.family, down.module).catch(() => {})
    case 'play':
      return loop.play()
    case 'pause':
      return rest()
    case 'step':
      return loop.step(down.until)
    case 'speed':
      return loop.throttle(down.speed)
    case 'stopAt':
      return loop.stopAt(down.steps)
    case 'hold':
      return loop.hold(down.on)
    case 'frame':
      return drawn(down.view, down.elapsed)
    case 'close':
      loop.pause()
      return session?.close()
    case 'ping':
      return post({ kind: 'pong' })
  }
  try {
    if (!session && down.kind !== 'boot') throw starting
    const value = await answer(down)
    post(
      { kind: 'response', id: down.id, value },
      value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
    )
    // Metrics of an opened model and the checkpoint are sent after the response. Before the response, the page would
    // attribute them to the previous experiment.
    if (down.kind !== 'create' && down.kind !== 'open') return
    report()
    sendBytes(session!.pack())
    sendSnapshot()
  } catch (error) {
    post({ kind: 'rejection', id: down.id, problem: toProblem(error) })
    const fault = session?.fault()
    if (fault) lost(fault)
  }
}

self.onmessage = ({ data }: MessageEvent<PageMessage | ThreadStart>) => {
  if (data.kind === 'thread') void runThread(data)
  else onEvent(data).catch(toProblem)
}

// The training worker: holds the wasm session, works in short slices, and hears the page between two of them.
import { adapterName } from './adapter'
import { Loop } from './loop'
import { loadModule, type Module, type WasmSession } from './modules'
import type { MetricRow } from '../protocol/types'
import type { Down, Figure, Frame, GpuReport, Opened, Problem, Request, Requests, Up } from './messages'

let session: WasmSession | null = null

const tell = (up: Up, transfer: Transferable[] = []): void => self.postMessage(up, { transfer })

const loop = new Loop({
  advance: (milliseconds) => session!.advance(milliseconds),
  waits: () => session!.waits(),
  report,
  speed: (stepsPerSecond) => tell({ kind: 'speed', stepsPerSecond }),
  checkpoint: () => sendBytes(session!.pack()),
  stopped: (error) => {
    const fault = error !== null && session!.fault()
    if (fault) return lost(JSON.parse(fault) as Problem)
    tell({ kind: 'stopped', problem: error === null ? null : orBreak(error) })
  },
})

function report(): Opened['progress'] {
  const metrics = session!.takeMetrics()
  if (metrics) tell({ kind: 'metrics', rows: JSON.parse(metrics) })
  const progress = JSON.parse(session!.progress()) as Opened['progress']
  tell({ kind: 'progress', progress })
  return progress
}

/** The page goes on elsewhere, with what was read back last. */
function lost(problem: Problem): void {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  try {
    bytes = session!.pack()
    const rows = JSON.parse(session!.takeMetrics() || '[]') as MetricRow[]
    // What the experiment says about it is told with everything else about it.
    const said = rows.findLast(({ notice }) => notice)?.notice
    if (said) problem = { ...problem, message: said, hint: '' }
    tell({ kind: 'metrics', rows: rows.filter(({ notice }) => !notice) })
  } catch {
    // There was no experiment; the page has older copies, too.
  }
  tell({ kind: 'lost', problem, bytes }, bytes ? [bytes.buffer] : [])
}

function sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
  tell({ kind: 'checkpoint', bytes }, [bytes.buffer])
}

/**
 * What to tell a person of something thrown: Rust throws its problems as JSON text. Anything else is a broken module,
 * whose memory cannot be trusted from here on.
 */
function orBreak(error: unknown): Problem {
  if (typeof error === 'string') return JSON.parse(error) as Problem
  const message = error instanceof Error ? error.message : String(error)
  const problem = { message: `The training module broke down: ${message}`, hint: '' }
  loop.pause()
  tell({ kind: 'broken', problem })
  return problem
}

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
  const report = JSON.parse(await made.openGpu()) as GpuReport
  session = made
  // A browser keeps a GPU's full name to itself, and wgpu looks for no other.
  return { ...report, name: (await adapterName()) || report.name }
}

/** What is new replaces what ran; whether it runs stays as it is. */
function replaced(opened: string): Opened {
  loop.begin(session!.environments())
  const answer = JSON.parse(opened) as Opened
  sendBytes(session!.pack())
  return answer
}

/** Stops, with everything told. */
function rest(): void {
  if (loop.running) report()
  loop.pause()
}

/** The state, for another worker to go on with. */
function leave(): Uint8Array<ArrayBuffer> {
  rest()
  return session!.pack()
}

function bring({ names, files }: Requests['bring']['asks']): null {
  if (!session!.bringText) throw JSON.stringify(noText)
  session!.bringText(names, files)
  return null
}

const noText: Problem = { message: 'What runs here does not learn from text.', hint: '' }

async function measure({ name, large }: Requests['measure']['asks']): Promise<Figure[]> {
  return JSON.parse(await session!.measure(name, large)) as Figure[]
}

function answer(request: Request): unknown {
  switch (request.kind) {
    case 'boot':
      return boot(request.asks)
    case 'create': {
      const { name, config, seed } = request.asks
      return replaced(session!.create(name, JSON.stringify(config), seed))
    }
    case 'open':
      return replaced(session!.open(request.asks.bytes))
    case 'command':
      return JSON.parse(session!.command(JSON.stringify(request.asks.command)))
    case 'bring':
      return bring(request.asks)
    case 'save':
      return session!.save()
    case 'evaluate':
      return JSON.parse(session!.evaluate(request.asks.episodes, evaluationSeed))
    case 'leave':
      return leave()
    case 'figures':
      return JSON.parse(session!.figures(request.asks.suite))
    case 'measure':
      return measure(request.asks)
  }
}

// The same episodes each time, so that two policies are compared on the same ones.
const evaluationSeed = 1

function drawn(view: string, elapsed: number): void {
  const frame = session!.frame(view, elapsed) as Frame
  tell(
    { kind: 'frame', frame },
    Object.values(frame).map(({ data }) => data.buffer),
  )
}

const starting: Problem = {
  message: 'The training module is still starting.',
  hint: 'Try again in a moment.',
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
      return drawn(JSON.stringify(down.view), down.elapsed)
    case 'rest':
      loop.pause()
      return session?.close()
  }
  try {
    if (!session && down.kind !== 'boot') throw JSON.stringify(starting)
    const value = await answer(down)
    tell(
      { kind: 'answer', id: down.id, value },
      value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
    )
  } catch (error) {
    tell({ kind: 'refusal', id: down.id, problem: orBreak(error) })
    const fault = session?.fault()
    if (fault) lost(JSON.parse(fault) as Problem)
  }
}

self.onmessage = (event: MessageEvent<Down>) => {
  heard(event.data).catch(orBreak)
}

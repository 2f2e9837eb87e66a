// The training worker: holds the wasm session, works in short slices, and hears the page between two of them.
import { Loop } from './loop'
import { loadModule, type Module, type WasmSession } from './modules'
import type { Down, Figure, Frame, Opened, Problem, Request, Requests, Up } from './messages'

let session: WasmSession | null = null

const tell = (up: Up, transfer: Transferable[] = []): void => self.postMessage(up, { transfer })

const loop = new Loop({
  advance: (milliseconds) => session!.advance(milliseconds),
  report: () => {
    const metrics = session!.takeMetrics()
    if (metrics) tell({ kind: 'metrics', rows: JSON.parse(metrics) })
    const progress = JSON.parse(session!.progress()) as Opened['progress']
    tell({ kind: 'progress', progress })
    return progress
  },
  speed: (stepsPerSecond) => tell({ kind: 'speed', stepsPerSecond }),
  checkpoint: () => sendBytes(session!.save()),
  stopped: (error) => tell({ kind: 'stopped', problem: error === null ? null : orBreak(error) }),
})

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

async function boot({ module, threads, panics }: Requests['boot']['asks']): Promise<null> {
  const loaded: Module = await loadModule(module)
  await loaded.default()
  loaded.start(panics)
  if (threads > 1) await loaded.initThreadPool!(threads)
  session = new loaded.Session(threads)
  return null
}

/** What is new replaces what ran; whether it runs stays as it is. */
function replaced(opened: string): Opened {
  loop.begin(session!.environments())
  const answer = JSON.parse(opened) as Opened
  sendBytes(session!.save())
  return answer
}

async function bench(suite: string): Promise<Figure[]> {
  const names = JSON.parse(session!.benchNames(suite)) as string[]
  const figures: Figure[] = []
  for (const name of names) {
    const figure = JSON.parse(session!.bench(name)) as Figure
    tell({ kind: 'figure', figure })
    figures.push(figure)
    // Messages that came meanwhile are heard.
    await new Promise((next) => setTimeout(next))
  }
  return figures
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
    case 'save':
      return session!.save()
    case 'evaluate':
      return JSON.parse(session!.evaluate(request.asks.episodes, evaluationSeed))
    case 'bench':
      return bench(request.asks.suite)
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
      return loop.pause()
    case 'step':
      return loop.step()
    case 'speed':
      return loop.throttle(down.speed)
    case 'frame':
      return drawn(JSON.stringify(down.view), down.elapsed)
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
  }
}

self.onmessage = (event: MessageEvent<Down>) => {
  heard(event.data).catch(orBreak)
}

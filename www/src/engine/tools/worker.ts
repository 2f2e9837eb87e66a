// The worker of the tools: loads their wasm module, which no other part of the page needs, and calls its functions.
import { zipSync } from 'fflate'
import type * as analysis from '../../protocol/analysis'
import type * as wasm from '../../protocol/tools'
import type { ThrownProblem } from '../../protocol/types'
import { isThrownProblem } from '../shared/thrown'
import type { ToolMessage, ToolName, ToolRequest, Tools } from '../shared/tools'

type Loaded<M> = M & { default(): Promise<unknown> }
type ToolModule = Loaded<typeof wasm>
type AnalysisModule = Loaded<typeof analysis>

const [loadTools] = Object.values(import.meta.glob<ToolModule>('../../wasm/tools/single-simd128/vivarium.js'))
const [loadAnalysis] = Object.values(
  import.meta.glob<AnalysisModule>('../../wasm/analysis/single-simd128/vivarium.js'),
)

/** The analysis of a match in progress. */
let analyzer: analysis.MatchAnalyzer | null = null
/** The rollout in progress. */
let rollout: analysis.PositionRollout | null = null
/** Rollouts by their arguments, the last one at the end. Each has its own copy of the network. */
const rollouts = new Map<string, analysis.PositionRollout>()
/** Largest number of rollouts that are kept. */
const mostRollouts = 24

/** Returns the problem of a step whose earlier steps were lost, as after a failure of the worker. */
const lost = (what: string): ThrownProblem => ({
  problem: { message: `${what} is no longer in memory.`, hint: 'Start it again.' },
})

type Result<K extends ToolName> = Tools[K]['result'] | Promise<Tools[K]['result']>

/** The functions of the tools. */
const tools: { [K in ToolName]: (module: ToolModule, args: Tools[K]['args']) => Result<K> } = {
  onnx: ({ onnx }, { checkpoint }) => onnx(checkpoint),
  huggingFace({ huggingFace }, { checkpoint, folder }) {
    const files = Object.entries(huggingFace(checkpoint)).map(([name, bytes]) => [`${folder}/${name}`, bytes])
    // Without compression, since weights hardly compress.
    return zipSync(Object.fromEntries(files), { level: 0 })
  },
  openHuggingFace: ({ openHuggingFace }, { config, weights, tokenizer }) =>
    openHuggingFace(config, weights, tokenizer),
  weights: ({ weights }, { checkpoint }) => weights(checkpoint),
  xgid: ({ xgid }, { id }) => xgid(id),
  writeMatch: ({ writeMatch }, { match, format }) => writeMatch(match, format === 'sgf'),
  readMatch: ({ readMatch }, { text }) => readMatch(text),
  async analyzeMatch(_, { match, checkpoint, plies }) {
    const { MatchAnalyzer } = await start(loadAnalysis)
    analyzer?.free()
    analyzer = null
    analyzer = new MatchAnalyzer(match, checkpoint, plies)
    return analyzer.document()
  },
  rateNext() {
    if (!analyzer) throw lost('The analysis')
    return analyzer.rateNext() ?? null
  },
  analysisText: () => analyzer?.text() ?? null,
  async rollOut(_, { id, checkpoint, plays, truncation, cubeless }) {
    const { PositionRollout } = await start(loadAnalysis)
    const key = JSON.stringify([id, plays, truncation, cubeless])
    rollout = null
    rollout = rollouts.get(key) ?? new PositionRollout(id, checkpoint, [...plays], truncation, cubeless)
    rollouts.delete(key)
    rollouts.set(key, rollout)
    const [[oldestKey, oldest]] = rollouts
    if (rollouts.size > mostRollouts && rollouts.delete(oldestKey)) oldest.free()
    return rollout.advance(0)
  },
  rollFurther(_, { trials }) {
    if (!rollout) throw lost('The rollout')
    return rollout.advance(trials)
  },
  prepareTwoPhase: ({ prepareTwoPhase }) => (prepareTwoPhase(), null),
  twoPhase: ({ twoPhase }, { stickers, metric, nodes }) => twoPhase(stickers, metric === 'half', nodes),
  scramble: ({ scramble }, { size, seed, stream }) => scramble(size === 3, seed, stream),
}

const post = (message: ToolMessage, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer })

async function start<M extends Loaded<unknown>>(load: (() => Promise<M>) | undefined): Promise<M> {
  if (!load) throw new Error('this build of the page does not have it; `npm run build` includes it')
  const module = await load()
  await module.default()
  return module
}

/** The loaded module; null after a failure. */
const loaded = start(loadTools).then(
  (module) => {
    post({ kind: 'loaded' })
    return module
  },
  (error: unknown) => {
    post({
      kind: 'broken',
      problem: {
        message: `The tools could not be loaded: ${messageOf(error)}.`,
        hint: 'Check the connection, and try again.',
      },
    })
    return null
  },
)

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function call<K extends ToolName>(module: ToolModule, tool: K, args: Tools[K]['args']): Result<K> {
  return tools[tool](module, args)
}

self.onmessage = async ({ data: { id, tool, args } }: MessageEvent<ToolRequest>) => {
  const module = await loaded
  if (!module) return
  try {
    const value = await call(module, tool, args)
    post({ kind: 'response', id, value }, value instanceof Uint8Array ? [value.buffer] : [])
  } catch (error) {
    if (isThrownProblem(error)) return post({ kind: 'rejection', id, problem: error.problem })
    post({ kind: 'broken', problem: { message: `The tools failed: ${messageOf(error)}`, hint: '' } })
  }
}

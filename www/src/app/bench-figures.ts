/** Descriptions of the benchmarks, comparison with a reference, and their export as text and JSON. */
import type { BenchSuite, Figure } from '../engine/page/session'
import { compact, number } from '../lib/format'
import type { HelpText } from '../lib/help'

export const suiteTitles: Record<BenchSuite, string> = {
  kernels: 'Matrix products',
  control: 'CartPole',
  'logic-ca': 'Logic automaton',
  backgammon: 'Backgammon',
  cube2: '2×2×2 cube',
  language: 'Language model',
  gpu: 'GPU',
}

export interface FigureInfo {
  label: string
  help: HelpText
}

type Row = readonly [name: RegExp, label: (...groups: string[]) => string, text: string, term?: string]

const threads = (count: string | undefined) => (count === '1' ? 'one thread' : 'all threads')
const models: Record<string, string> = {
  tiny: 'tiny model',
  'shakespeare-char': 'character model',
  'wiki-small': 'small model',
}

const rows: readonly Row[] = [
  [
    /^kernels\/gemm\/(.*)$/,
    (shape) => `Product ${shape.replaceAll('x', ' × ')}`,
    'Matrix product on one thread: rows × inputs × outputs. The limit is the multiply-add peak of a core.',
    'flops-utilization',
  ],
  [
    /^control\/cartpole\/raw\/1$/,
    () => 'Steps without learning',
    'Environment steps with random actions on one thread.',
    'step',
  ],
  [
    /^control\/cartpole\/ppo\/all$/,
    () => 'PPO training',
    'Environment steps of PPO training with its defaults.',
    'policy-gradient',
  ],
  [
    /^control\/cartpole\/seconds_to_475\/all$/,
    () => 'Time until solved',
    'Training time until CartPole is solved: median of five seeds.',
    'solved',
  ],
  [
    /^control\/cartpole\/seconds_to_475\/all\/worst$/,
    () => 'Time until solved, slowest',
    'Training time until CartPole is solved: slowest of five seeds.',
    'solved',
  ],
  [
    /^logic-ca\/checkerboard\/epoch\/(.*)$/,
    (count) => `Epoch, ${threads(count)}`,
    'Duration of a training epoch of the checkerboard: forward pass, backward pass, optimizer and evaluation.',
    'epoch',
  ],
  [
    /^logic-ca\/hard\/(pruned|unpruned)\/1$/,
    (kind) => (kind === 'pruned' ? 'Simplified circuit' : 'Trained circuit'),
    'Cells that the hard circuit updates on a board of 1,024 × 1,024 cells, on one thread.',
    'hard-gate',
  ],
  [
    /^backgammon\/self_play\/all$/,
    () => 'Self-play',
    'Games of self-play with 100 simulations per decision.',
    'self-play',
  ],
  [
    /^cube2\/train_step\/1$/,
    () => 'Gradient step',
    'Duration of a gradient step of deep Q-learning on one thread.',
    'update',
  ],
  [/^cube2\/train\/all$/, () => 'Training', 'Samples of deep Q-learning with its defaults.', 'q-value'],
  [
    /^cube2\/examine\/all$/,
    () => 'Evaluation of all states',
    'Time to follow the greedy policy from all 3,674,160 states.',
    'greedy',
  ],
  [
    /^language\/(.*)\/generate\/1$/,
    (model) => `Generation, ${models[model] ?? model}`,
    'Tokens generated one after another on one thread, with a cache of keys and values.',
    'token',
  ],
  [
    /^language\/(.*)\/([^/]*)$/,
    (model, count) => `Training, ${models[model] ?? model}, ${threads(count)}`,
    'Tokens of training: forward pass, backward pass and optimizer.',
    'transformer',
  ],
  [
    /^browser\/product\/(.*)$/,
    (side) => `Product ${side} × ${side}`,
    'Product of two square matrices, the second of which is constant.',
    'flops-utilization',
  ],
  [
    /^browser\/residual_mlp\/(.*)$/,
    (rows) => `Forward pass, ${rows === '1' ? 'one state' : `${rows} states`}`,
    'Forward pass of a residual network for board games with 258,000 weights, as AlphaZero evaluates it.',
    'network',
  ],
  [
    /^browser\/transformer\/(forward|gradient)$/,
    (pass) => (pass === 'forward' ? 'Forward pass' : 'Gradient'),
    'GPT-2 with 4 layers of width 128, for 12 sequences of 64 tokens.',
    'transformer',
  ],
  [
    /^browser\/ppo\/gradient$/,
    () => 'Gradient',
    'Gradient of the PPO loss over 4,096 steps, for a network with two layers of 64 units.',
    'policy-gradient',
  ],
  [/^gpu\/dispatch$/, () => 'Dispatch', 'Time of one GPU kernel launch in a long sequence.', 'engine'],
  [/^gpu\/readback$/, () => 'Readback', 'Time until a result of the GPU is available to the CPU.', 'engine'],
  [
    /^gpu\/gemm\/(.*)$/,
    (side) => `Product ${side} × ${side}`,
    'Product of two square matrices, compared with all threads of the CPU.',
    'flops-utilization',
  ],
  [
    /^gpu\/cartpole\/raw$/,
    () => 'Steps without learning',
    'Environment steps of CartPole with random actions.',
    'step',
  ],
  [
    /^gpu\/cartpole\/ppo$/,
    () => 'PPO training',
    'Environment steps of PPO training of CartPole.',
    'policy-gradient',
  ],
]

/** Returns the label and the explanation of a benchmark; null for an unknown name. */
export function describeFigure(name: string): FigureInfo | null {
  for (const [pattern, label, text, term] of rows) {
    const found = pattern.exec(name)
    if (found) return { label: label(...found.slice(1)), help: { text: `${text} Benchmark ${name}.`, term } }
  }
  return null
}

/** Returns whether smaller values are better: true for units of time. */
const isDuration = (unit: string): boolean => ['s', 'ms', 'µs', 'ns'].includes(unit)

/** Comparison with other libraries in a browser, as `benches/rivals/browser/compare.mjs --save` writes it. */
export interface RecordedComparison {
  /** Date of the measurement, such as `2026-11-26`. */
  date: string
  machine: string
  /** Mean number of programs that ran or waited at the same time. */
  load: number
  browser: string
  figures: Figure[]
}

/** Titles of the recorded figures by the second part of their names. */
const recordedTitles: Record<string, string> = {
  product: 'Matrix product',
  residual_mlp: 'Network for board games',
  transformer: 'Transformer',
  ppo: 'PPO',
}

/** A part of a table of figures. */
export interface FigureGroup {
  title: string
  figures: readonly Figure[]
}

/** Groups recorded figures by network, in the order of the titles. */
export function recordedGroups({ figures }: RecordedComparison): FigureGroup[] {
  return Object.entries(recordedTitles).map(([network, title]) => ({
    title,
    figures: figures.filter(({ name }) => name.split('/')[1] === network),
  }))
}

/**
 * Returns the bar lengths of a figure and its reference, 0 to 1, and the comparison in words; null without a reference.
 */
export function comparison({
  value,
  unit,
  rival,
}: Figure): { share: number; mark: number; text: string } | null {
  if (!rival || !(rival.value > 0) || !(value > 0)) return null
  const most = Math.max(value, rival.value)
  const ratio = isDuration(unit) ? rival.value / value : value / rival.value
  // A peak is a limit, which is reached only in part.
  const text = /peak/.test(rival.name)
    ? `${number(100 * ratio, 0)} % of the ${rival.name}`
    : `${number(ratio, 2)}× ${rival.name}, ${compact(rival.value)}`
  return { share: value / most, mark: rival.value / most, text }
}

export type Machine = readonly (readonly [name: string, value: string])[]

/** Formats the results as a table in plain text. */
export function asText(machine: Machine, figures: readonly Figure[]): string {
  const table = figures.map((figure) => [
    figure.name,
    `${compact(figure.value)} ${figure.unit}`,
    figure.threads === undefined ? '' : `${figure.threads} ${figure.threads === 1 ? 'thread' : 'threads'}`,
    comparison(figure)?.text ?? '',
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)))
  const lines = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...machine.map(([name, value]) => `${name}: ${value}`), '', ...lines, ''].join('\n')
}

/** Formats the results as JSON, with the names of `vivarium bench`. */
export const asJson = (machine: Machine, figures: readonly Figure[]): string =>
  `${JSON.stringify({ machine: Object.fromEntries(machine), figures }, null, 2)}\n`

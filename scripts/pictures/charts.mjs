// The charts of README and docs: performance from docs/benchmarks.jsonl, learning curves from runs of the native program.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, must, root, target } from '../run.mjs'
import { learningCurve, ratioBars } from './svg.mjs'

/** Maximum number of points of a curve. */
const maxPoints = 200

/** The runs whose curves are drawn; each trains with seed 1. `series` and `goals` name metrics of `metrics.jsonl`. */
const curves = [
  {
    name: 'ppo',
    train: ['cartpole', '--steps', '300000'],
    title: 'PPO on CartPole, seed 1',
    axes: { x: 'environment steps', y: 'mean return' },
    series: { return_mean: 'mean return' },
    goals: [{ label: 'solved, 475', value: 475 }],
  },
  {
    name: 'dqn',
    train: ['cube2', '--set', 'preset=demonstrations', '--minutes', '5'],
    title: 'Dueling double DQN on the 2×2×2 cube with demonstrations, seed 1',
    axes: { x: 'environment steps', y: 'share of all 3,674,160 states that is solved' },
    series: { eval_solved: 'solved' },
  },
  {
    name: 'alphazero',
    train: ['connect-four', '--minutes', '5'],
    title: 'AlphaZero on Connect Four, seed 1',
    axes: { x: 'positions', y: 'share of games won' },
    series: { wins_minimax_2: 'minimax, depth 2', wins_minimax_4: 'minimax, depth 4' },
  },
  {
    name: 'scrambles',
    train: ['cube3', '--minutes', '5'],
    title: 'Learning from scrambles of the 3×3×3 cube, seed 1',
    axes: { x: 'states', y: 'accuracy of the predicted last turn' },
    series: { accuracy: 'accuracy' },
  },
  {
    name: 'language',
    train: ['language', '--minutes', '5'],
    title: 'Language model on the generated encyclopedia, seed 1',
    axes: { x: 'tokens', y: 'held-out loss, nats per token' },
    series: { validation_loss: 'transformer' },
    goals: [
      { label: 'bigram', metric: 'bigram' },
      { label: 'trigram', metric: 'trigram' },
    ],
  },
  {
    name: 'logic-ca',
    train: ['logic-ca', '--minutes', '5'],
    title: 'Logic automaton on the checkerboard, seed 1',
    axes: { x: 'epochs', y: 'squared error of a batch' },
    series: { soft_loss: 'soft gates', hard_loss: 'hard gates' },
    logarithmic: true,
  },
]

const jsonLines = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Returns every n-th point and the last point, so that about `maxPoints` remain. */
const thinned = (points) =>
  points.filter((_, i) => i % Math.ceil(points.length / maxPoints) === 0 || i === points.length - 1)

/** Trains a run of `curves` with the native program, unless it exists. Returns the folder of the run. */
export async function nativeRun(name) {
  const folder = join(target, 'pictures', name)
  if (!existsSync(join(folder, 'metrics.jsonl'))) {
    const { train } = curves.find((curve) => curve.name === name)
    const options = ['--seed', '1', '--engine', 'cpu', '--out', folder]
    await must('cargo', ['run', '--release', '--quiet', '--', 'train', ...train, ...options])
  }
  return folder
}

async function drawCurve(save, { name, title, axes, series, goals = [], logarithmic = false }) {
  const metrics = join(await nativeRun(name), 'metrics.jsonl')
  const rows = jsonLines(metrics)
  const pointsOf = (metric) => {
    const found = rows.filter((row) => Number.isFinite(row[metric])).map((row) => [row.steps, row[metric]])
    if (!found.length)
      fail(`${metrics} has no metric ${metric}; it has ${Object.keys(Object.assign({}, ...rows)).join(', ')}`)
    return found
  }
  const lines = Object.entries(series).map(([metric, label]) => ({
    label,
    points: thinned(pointsOf(metric)),
  }))
  const levels = goals.map(({ label, value, metric }) => ({
    label,
    value: value ?? pointsOf(metric).at(-1)[1],
  }))
  save(`curve-${name}.svg`, learningCurve(title, axes, lines, levels, logarithmic))
}

/** Draws the chart of speed ratios to reference implementations, from the rows of docs/benchmarks.jsonl with a label. */
function drawPerformance(save) {
  const lessIsBetter = ['s', 'ms', 'us', 'ns']
  const rows = jsonLines(join(root, 'docs/benchmarks.jsonl'))
    .filter(({ label, rival }) => label && rival)
    .map(({ label, value, unit, rival }) => ({
      label,
      rival: rival.name,
      ratio: lessIsBetter.includes(unit) ? rival.value / value : value / rival.value,
    }))
  save('performance.svg', ratioBars('Speed relative to other programs on the same CPU (log scale)', rows))
}

/** Writes all charts with `save(name, text)`. Existing runs under target/pictures are reused. */
export async function writeCharts(save) {
  drawPerformance(save)
  for (const curve of curves) await drawCurve(save, curve)
}

/** Plot of the results against reference players: one line per opponent. */
import type { GamePlayer, LadderRow, PlayerChoice } from '../../../engine/page/session'
import { areaPath, linePath } from '../../../kit/plot'
import type { Table } from '../../../lib/csv'
import { compact, number } from '../../../lib/format'
import { get, type Config } from '../../../state/config'
import { keyOf } from './players'

export interface Line {
  key: string
  label: string
  rows: LadderRow[]
}

/** Groups the results by opponent, in order of first appearance. */
export function lines(ladder: readonly LadderRow[]): Line[] {
  const found = new Map<string, Line>()
  for (const row of ladder) {
    const key = keyOf(row.opponent)
    const line = found.get(key)
    if (line) line.rows.push(row)
    else found.set(key, { key, label: captionOf(row.opponent, row.label), rows: [row] })
  }
  return [...found.values()]
}

/** Returns a row for each match against a reference player. */
export const ladderTable = (ladder: readonly LadderRow[]): Table => ({
  step: ladder.map(({ steps }) => steps),
  opponent: ladder.map(({ label }) => label),
  games: ladder.map(({ games }) => games),
  points: ladder.map(({ points }) => points),
  'lower bound (95 %)': ladder.map(({ interval }) => interval[0]),
  'upper bound (95 %)': ladder.map(({ interval }) => interval[1]),
  wins: ladder.map(({ wins }) => wins),
})

/** Recent result against a reference player. */
export interface Result {
  /** Name of the player within a sentence. */
  name: string
  /** Mean share of won games in the last matches; a draw counts half. */
  wins: number
}

/** Result against a reference player; null before the first match. */
export interface Rung {
  key: string
  label: string
  wins: number | null
}

/** Returns the results against all reference players that play in matches, from the easiest to the hardest. */
export function ladderRungs(ladder: readonly LadderRow[], opponents: readonly PlayerChoice[]): Rung[] {
  const known = new Map(lines(ladder).map(({ key, rows }) => [key, mean(rows)]))
  return opponents
    .filter(({ searches }) => !searches)
    .map((choice) => {
      const key = keyOf(choice.player)
      return { key, label: captionOf(choice.player, choice.label), wins: known.get(key) ?? null }
    })
}

/** Strength of the network: its place among the reference players, from the easiest to the hardest. */
export interface Strength {
  /** Hardest player that the network beats; it also beats all easier ones. */
  beaten: Result | null
  /** The next harder player, which the network may draw level with; null if the network beats all. */
  next: Result | null
  /** Results against the next player in order, or against the hardest: 0 for the maximum loss to 1 for the maximum win. */
  curve: number[]
}

/** Number of matches in the mean of a {@link Result}: a single match is too noisy. */
export const recentMatches = 3

/** Returns the mean share of won games in the last matches. */
function mean(rows: readonly LadderRow[]): number {
  const recent = rows.slice(-recentMatches)
  return recent.reduce((sum, { wins }) => sum + wins, 0) / recent.length
}

/** Range of the share of won games of a level match. */
const level = [0.45, 0.55] as const

/** Returns whether a share of won games is above that of a level match. */
const isWin = (wins: number): boolean => wins > level[1]

/** Returns whether a share of won games is about one half. */
const isLevel = (wins: number): boolean => wins >= level[0] && !isWin(wins)

/** Returns the short label of a reference player, without a technical term. */
const captionOf = (player: GamePlayer, label: string): string =>
  player.kind === 'minimax' ? `${player.depth} moves ahead` : label

/** Returns the name of a reference player within a sentence. */
function nameOf({ opponent, label }: LadderRow): string {
  if (opponent.kind === 'random') return 'random moves'
  if (opponent.kind === 'minimax') return `a player that computes ${opponent.depth} moves ahead`
  return label
}

/** Returns the strength of the network; null before the first match. `most`: points of the largest win. */
export function strength(ladder: readonly LadderRow[], most: number): Strength | null {
  const players = lines(ladder).map(({ rows }) => {
    return { rows, result: { name: nameOf(rows[0]!), wins: mean(rows) } }
  })
  const hardest = players.at(-1)
  if (!hardest) return null
  const unbeaten = players.findIndex(({ result }) => !isWin(result.wins))
  const next = players[unbeaten]
  const curve = (next ?? hardest).rows.map(({ points }) => Math.max(0, Math.min(1, (points / most + 1) / 2)))
  return {
    beaten: players[unbeaten < 0 ? players.length - 1 : unbeaten - 1]?.result ?? null,
    next: next?.result ?? null,
    curve,
  }
}

const percent = ({ name, wins }: Result): string => `${name} (${number(100 * wins, 0)} %)`

/** Returns the strength as a clause without a subject, such as "beats random moves (98 %); next: Pubeval (41 %)". */
export function strengthText({ beaten, next }: Strength): string {
  if (!next) return `beats the strongest opponent: ${beaten ? percent(beaten) : ''}`
  if (isLevel(next.wins))
    return `${beaten ? `beats ${percent(beaten)}, ` : ''}draws level with ${percent(next)}`
  return beaten ? `beats ${percent(beaten)}; next: ${percent(next)}` : `does not beat ${percent(next)} yet`
}

/** Returns the strength as a short clause without a subject and without figures, such as "beats random moves". */
export function strengthClause({ beaten, next }: Strength): string {
  if (next && isLevel(next.wins)) return `draws level with ${next.name}`
  return beaten ? `beats ${beaten.name}` : `does not beat ${next?.name} yet`
}

/** Returns the progress of the network in training as a sentence, if the result against `next`, or else `beaten`, is beside it. */
export function progressText({ beaten, next }: Strength): string {
  if (!next) return 'The network in training beats each opponent so far; this is the hardest one.'
  const isEven = isLevel(next.wins)
  if (!beaten)
    return `The network in training ${isEven ? 'draws level with' : 'does not beat'} its first opponent${isEven ? '' : ' yet'}.`
  return `The network in training beats ${beaten.name}${isEven ? ', and draws level with the next harder opponent' : '; this is the next harder opponent'}.`
}

export interface Plot {
  width: number
  height: number
  /** Range of the vertical axis, in points per game. */
  low: number
  high: number
  steps: number
  x: (steps: number) => number
  y: (points: number) => number
  ticks: number[]
}

const steady = [0.1, 0.2, 0.5, 1]

/** Returns scales that cover all results; default scales if there are no results. */
export function plot(ladder: readonly LadderRow[], width: number, height: number, most: number): Plot {
  const values = ladder.flatMap(({ points, interval }) => [points, ...interval])
  const reach = Math.max(0.25, ...values.map(Math.abs).filter(Number.isFinite))
  const edge = Math.min(most, reach * 1.08)
  const steps = Math.max(1, ...ladder.map((row) => row.steps))
  const spacing = steady.find((step) => edge / step <= 2.5) ?? 1
  const count = Math.floor(edge / spacing)
  return {
    width,
    height,
    low: -edge,
    high: edge,
    steps,
    x: (at) => (at / steps) * width,
    y: (points) => height / 2 - (Math.max(-edge, Math.min(edge, points)) / edge) * (height / 2),
    ticks: Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * spacing),
  }
}

export function path(rows: readonly LadderRow[], { x, y }: Plot): string {
  return linePath(rows.map((row) => ({ x: x(row.steps), y: y(row.points) })))
}

/** Returns the path of the 95 % confidence band. */
export function band(rows: readonly LadderRow[], { x, y }: Plot): string {
  const edge = (side: 0 | 1) => rows.map((row) => ({ x: x(row.steps), y: y(row.interval[side]) }))
  return areaPath(edge(0), edge(1))
}

/** Returns y coordinates of labels that are at least `least` apart and close to the desired ones, in the same order. */
export function apart(wished: readonly number[], least: number, low: number, high: number): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]!)
  const placed = [...wished]
  let floor = low
  for (const i of order) {
    placed[i] = Math.max(floor, wished[i]!)
    floor = placed[i]! + least
  }
  let ceiling = high
  for (const i of order.reverse()) {
    placed[i] = Math.min(ceiling, placed[i]!)
    ceiling = placed[i]! - least
  }
  return placed
}

/** Returns when the first ladder match is played, as a clause. `steps`: moves of self-play so far. */
export function firstMatchText(config: Config, steps: number): string {
  const first = Number(get(config, 'self_play.generation')) * Number(get(config, 'ladder.every'))
  if (first === 0) return 'matches against reference players are disabled'
  return steps < first
    ? `the first match is after ${compact(first)} moves; now ${compact(steps)}`
    : 'its first match is in progress'
}

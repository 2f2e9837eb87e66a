/** Effect of search: results of one network with different numbers of simulations. */
import type { GameMatch } from '../../../engine/page/session'
import { simulationsOf } from './players'

/** Mean points per game with its 95 % confidence interval. */
interface Result {
  points: number
  low: number
  high: number
}

export interface SearchEffect {
  /** Mean points per game without search, and with the largest number of simulations. */
  without: Result
  with: Result
  /** Largest number of simulations per move. */
  simulations: number
  /** Number of games of each match. */
  games: number
}

/** Returns the effect of search; null before all matches have ended, or without a match with and one without search. */
export function searchEffect(matches: readonly GameMatch[]): SearchEffect | null {
  if (matches.some(({ played, pairs }) => played < pairs)) return null
  const results = matches.flatMap(({ players, points, interval, played }) => {
    if (points === null || interval === null) return []
    const [low, high] = interval
    return [{ simulations: simulationsOf(players[0]) ?? 0, points, low, high, games: 2 * played }]
  })
  const [without, ...others] = results.sort((a, b) => a.simulations - b.simulations)
  const most = others.at(-1)
  if (without?.simulations !== 0 || !most) return null
  return { without, with: most, simulations: most.simulations, games: most.games }
}

/** Returns which part of the games is played, 0 to 1. */
export const partPlayed = (matches: readonly GameMatch[]): number => {
  // Measured in Connect Four: 30 simulations take as long as the other work for a move, which includes that of minimax.
  const sum = (of: 'played' | 'pairs') =>
    matches.reduce((total, match) => total + match[of] * (1 + (simulationsOf(match.players[0]) ?? 0) / 30), 0)
  return sum('played') / Math.max(1, sum('pairs'))
}

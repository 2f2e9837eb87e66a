/** Effect of search: results of one network with different numbers of simulations. */
import type { GameMatch } from '../../../engine/page/session'
import { simulationsOf } from './players'

export interface SearchEffect {
  /** Mean points per game without search. */
  without: number
  /** Mean points per game with the largest number of simulations. */
  with: number
  /** Largest number of simulations per move. */
  simulations: number
  /** Number of games of each match. */
  games: number
}

/** Returns the effect of search; null before all matches have ended, or without a match with and one without search. */
export function searchEffect(matches: readonly GameMatch[]): SearchEffect | null {
  if (matches.some(({ played, pairs }) => played < pairs)) return null
  const results = matches.map(({ players, points, played }) => ({
    simulations: simulationsOf(players[0]),
    points,
    games: 2 * played,
  }))
  const without = results.find(({ simulations }) => simulations === 0)?.points
  const [most] = results.sort((a, b) => (b.simulations ?? 0) - (a.simulations ?? 0))
  if (!most?.simulations || most.points === null || without === undefined || without === null) return null
  return { without, with: most.points, simulations: most.simulations, games: most.games }
}

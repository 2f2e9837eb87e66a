/** Take points in a money game (Rick Janowski, *Take-Points in Money Games*, 1993). */
import type { DoublingReport } from '../../../engine/page/session'
import { number } from '../../../lib/format'

/** Smallest probabilities of the opponent to win with which a take is right. */
export interface TakePoints {
  /** Without further doubles. */
  dead: number
  /** With perfectly timed redoubles. */
  live: number
}

/**
 * Returns the take points of the opponent of the player on roll in a money game, by the values of wins and losses with gammons and
 * backgammons. `probabilities`: win, gammon, backgammon, lost gammon and lost backgammon of the player on roll. Null if a player always wins.
 */
export function takePoints([
  win,
  gammon,
  backgammon,
  lostGammon,
  lostBackgammon,
]: DoublingReport['probabilities']): TakePoints | null {
  const wins = 1 - win
  if (win <= 0 || wins <= 0) return null
  /** Mean points of a win and of a loss of the opponent. */
  const gain = 1 + (lostGammon + lostBackgammon) / wins
  const loss = 1 + (gammon + backgammon) / win
  return { dead: (loss - 0.5) / (gain + loss), live: (loss - 0.5) / (gain + loss + 0.5) }
}

/** Describes the take points of the opponent of the player on roll; null if they are not known. */
export function takePointsText(probabilities: DoublingReport['probabilities']): string | null {
  const found = takePoints(probabilities)
  if (!found) return null
  const percent = (probability: number) => `${number(100 * probability, 1)}\u00a0%`
  return `Take points: ${percent(found.dead)} (dead cube), ${percent(found.live)} (live cube).`
}

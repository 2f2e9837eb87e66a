/** What the value heads of a network say, for both players. */
import type { ChanceInfo } from '../../session'

export interface Side {
  /** Wins of any kind, 0 to 1; so are those below, which are among them. */
  win: number
  gammon: number
  backgammon: number
}

export interface Outlook {
  seats: readonly [Side, Side]
  draw: number
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value))

/**
 * The chances of `seat` seen from both sides. Heads that are learnt apart may contradict each other a little: a gammon is
 * never likelier than a win.
 */
export function outlook(
  infos: readonly ChanceInfo[],
  chances: readonly number[],
  seat: number,
): Outlook | null {
  if (chances.length === 0 || chances.length !== infos.length) return null
  const of = (name: string): number | null => {
    const at = infos.findIndex((info) => info.name === name)
    return at < 0 ? null : clamp(chances[at]!)
  }
  const win = of('win') ?? 0
  // Where no head tells of losing, whoever does not win loses.
  const lose = Math.min(1 - win, of('lose') ?? 1)
  const draw = 1 - win - lose
  const side = (win: number, gammon: number, backgammon: number): Side => ({
    win,
    gammon: Math.min(win, gammon),
    backgammon: Math.min(win, gammon, backgammon),
  })
  const mine = side(win, of('win_gammon') ?? 0, of('win_backgammon') ?? 0)
  const theirs = side(lose, of('lose_gammon') ?? 0, of('lose_backgammon') ?? 0)
  return { seats: seat === 0 ? [mine, theirs] : [theirs, mine], draw }
}

/** An equity of `seat` for seat 0. */
export function forWhite(equity: number, seat: number): number {
  return seat === 0 ? equity : -equity
}

export const severities = ['fine', 'doubtful', 'error', 'blunder'] as const
export type Severity = (typeof severities)[number]

/** How bad a play is by the points that it loses: the marks that books of backgammon give. */
export function severity(lost: number): Severity {
  return lost < 0.02 ? 'fine' : lost < 0.05 ? 'doubtful' : lost < 0.1 ? 'error' : 'blunder'
}

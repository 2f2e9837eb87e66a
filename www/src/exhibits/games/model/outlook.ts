/** What the value heads of a network say, for both players. */
import { number } from '../../../lib/format'
import type { ChanceInfo, GameAnalysis, GameOutcome } from '../../../engine/page/session'

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

/** How a game stands. */
export interface Standing {
  outlook: Outlook | null
  /** For seat 0; null where it is not known. */
  equity: number | null
  /** Where both come from, in a word or two; empty where nothing is known. */
  source: '' | 'searched' | 'the network alone' | 'over'
}

export const unknown: Standing = { outlook: null, equity: null, source: '' }

/** How a game stands after the best play, as an analysis has it. */
export function standing(infos: readonly ChanceInfo[], analysis: GameAnalysis): Standing {
  return {
    outlook: outlook(infos, analysis.chances, analysis.seat),
    equity: forWhite(analysis.equity, analysis.seat),
    source: analysis.searched ? 'searched' : 'the network alone',
  }
}

/** How a game stands that is over. */
export function ended({ winner, points }: GameOutcome): Standing {
  const side = (seat: number): Side => {
    const won = seat === winner
    return { win: Number(won), gammon: Number(won && points > 1), backgammon: Number(won && points > 2) }
  }
  const draw = Number(winner === null)
  const equity = winner === null ? 0 : forWhite(points, winner)
  return { outlook: { seats: [side(0), side(1)], draw }, equity, source: 'over' }
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value))

/**
 * The chances of `seat` seen from both sides. Heads that are learned apart may contradict each other a little: a gammon is
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
  // Where no head predicts losses, whoever does not win loses.
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

const severities = ['fine', 'doubtful', 'error', 'blunder'] as const
export type Severity = (typeof severities)[number]

/** How bad a play is by the points that it loses: the marks that books of backgammon give. */
export function severity(lost: number): Severity {
  return lost < 0.02 ? 'fine' : lost < 0.05 ? 'doubtful' : lost < 0.1 ? 'error' : 'blunder'
}

/** The title of a play that {@link lostText} says nothing about. */
export const rarelySearched = 'searched too rarely to say'

/** Points that a play loses against the one that was visited most; a dash where its few visits make it look better. */
export const lostText = (lost: number): string => (lost < 0 ? '–' : number(lost, 3))

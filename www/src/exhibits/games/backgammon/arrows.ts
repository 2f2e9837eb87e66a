/** Selects the plays drawn as arrows, and lays the arrows out. */
import type { AnalyzedAction, GameCandidate } from '../../../engine/page/session'
import { held, placeOf, seatOf, type Checkers, type Seat, type Slot } from '../model/checkers'
import type { ShownRollout } from '../model/plays'
import { arrow, spot, type Arrow, type Geometry } from './geometry'
import { joined, onBoard, pathsOf, type CheckerPath, type ShownPlay } from './plays'

/** Maximum number of plays of a search that are drawn. */
const most = 3

/** Play of a list that is sorted by equity, the best play first. */
interface ListedPlay {
  text: string
  paths: readonly CheckerPath[]
  /** Visits of the search; null without a search. */
  visits: number | null
}

/**
 * Returns the plays of a search that are drawn: only the play that the visitor has chosen (`shown`) if there is one. Otherwise the
 * plays with the highest equity, the best one last. The play that was made (`mistake`) is added if it loses equity.
 */
export const searchedArrows = (
  candidates: readonly GameCandidate[],
  seat: Seat,
  shown: string | null,
  mistake: string | null,
): ShownPlay[] =>
  shownPlays(
    candidates.map(({ text, moves, visits }) => ({
      text,
      visits,
      paths: joined(moves.map(({ from, to }) => [from, to] as const)),
    })),
    seat,
    shown,
    mistake,
  )

/** Returns the plays of an analyzed action that are drawn: the chosen play if there is one; otherwise the best one and the play made. */
export const ratedArrows = (
  { candidates, player, play, best }: Pick<AnalyzedAction, 'candidates' | 'player' | 'play' | 'best'>,
  shown: string | null,
): ShownPlay[] =>
  shownPlays(
    candidates.map(({ play }) => ({ text: play, visits: null, paths: pathsOf(play) })),
    seatOf(player),
    shown,
    best === null ? null : play,
  )

/**
 * Returns the plays of a rollout that are drawn: the chosen play if there is one; otherwise the best one, and the play made if it
 * loses equity.
 */
export const rolledArrows = (
  { plays, seat, mistake }: Omit<ShownRollout, 'standing'>,
  shown: string | null,
): ShownPlay[] =>
  shownPlays(
    plays.map((text) => ({ text, visits: null, paths: pathsOf(text) })),
    seat,
    shown,
    mistake,
  )

function shownPlays(
  plays: readonly ListedPlay[],
  seat: Seat,
  shown: string | null,
  mistake: string | null,
): ShownPlay[] {
  const one = plays.find(({ text }) => text === shown)
  const isShown = ({ text, visits }: ListedPlay, i: number) =>
    i === 0 || text === mistake || (visits !== null && i < most)
  const some = one ? [one] : plays.filter(isShown)
  const top = Math.max(1, ...some.map(({ visits }) => visits ?? 0))
  return some
    .map(({ text, paths, visits }, i) => {
      const kind: ShownPlay['kind'] = text === mistake ? 'mistake' : i === 0 ? 'best' : 'other'
      return {
        key: text,
        seat,
        paths: onBoard(seat, paths),
        // At a score, the best play may have no visits.
        weight: kind === 'other' ? (visits ?? 0) / top : 1,
        kind,
      }
    })
    .filter(({ weight }) => weight > 0.04)
    .reverse()
}

export interface DrawnArrow extends Arrow {
  key: string
  /** Width of the shaft. */
  width: number
  opacity: number
  kind: ShownPlay['kind']
}

/** Returns the arrows of plays. A checker leaves a stack at the top and is added at the top. */
export const drawnArrows = (g: Geometry, checkers: Checkers, plays: readonly ShownPlay[]): DrawnArrow[] =>
  plays.flatMap(({ key, seat, paths, weight, kind }) => {
    const gone = new Map<Slot, number>()
    const come = new Map<Slot, number>()
    return paths.map(([from, to], i) => {
      const left = gone.get(from) ?? 0
      gone.set(from, left + 1)
      const added = come.get(to) ?? 0
      come.set(to, added + 1)
      const here = held(checkers, from)?.count ?? 1
      const there = held(checkers, to)
      const base = there && placeOf(seat, to) !== null && there.seat === seat ? there.count : 0
      const begin = spot(g, from, Math.max(0, here - 1 - left), here)
      const end = spot(g, to, base + added, base + added + 1)
      return {
        ...{ key: `${key}/${i}`, kind, ...arrow(g, begin, end) },
        width: Math.max(2, g.checker * (0.05 + 0.09 * weight)),
        opacity: 0.25 + 0.75 * weight,
      }
    })
  })

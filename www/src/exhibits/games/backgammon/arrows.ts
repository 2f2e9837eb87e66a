/** Selects the plays drawn as arrows, and their weights. */
import type { GameCandidate } from '../../../engine/page/session'
import type { Seat } from '../model/checkers'
import { joined, onBoard, type ShownPlay } from './plays'

/** Maximum number of plays drawn. */
const most = 3

/** Returns the hovered play if there is one; otherwise the plays with the highest equity, best play last. */
export function shownPlays(
  candidates: readonly GameCandidate[],
  seat: Seat,
  pointed: number | null,
): ShownPlay[] {
  const one = pointed === null ? undefined : candidates[pointed]
  const some = one ? [one] : candidates.slice(0, most)
  const top = Math.max(1, ...some.map(({ visits }) => visits))
  return some
    .map((candidate, i) => ({
      key: candidate.text,
      seat,
      paths: onBoard(seat, joined(candidate.moves.map(({ from, to }) => [from, to] as const))),
      // At a score, the best play may have no visits.
      weight: one || i === 0 ? 1 : candidate.visits / top,
      best: i === 0,
    }))
    .filter(({ weight }) => weight > 0.04)
    .reverse()
}

/** Which plays are drawn on the board, and how boldly. */
import type { GameCandidate } from '../../../engine/page/session'
import type { Seat } from '../model/checkers'
import { joined, onBoard, type ShownPlay } from './plays'

/** More arrows than those of these plays cannot be told apart. */
const most = 3

/** The one that is pointed at alone; otherwise the first few by how often they were visited, the best one last. */
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
      ways: onBoard(seat, joined(candidate.moves.map(({ from, to }) => [from, to] as const))),
      weight: one ? 1 : candidate.visits / top,
      best: i === 0,
    }))
    .filter(({ weight }) => weight > 0.04)
    .reverse()
}

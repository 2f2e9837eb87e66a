/** Milestone of a run: the network is as strong as a reference player. */
import type { WorldOf } from '../../../worlds'

/** Metric of the win rate against the reference player of the milestone. */
export const milestoneMetrics = {
  'connect-four': 'wins_minimax_4',
  backgammon: 'wins_pubeval',
} as const satisfies Record<WorldOf<'games'>, string>

/**
 * Returns whether the network won half of the games of its last three matches against the reference player. A single
 * match is too noisy.
 */
export const reachesMilestone = (
  world: WorldOf<'games'>,
  recent: Readonly<Record<string, number>>,
): boolean => (recent[milestoneMetrics[world]] ?? 0) >= 0.5

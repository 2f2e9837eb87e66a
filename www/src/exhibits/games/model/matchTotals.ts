/** Ratings and totals of both players of an analyzed match. */
import type { AnalyzedMatch, AnalyzedTotal } from '../../../engine/page/session'
import { number } from '../../../lib/format'
import { points, type LossScale } from './matchAnalysis'
import { rolledCounts } from './rolledActions'

const rateText = (value: number | null): string => (value === null ? '–' : number(value, 1))

/** Returns the performance rating (PR) of each player, and the source of the losses. */
export function matchRatings({
  games,
  players,
  totals,
}: Pick<AnalyzedMatch, 'games' | 'players' | 'totals'>): {
  ratings: { name: string; rating: string }[]
  source: string
} {
  const rolled = rolledCounts(games.flatMap(({ actions }) => actions)).some((count) => count > 0)
  return {
    ratings: players.map((name, player) => ({
      name,
      rating: rateText(totals[player]?.performance_rating ?? null),
    })),
    source: `by this network${rolled ? ' and its rollouts' : ''}, not by a reference program`,
  }
}

/** Row of a table with a value of each player. */
export interface TotalRow {
  label: string
  values: readonly string[]
}

/** Returns the totals of both players in a match, or in a game, as rows. */
export function totalRows(
  { totals, result, length }: Pick<AnalyzedMatch, 'totals' | 'result' | 'length'>,
  { difference, format }: LossScale,
): TotalRow[] {
  const row = (label: string, value: (total: AnalyzedTotal) => string): TotalRow => ({
    label,
    values: [value(totals[0]), value(totals[1])],
  })
  const worth = (value: number) => (length === 0 ? format(value) : `${number(100 * value, 2)}\u00a0%`)
  const results = (label: string, [mine, theirs]: [number, number]): TotalRow => ({
    label: `${label}${length === 0 ? ', points' : ''}`,
    values: [worth(mine), worth(theirs)],
  })
  return [
    row('Error rate', ({ error_rate }) => rateText(error_rate)),
    row('PR', ({ performance_rating }) => rateText(performance_rating)),
    row('Plays', ({ plays }) => String(plays)),
    row('Loss of plays', ({ play_error }) => difference(points(play_error))),
    row('Doubling decisions', ({ doubling_decisions }) => String(doubling_decisions)),
    row('Loss of doubling', ({ doubling_error }) => difference(points(doubling_error))),
    row('Blunders (? and ??)', ({ blunders }) => String(blunders)),
    row('Luck', ({ luck }) => format(points(luck))),
    ...(result ? [results('Result', result.actual), results('Luck-adjusted', result.luck_adjusted)] : []),
  ]
}

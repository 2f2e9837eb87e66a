/** Analysis of a match, by the turns of its games. */
import type { AnalyzedAction, AnalyzedGame, AnalyzedMatch, AnalyzedTotal } from '../../../engine/page/session'
import { number } from '../../../lib/format'
import type { Scale } from './texts'

/** Formats of equities and losses. */
export type LossScale = Pick<Scale, 'difference' | 'format'>

/** The rated actions of a turn: doubling decisions, and the play if there is one. */
export interface AnalyzedTurn {
  doubling: readonly AnalyzedAction[]
  play: AnalyzedAction | null
}

/** Returns the turns of a game; the last one has no play if the game ends with a double that is passed. */
export function analyzedTurns(game: AnalyzedGame | undefined): AnalyzedTurn[] {
  const turns: AnalyzedTurn[] = []
  let doubling: AnalyzedAction[] = []
  for (const action of game?.actions ?? []) {
    if (action.action === 'play') {
      turns.push({ doubling, play: action })
      doubling = []
    } else doubling.push(action)
  }
  return doubling.length > 0 ? [...turns, { doubling, play: null }] : turns
}

/** Number of rated plays of a match. */
export const ratedPlays = (games: readonly AnalyzedGame[]): number =>
  games.flatMap(({ actions }) => actions).filter(({ action }) => action === 'play').length

/**
 * Returns game and turn of the next play, or doubling decision before a play, that is marked as an error, after a turn of the game
 * `index`; after the last error the first one. Returns null without an error.
 */
export function nextError(
  games: readonly AnalyzedGame[],
  index: number,
  turn: number | null,
): [index: number, turn: number] | null {
  const isError = ({ doubling, play }: AnalyzedTurn) =>
    play !== null && [...doubling, play].some(({ mark }) => mark !== null)
  const errors = games.flatMap((game, i) =>
    analyzedTurns(game).flatMap((analyzed, t) => (isError(analyzed) ? [[i, t] as [number, number]] : [])),
  )
  const isLater = ([i, t]: [number, number]) => i > index || (i === index && t > (turn ?? -1))
  return errors.find(isLater) ?? errors[0] ?? null
}

/** Converts millipoints to points. */
export const points = (millipoints: number): number => millipoints / 1000

/** Least luck in millipoints of the marks of GNU Backgammon. */
const lucky = 300
const veryLucky = 600

/** Returns the mark of a roll's luck in millipoints: ++, +, −, −− or none. */
export function luckMark(luck: number): string {
  const sign = luck > 0 ? '+' : '−'
  return Math.abs(luck) >= veryLucky ? sign + sign : Math.abs(luck) >= lucky ? sign : ''
}

const names: Record<AnalyzedAction['action'], string> = {
  play: 'The play',
  double: 'The double',
  'no double': 'Not to double',
  take: 'The take',
  pass: 'The pass',
}

/** Describes a turn in sentences: errors with the best action, and the luck of the roll. */
export function describeTurn({ doubling, play }: AnalyzedTurn, { difference, format }: LossScale): string {
  const errors = [...doubling, play]
    .filter((action) => action !== null)
    .filter(({ best }) => best !== null)
    .map(
      ({ action, error, mark, best }) =>
        `${names[action]} loses ${difference(points(error))}${mark ? ` (${mark})` : ''}; best: ${best}.`,
    )
  if (!play) return errors.join(' ')
  const verdict = play.forced ? ['The only legal play.'] : play.best === null ? ['The best play.'] : []
  return [...errors, ...verdict, `Luck of the roll: ${format(points(play.luck ?? 0))}.`].join(' ')
}

/** Row of a table with a value of each player. */
export interface TotalRow {
  label: string
  values: [string, string]
}

/** Returns the totals of both players as rows. */
export function totalRows(
  { totals, result, length }: AnalyzedMatch,
  { difference, format }: LossScale,
): TotalRow[] {
  const row = (label: string, value: (total: AnalyzedTotal) => string): TotalRow => ({
    label,
    values: [value(totals[0]), value(totals[1])],
  })
  const optional = (value: number | null) => (value === null ? '–' : number(value, 1))
  const worth = (value: number) => (length === 0 ? format(value) : `${number(100 * value, 2)}\u00a0%`)
  const results = (label: string, [mine, theirs]: [number, number]): TotalRow => ({
    label: `${label}${length === 0 ? ', points' : ''}`,
    values: [worth(mine), worth(theirs)],
  })
  return [
    row('Error rate', ({ error_rate }) => optional(error_rate)),
    row('PR', ({ performance_rating }) => optional(performance_rating)),
    row('Plays', ({ plays }) => String(plays)),
    row('Loss of plays', ({ play_error }) => difference(points(play_error))),
    row('Doubling decisions', ({ doubling_decisions }) => String(doubling_decisions)),
    row('Loss of doubling', ({ doubling_error }) => difference(points(doubling_error))),
    row('Blunders (? and ??)', ({ blunders }) => String(blunders)),
    row('Luck', ({ luck }) => format(points(luck))),
    ...(result ? [results('Result', result.actual), results('Luck-adjusted', result.luck_adjusted)] : []),
  ]
}

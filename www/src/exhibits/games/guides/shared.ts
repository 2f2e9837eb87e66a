/** Steps that the guided paths of the games share. */
import { compact, number } from '../../../lib/format'
import {
  ranges,
  step,
  trainFast,
  trainNew,
  type Action,
  type Answer,
  type Figure,
  type GuideStep,
  type Values,
} from '../../shared/guide/guide'
import type { RootVisits } from '../model/tree'
import type { Scale } from '../model/texts'

const games: Figure = { progress: 'episodes' }
const moves: Figure = { progress: 'steps' }
const seconds: Figure = { run: 'seconds' }
/** Change of the mean share of won games that counts as none. */
const level = 0.03
/** Half a minute, in seconds. */
const halfMinute = 30
/** Formats a count with separators of thousands. */
export const count = (value: number) => value.toLocaleString('en')
export const equity: Figure = { element: 'equity' }
/** 1 if the search of the displayed position has ended, else 0. */
export const complete: Figure = { element: 'equity', attribute: 'complete' }
/** Hides the analysis, so that the page does not show the answer of a step. */
export const hideHints: readonly Action[] = [
  {
    kind: 'unless',
    figure: { element: 'hint', missing: 0 },
    is: 0,
    does: [{ kind: 'click', element: 'hint' }],
  },
]
/** Pauses training, so that the page keeps the values that the outcome states. */
export const pause: readonly Action[] = [{ kind: 'learn', on: false }]

/** Guesses of a number of games. */
const gameCounts = ranges([100, 1000], (count) => number(count, 0))

/** Returns a guide step that trains a new network at full speed and counts its games of self-play. */
export const selfPlayStep = (text: string): GuideStep =>
  step({
    title: 'Self-play',
    text,
    question: 'How many games does the network play in half a minute?',
    guesses: gameCounts.guesses,
    target: 'living-view',
    action: { label: 'Train a new network', does: trainNew },
    figures: { games, moves, seconds },
    progress: ({ seconds = 0 }) => seconds / halfMinute,
    outcome: ({ games, moves, seconds }) => {
      if (games === undefined || moves === undefined || seconds === undefined || games <= 0) return null
      const text = `The new network has made ${compact(moves)} moves in ${compact(games)} games of self-play, in ${number(seconds, 0)} s.`
      return seconds < halfMinute ? text : { text, right: gameCounts.indexOf(games) }
    },
    isFinal: ({ seconds = 0 }) => seconds >= halfMinute,
    finish: pause,
  })

/** Metrics of the win rates against reference players, each with the name of the player. */
type Opponents<Names extends string> = Readonly<Record<Names, readonly [name: string, metric: string]>>

/** Returns a guide step about the results against reference players. */
export function ladderStep<Names extends string>(text: string, opponents: Opponents<Names>): GuideStep {
  /** Whether all opponents were met, and training has continued for half a minute. */
  const isMeasured = (now: Values, then: Values): boolean =>
    Object.keys(opponents).every((name) => now[name] !== undefined) &&
    now.seconds !== undefined &&
    now.seconds - (then.seconds ?? now.seconds) >= halfMinute
  return step<string>({
    title: 'Strength against fixed players',
    text,
    question: 'Does it win more against them after half a minute of training?',
    guesses: ['More', 'About as much', 'Less'],
    target: 'ladder',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      ...Object.fromEntries(
        Object.entries<Opponents<Names>[Names]>(opponents).map(([name, [, metric]]) => [
          name,
          { recent: metric },
        ]),
      ),
      seconds,
    },
    outcome: (now, then) => {
      const resultsOf = (values: typeof now) =>
        Object.entries<Opponents<Names>[Names]>(opponents).flatMap(([name, [player]]) => {
          const wins = values[name]
          return wins === undefined ? [] : [{ player, wins }]
        })
      const results = resultsOf(now)
      if (results.length === 0) return null
      const list = results.map(({ player, wins }) => `${player} ${number(100 * wins, 0)} %`).join(', ')
      const meanOf = (list: typeof results) => list.reduce((sum, { wins }) => sum + wins, 0) / list.length
      const [mean, before] = [meanOf(results), meanOf(resultsOf(then))]
      const text = `It wins ${number(100 * mean, 0)} % of the games on average${Number.isNaN(before) ? '' : ` (before: ${number(100 * before, 0)} %)`}: ${list}. These are means of the last three matches, a draw counts half. The chart shows all matches since the start of the run.`
      if (!isMeasured(now, then)) return `Measuring: ${text}`
      const change = mean - before
      const [right, cause] =
        change > level
          ? [0, 'It has become stronger because it has learned from more games.']
          : change >= -level
            ? [
                1,
                'Half a minute is too short for a clear change: compare the ends of the curves with their starts.',
              ]
            : [2, 'A strength can fall for a while, because the network changes in many positions at once.']
      return { text: `${text} ${cause}`, right: right as number }
    },
    isFinal: isMeasured,
    progress: ({ seconds = 0 }, then) => (seconds - (then.seconds ?? seconds)) / halfMinute,
    finish: pause,
  })
}

/** Figures of the step about the search tree. */
interface TreeFigures extends RootVisits {
  /** Number of states in the tree. */
  states: number
}

/**
 * Returns a guide step that unfolds the search tree, which is hidden while a guide is open. `outcome` describes the tree of the
 * complete search.
 */
export const treeStep = (
  texts: Pick<GuideStep, 'text' | 'question' | 'guesses'>,
  outcome: (figures: TreeFigures) => string | Answer,
): GuideStep =>
  step({
    title: 'The search tree',
    ...texts,
    target: 'tree',
    setup: [{ kind: 'fill', element: 'tree-depth', value: '-1' }],
    action: {
      label: 'Unfold the best line',
      does: [{ kind: 'fill', element: 'tree-depth', value: '6' }],
    },
    figures: {
      complete,
      depth: { element: 'tree-depth' },
      states: { element: 'tree-size' },
      all: { element: 'tree', attribute: 'visits' },
      most: { element: 'tree', attribute: 'most' },
      moves: { element: 'tree', attribute: 'moves' },
    },
    outcome: ({ complete, depth, states, all, most, moves }) =>
      complete === 1 &&
      depth === 6 &&
      states !== undefined &&
      all !== undefined &&
      most !== undefined &&
      moves !== undefined
        ? outcome({ states, all, most, moves })
        : null,
  })

/** Gain by search, in points per game, that separates the guesses. */
export const searchGain = 0.3

/** Question of the step about search, name of the opponent, and number of pairs of games in each match. */
interface SearchTexts extends Pick<GuideStep, 'question' | 'guesses'> {
  opponent: string
  pairs: number
}

/**
 * Returns a guide step that measures one network with different numbers of simulations. `guesses`: no certain gain, a gain
 * below {@link searchGain}, a larger gain. `unseen`: the reason why these games may not show a gain, with other measurements.
 */
export const searchStep = (
  { brief, unit, gain }: Pick<Scale, 'brief' | 'unit' | 'gain'>,
  { opponent, pairs, ...texts }: SearchTexts,
  unseen = '',
): GuideStep => {
  const result = (points: number) => `${brief(points)} ${unit}`
  return step({
    title: 'What search adds',
    text: `How much does looking ahead help? The trained network plays matches against ${opponent}: without [search](search), and with more and more [simulations](simulation) per move. Both sides begin equally often.`,
    ...texts,
    target: 'match-results',
    also: 'match-who',
    action: {
      label: `Measure in ${2 * pairs} games each`,
      does: [
        { kind: 'fill', element: 'match-pairs', value: String(pairs) },
        { kind: 'fill', element: 'match-most', value: '100' },
        { kind: 'click', element: 'match-start' },
      ],
    },
    running: 'Playing',
    stop: [{ kind: 'click', element: 'match-stop', optional: true }],
    figures: {
      points: { element: 'match-points' },
      newest: { element: 'match-results', attribute: 'newest' },
      newestSimulations: { element: 'match-results', attribute: 'newestSimulations' },
      simulations: { element: 'match-results', attribute: 'simulations' },
      games: { element: 'match-results', attribute: 'games' },
      without: { element: 'match-results', attribute: 'without' },
      withoutLow: { element: 'match-results', attribute: 'withoutLow' },
      withoutHigh: { element: 'match-results', attribute: 'withoutHigh' },
      with: { element: 'match-results', attribute: 'with' },
      withLow: { element: 'match-results', attribute: 'withLow' },
      withHigh: { element: 'match-results', attribute: 'withHigh' },
      played: { element: 'match-results', attribute: 'played' },
    },
    progress: ({ played = 0 }) => played,
    outcome: ({
      points,
      newest,
      newestSimulations = 0,
      simulations,
      games,
      without,
      withoutLow = 0,
      withoutHigh = 0,
      with: searched,
      withLow = 0,
      withHigh = 0,
    }) => {
      if (points === undefined) return null
      if (simulations === undefined || games === undefined || without === undefined || searched === undefined)
        return newest === undefined || newestSimulations === 0
          ? `Measuring: without search the network wins ${result(points)} so far.`
          : `Measuring: without search the network wins ${result(points)}; with ${count(newestSimulations)} simulations per move, ${brief(newest)} so far.`
      const added = searched - without
      const isCertain = withLow > withoutHigh
      const effect = isCertain
        ? `Search adds ${gain(added)}, because looking ahead corrects the first sight of the network`
        : withHigh < withoutLow
          ? 'With so few simulations search makes this network weaker'
          : 'These games do not show that search helps: the intervals overlap'
      const range = (low: number, high: number) => `(${brief(low)} to ${brief(high)})`
      const text = `${effect}. With ${count(simulations)} simulations per move the network wins ${result(searched)} ${range(withLow, withHigh)}; without search, ${result(without)} ${range(withoutLow, withoutHigh)}. In brackets: the 95 % confidence intervals of ${games} games each.${isCertain ? '' : unseen}`
      return { text, right: !isCertain ? 0 : added < searchGain ? 1 : 2 }
    },
  })
}

/** Steps that the guided paths of the games share. */
import { compact, number, short } from '../../../lib/format'
import {
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
/** Half a minute, in seconds. */
const halfMinute = 30
/** Formats a count with separators of thousands. */
export const count = (value: number) => value.toLocaleString('en')
/** Formats the number of games in a time, and their rate, which is computed from the displayed time; no rate for 0.0 s. */
export function gamesIn(games: number, seconds: number): string {
  const shown = Math.round(10 * seconds) / 10
  const rate = shown > 0 ? `, ${count(Math.round((60 * games) / shown))} per minute` : ''
  return `${count(games)} games in ${number(shown)} s${rate}`
}
export const equity: Figure = { element: 'equity' }
/** 1 if the search of the displayed position has ended, else 0. */
export const complete: Figure = { element: 'equity', attribute: 'complete' }
/** Hides the analysis: before a step, which asks for it, and after the step, whose button has shown it. */
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

/** Relative change of the mean length of games that counts as none. */
const similarLength = 0.05

/** Direction in which the length of the games of self-play is expected to change, and its reason. */
interface LengthChange {
  direction: 'longer' | 'shorter'
  /** Clause. */
  cause: string
}

/** Returns a guide step that trains a new network at full speed and compares the length of its games of self-play. */
export const selfPlayStep = (text: string, expected: LengthChange): GuideStep =>
  step({
    title: 'Self-play',
    text,
    question: 'How does the length of the games change while the network learns?',
    guesses: ['They become longer', 'They become shorter', 'It hardly changes'],
    usually: `the games become ${expected.direction}: ${expected.cause}.`,
    target: 'living-view',
    action: { label: 'Train a new network', does: trainNew },
    figures: {
      games,
      seconds,
      length: { metric: 'game_length' },
      firstLength: { first: 'game_length' },
      moves: { progress: 'steps' },
      generation: { field: 'self_play.generation' },
    },
    progress: ({ seconds = 0 }) => seconds / halfMinute,
    outcome: ({ games, seconds, length, firstLength, moves = 0, generation }) => {
      if (games === undefined || seconds === undefined || games <= 0) return null
      if (length === undefined && generation !== undefined)
        return `Measuring: the chart of the game length begins after the first round of ${compact(generation)} moves; now ${compact(moves)}.`
      // Two measurements are never exactly equal.
      if (seconds < halfMinute || length === undefined || firstLength === undefined || length === firstLength)
        return `Measuring: ${compact(games)} games of self-play in ${number(seconds, 0)} s.${seconds < halfMinute ? '' : ' The chart needs another point, which follows when the network has learned from more games.'}`
      const change = length / firstLength - 1
      const direction = Math.abs(change) < similarLength ? 'similar' : change > 0 ? 'longer' : 'shorter'
      const cause = direction === expected.direction ? `: ${expected.cause}` : ''
      return {
        text: `A game took ${short(firstLength)} moves on average at the start of the chart, and ${short(length)} at its end${cause}. The new network has played ${gamesIn(games, seconds)}.`,
        right: ['longer', 'shorter', 'similar'].indexOf(direction),
      }
    },
    isFinal: ({ seconds = 0, length, firstLength }) =>
      seconds >= halfMinute && length !== undefined && length !== firstLength,
    finish: pause,
  })

/** Returns the figures of a curve of the chart of the results against reference players. */
const curve = (place: number) => {
  const element = `ladder-${place}`
  return {
    [`last${place}`]: { element },
    [`low${place}`]: { element, attribute: 'low' },
  }
}

/**
 * Returns a guide step about the newest results against reference players, in a chart that the step hides until then.
 * `opponents`: their names within a sentence, from the easiest to the hardest. `hardest`: metric of the last one.
 */
export function ladderStep(
  { brief, results: unit }: Pick<Scale, 'brief' | 'results'>,
  text: string,
  opponents: readonly string[],
  hardest: string,
): GuideStep {
  /** Whether a match has ended whose network was trained after the click, besides the first match. */
  const isMeasured = ({ matches, steps }: Values, then: Values): boolean =>
    matches !== undefined &&
    steps !== undefined &&
    matches > (then.matches ?? matches) &&
    matches > (then.steps ?? steps)
  return step<string>({
    title: 'Strength against fixed players',
    text: `${text} The button continues training until the next matches, and shows the results of all matches so far. The band around a curve shows how much of a result can be chance; in a clear win the whole band is above “even”, the dashed line.`,
    usually: `the network beats ${opponents[0]} first, and ${opponents.at(-1)} last.`,
    question: 'How many of these players does the network clearly beat in its newest matches?',
    guesses: ['At most one', 'Some, but not all', 'All of them'],
    target: 'ladder',
    shows: ['ladder', 'steps'],
    reveals: ['ladder'],
    action: { label: 'Continue training', does: trainFast },
    figures: {
      ...(Object.assign({}, ...opponents.map((_, place) => curve(place))) as Record<string, Figure>),
      matches: { 'last-steps': hardest },
      steps: moves,
    },
    outcome: (now, then) => {
      if (now.steps === undefined) return null
      const results = opponents.flatMap((name, place) => {
        const [last, low] = [now[`last${place}`], now[`low${place}`]]
        return last === undefined || low === undefined ? [] : [{ text: `${name} ${brief(last)}`, low }]
      })
      if (!isMeasured(now, then) || results.length < opponents.length)
        return 'Measuring: the next matches begin when the network has learned from more games.'
      const beaten = results.filter(({ low }) => low > 0).length
      const list = (isBeaten: boolean) =>
        results.flatMap(({ text, low }) => (low > 0 === isBeaten ? [text] : [])).join(', ')
      const parts = [
        ...(beaten > 0 ? [list(true)] : []),
        ...(beaten < results.length ? [`not clearly above “even”: ${list(false)}`] : []),
      ]
      return {
        text: `The network clearly beats ${beaten} of ${results.length} players. ${unit} in the newest matches: ${parts.join('; ')}.`,
        right: beaten <= 1 ? 0 : beaten < results.length ? 1 : 2,
      }
    },
    isFinal: isMeasured,
    finish: pause,
  })
}

/** Figures of the step about the search tree. */
interface TreeFigures extends RootVisits {
  /** Number of states in the tree. */
  states: number
  /** Number of moves after which the best line ends the game; 0 if it does not. */
  end: number
}

/**
 * Returns a guide step that unfolds the search tree, which is hidden while a guide is open. `setup`: sets up a position. `outcome`
 * describes the tree of the complete search.
 */
export const treeStep = (
  { setup = [], ...texts }: Pick<GuideStep, 'text' | 'question' | 'guesses' | 'setup' | 'usually'>,
  outcome: (figures: TreeFigures) => string | Answer,
): GuideStep =>
  step({
    title: 'The search tree',
    ...texts,
    target: 'tree',
    // The tree has a board of its own.
    hidesPicture: true,
    shows: [],
    setup: [...setup, { kind: 'fill', element: 'tree-depth', value: '-1' }],
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
      end: { element: 'tree', attribute: 'end' },
    },
    outcome: ({ complete, depth, states, all, most, moves, end }) =>
      complete === 1 &&
      depth === 6 &&
      states !== undefined &&
      all !== undefined &&
      most !== undefined &&
      moves !== undefined &&
      end !== undefined
        ? outcome({ states, all, most, moves, end })
        : null,
  })

/** Gain by search, in points per game, that separates the guesses. */
export const searchGain = 0.3

/** Question of the step about search, and its matches. */
interface SearchTexts extends Pick<GuideStep, 'question' | 'guesses'> {
  /** The network that plays, as the subject of a sentence. */
  player?: string
  opponent: string
  /** Number of pairs of games in each match. */
  pairs: number
  /** Sentence about the count of the results. */
  counting?: string
}

/**
 * Returns a guide step that measures one network with different numbers of simulations. `guesses`: no certain gain, a gain
 * below {@link searchGain}, a larger gain. `unseen`: other measurements, if these games show no gain.
 */
export const searchStep = (
  { brief, unit, gain }: Pick<Scale, 'brief' | 'unit' | 'gain'>,
  { player = 'The pretrained network', opponent, pairs, counting = '', ...texts }: SearchTexts,
  unseen = '',
): GuideStep => {
  const result = (points: number) => `${brief(points)} ${unit}`
  /** The fields show what the button measures. */
  const selected: readonly Action[] = [
    { kind: 'fill', element: 'match-pairs', value: String(pairs) },
    { kind: 'fill', element: 'match-most', value: '100' },
  ]
  return step({
    title: 'What search adds',
    text: `How much does looking ahead help? ${player} plays matches against ${opponent}: without [search](search), and with more and more [simulations](simulation) per move. Both sides begin equally often. ${counting}`.trim(),
    ...texts,
    target: 'match-results',
    also: 'match-who',
    // The button of the panel would measure without an outcome.
    shows: ['match-results', 'match-pairs'],
    setup: selected,
    action: {
      label: `Measure in ${2 * pairs} games each`,
      does: [
        ...selected,
        { kind: 'click', element: 'match-start' },
        // A paused run plays one game in each frame. Training does not change the players of matches that have started.
        ...trainFast,
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
    isSteady: true,
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
        ? `Search adds ${gain(added)}: the bars of both results, which show how much can be chance, do not overlap`
        : withHigh < withoutLow
          ? 'With so few simulations search makes this network weaker'
          : 'These games do not show that search helps: the bars of both results, which show how much can be chance, overlap'
      const text = `With ${count(simulations)} simulations per move the network wins ${result(searched)}; without search, ${result(without)}. ${effect}.${isCertain ? '' : unseen}`
      return { text, right: !isCertain ? 0 : added < searchGain ? 1 : 2 }
    },
    isFinal: ({ simulations }) => simulations !== undefined,
    finish: pause,
  })
}

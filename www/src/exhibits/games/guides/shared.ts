/** Steps that the guided paths of the games share. */
import { compact, number } from '../../../lib/format'
import {
  ranges,
  step,
  trainFast,
  trainNew,
  type Answer,
  type Figure,
  type GuideStep,
} from '../../shared/guide/guide'
import { isWin } from '../model/ladder'
import type { RootVisits } from '../model/tree'

const games: Figure = { progress: 'episodes' }
const moves: Figure = { progress: 'steps' }
const seconds: Figure = { run: 'seconds' }
/** Half a minute, in seconds. */
const half = 30
/** Formats a count with separators of thousands. */
export const count = (value: number) => value.toLocaleString('en')
export const equity: Figure = { element: 'equity' }
export const signed = (value: number, digits = 3) => `${value > 0 ? '+' : ''}${number(value, digits)}`

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
    outcome: ({ games, moves, seconds }) => {
      if (games === undefined || moves === undefined || seconds === undefined || games <= 0) return null
      const text = `The new network has made ${compact(moves)} moves in ${compact(games)} games, in ${number(seconds, 0)} s.`
      return seconds < half ? text : { text, right: gameCounts.indexOf(games) }
    },
    isFinal: ({ seconds = 0 }) => seconds >= half,
  })

/** Metrics of the win rates against reference players, each with the name of the player. */
type Opponents<Names extends string> = Readonly<Record<Names, readonly [name: string, metric: string]>>

/** Returns a guide step about the results against reference players. */
export const ladderStep = <Names extends string>(text: string, opponents: Opponents<Names>): GuideStep =>
  step<string>({
    title: 'Strength against fixed players',
    text,
    question: 'Which opponents does the network beat?',
    guesses: ['None yet', 'Some', 'All'],
    target: 'ladder',
    action: { label: 'Continue training', does: trainFast },
    figures: Object.fromEntries(
      Object.entries<Opponents<Names>[Names]>(opponents).map(([name, [, metric]]) => [name, { metric }]),
    ),
    outcome: (now) => {
      const results = Object.entries<Opponents<Names>[Names]>(opponents).flatMap(([name, [player]]) => {
        const wins = now[name]
        return wins === undefined ? [] : [{ player, wins }]
      })
      results.sort((a, b) => b.wins - a.wins)
      const [best] = results
      if (!best) return null
      const list = results.map(({ player, wins }) => `${player} ${number(100 * wins, 0)} %`).join(', ')
      const beaten = results.flatMap(({ player, wins }) => (isWin(wins) ? [player] : []))
      const text = `${beaten.length > 0 ? `It beats ${beaten.join(', ')}` : 'It beats no opponent yet'}. Games won, a draw counts half: ${list}.`
      const measured = results.length === Object.keys(opponents).length
      const right = beaten.length === 0 ? 0 : beaten.length < results.length ? 1 : 2
      return measured ? { text, right } : text
    },
  })

/** Figures of the step about the search tree. */
interface TreeFigures extends RootVisits {
  /** Number of states in the tree. */
  states: number
}

/** Returns a guide step that unfolds the search tree. `outcome` describes the tree. */
export const treeStep = (
  texts: Pick<GuideStep, 'text' | 'question' | 'guesses'>,
  outcome: (figures: TreeFigures) => string | Answer,
): GuideStep =>
  step({
    title: 'The search tree',
    ...texts,
    target: 'tree',
    action: {
      label: 'Unfold the best line',
      does: [{ kind: 'fill', element: 'tree-depth', value: '6' }],
    },
    figures: {
      depth: { element: 'tree-depth' },
      states: { element: 'tree-size' },
      all: { element: 'tree', attribute: 'visits' },
      most: { element: 'tree', attribute: 'most' },
      moves: { element: 'tree', attribute: 'moves' },
    },
    outcome: ({ depth, states, all, most, moves }) =>
      depth === 6 && states !== undefined && all !== undefined && most !== undefined && moves !== undefined
        ? outcome({ states, all, most, moves })
        : null,
  })

/** Guide step that measures one network with different numbers of simulations. */
export const searchStep: GuideStep = step({
  title: 'What search adds',
  text: 'How much does looking ahead help? In a match the trained network plays without [search](search), and with more and more [simulations](simulation) per move. Both sides begin equally often.',
  question: 'How many points per game does search add?',
  guesses: ['None', 'Under 0.3', '0.3 or more'],
  target: 'match-results',
  also: 'match-who',
  action: {
    label: 'Measure in 20 games each',
    does: [
      { kind: 'fill', element: 'match-pairs', value: '10' },
      { kind: 'click', element: 'match-start' },
    ],
  },
  figures: {
    points: { element: 'match-points', attribute: 'text' },
    simulations: { element: 'match-results', attribute: 'simulations' },
    games: { element: 'match-results', attribute: 'games' },
    without: { element: 'match-results', attribute: 'without' },
    with: { element: 'match-results', attribute: 'with' },
  },
  outcome: ({ points, simulations, games, without, with: searched }) => {
    if (points === undefined) return null
    if (simulations === undefined || games === undefined || without === undefined || searched === undefined)
      return `Not known yet: the matches are in progress. Without search the network wins ${signed(points, 2)} points per game so far. The marked rows show the same network with search.`
    const added = searched - without
    const effect =
      added > 0 ? `Search adds ${number(added, 2)} points per game` : 'Search adds nothing in these games'
    const text = `${effect}. With ${count(simulations)} simulations per move the network wins ${signed(searched, 2)} points per game; without search, ${signed(without, 2)}. The bars show how uncertain the results of ${games} games are.`
    return { text, right: added <= 0 ? 0 : added < 0.3 ? 1 : 2 }
  },
})

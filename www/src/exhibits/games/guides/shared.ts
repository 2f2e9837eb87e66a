/** Steps that the guided paths of the games share. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Figure, type GuideStep } from '../../shared/guide/guide'

const games: Figure = { progress: 'episodes' }
const moves: Figure = { progress: 'steps' }
export const equity: Figure = { element: 'equity' }
export const signed = (value: number, digits = 3) => `${value > 0 ? '+' : ''}${number(value, digits)}`

/** Returns a guide step that trains at full speed and counts the games of self-play. */
export const selfPlayStep = (text: string): GuideStep =>
  step({
    title: 'Self-play',
    text,
    question: 'How many games does the network play in half a minute?',
    target: 'living-view',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { games, moves },
    outcome: ({ games, moves }, then) =>
      games !== undefined && moves !== undefined && games > (then.games ?? 0)
        ? `${compact(games - (then.games ?? 0))} more games have ended. The network has made ${compact(moves)} moves in ${compact(games)} games so far.`
        : null,
  })

/**
 * Returns a guide step that unfolds the search tree. `outcome` describes the tree; it receives the number of states.
 */
export const treeStep = (
  texts: Pick<GuideStep, 'text' | 'question'>,
  outcome: (states: string) => string,
): GuideStep =>
  step({
    title: 'The search tree',
    ...texts,
    target: 'tree',
    action: {
      label: 'Unfold the best line',
      does: [{ kind: 'fill', element: 'tree-depth', value: '6' }],
    },
    figures: { depth: { element: 'tree-depth' }, size: { element: 'tree-size' } },
    outcome: ({ depth, size }) =>
      depth === 6 && size !== undefined ? outcome(size.toLocaleString('en')) : null,
  })

/** Guide step that measures one network with different numbers of simulations. */
export const searchStep: GuideStep = step({
  title: 'What search adds',
  text: 'A match measures the trained network without search and with different numbers of simulations, with swapped seats.',
  question: 'How many points per game does search add?',
  target: 'match-who',
  action: {
    label: 'Measure in 20 games each',
    does: [
      { kind: 'fill', element: 'match-pairs', value: '10' },
      { kind: 'click', element: 'match-start' },
    ],
  },
  figures: { points: { element: 'match-points', attribute: 'text' } },
  outcome: ({ points }) =>
    points !== undefined
      ? `Without search the trained network has ${signed(points, 2)} points per game so far. The rows below are the same network with search; compare them when the match has ended.`
      : null,
})

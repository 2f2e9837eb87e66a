/** Guided path of the 2×2×2 cube: values of moves, and a curriculum from the solved state outwards. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Figure, type Guide } from '../../shared/guide/guide'
import { evaluated, samples, scramble, solution, solve } from './shared'

const distance: Figure = { element: 'distance' }
const level: Figure = { metric: 'open_level' }
/** Share of the states that the greedy policy solves, and the smallest distance at which it does not solve all. */
const solvedShare: Figure = { element: 'solved-share' }
const failing: Figure = { element: 'evaluation', attribute: 'failing' }
/** Formats a share of the states; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.99995 ? 'more than 99.99 %' : `${number(100 * share, 2)} %`
/** Maximum distance of a state from the solved state. The curriculum level above it has random states. */
const farthest = 14
/** Moves of the network, in the order of its values. */
export const moves = ['U', 'U′', 'R', 'R′', 'F', 'F′'] as const
/** Turns to a state that is four moves away from solved: none of them cancels another. */
const fourTurns = 'R U F R'

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'A computer learns to solve this cube by itself. The cube has 3,674,160 different [states](state). A move turns one face by 90°, a [quarter turn](quarter-turn). No state is more than 14 moves away from the solved cube: this number of moves is its [distance](distance).',
    question: 'How far from solved is a random state?',
    target: 'distance',
    action: {
      label: 'Scramble to a random state',
      does: scramble(null),
    },
    figures: { distance },
    outcome: ({ distance }) =>
      distance !== undefined && distance > 4
        ? `This state is ${distance} moves away from solved. The mean over all states is 10.7, so that random moves hardly ever solve the cube.`
        : null,
  }),
  step({
    title: 'Values of moves',
    text: 'The network rates each of the six moves: a high number says that the cube is solved soon after this move. The rating is the [Q-value](q-value). Each move costs 0.1 points, so that short ways have high values. The [greedy](greedy) policy makes the move with the highest value.',
    question: 'Which move has the highest value one turn away from solved?',
    target: 'moves',
    action: {
      label: 'Scramble by one turn',
      does: scramble(1),
    },
    figures: {
      distance,
      samples,
      best: { element: 'moves', attribute: 'best' },
      optimal: { element: 'moves', attribute: 'optimal' },
    },
    outcome: ({ distance, samples, best, optimal }) =>
      distance === 1 && best !== undefined && optimal !== undefined
        ? `The move ${moves[best]} has the highest value. It ${optimal === 1 ? 'is the move that solves' : 'does not solve'} the cube, after ${compact(samples ?? 0)} samples of training.`
        : null,
  }),
  step({
    title: 'Why a curriculum',
    text: 'The network learns when it reaches the solved cube, but random moves never get there from far away. Training therefore starts with easy cubes: scrambles of one turn. When it solves most of them, scrambles become one turn longer. This is a [curriculum](curriculum).',
    question: 'How fast does the curriculum level rise?',
    target: 'levels',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { level, success: { metric: 'success' }, seconds: { run: 'seconds' } },
    outcome: ({ level, success, seconds }) =>
      level !== undefined && level > 1 && seconds !== undefined
        ? `After ${number(seconds, 0)} s of training, the curriculum ${level > farthest ? 'has reached random states' : `is at scrambles of up to ${level} turns`}${success === undefined ? '' : `. At this level ${number(100 * success, 0)} % of the episodes end with a solved cube`}.`
        : null,
  }),
  step({
    title: 'Values spread outwards',
    text: 'The network learns the cubes next to the solved one first. The values of cubes further away follow, like a wave, because [Q-learning](q-value) computes the value of a state from the values one move ahead. The columns count the solved states for each distance.',
    question: 'At which distance does the network fail?',
    target: 'evaluation',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      solved: solvedShare,
      failing,
      samples,
    },
    outcome: ({ solved, failing, samples }) =>
      solved !== undefined && samples !== undefined && samples > 0
        ? `${failing === undefined ? 'At no distance.' : `From distance ${failing} on, some states are not solved.`} The greedy policy solves ${percent(solved)} of all states. Each column is a distance; the bright part of a column is the share of solved states.`
        : null,
  }),
  step({
    title: 'Greedy moves',
    text: 'How does the network solve a cube? It makes the move with the highest value, rates the moves of the next state, and repeats. This [greedy](greedy) policy needs no search and no table of solutions.',
    question: 'Does the greedy policy solve a cube at distance 4?',
    target: 'cube',
    requirement: {
      isMet: ({ level = 0 }) => level >= 6,
      text: 'The curriculum has not reached scrambles of six turns yet. Train the network first.',
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Scramble by four turns and solve',
      does: [
        { kind: 'click', element: 'reset-cube', optional: true },
        { kind: 'fill', element: 'notation', value: fourTurns },
        { kind: 'click', element: 'apply' },
        ...solve(0),
      ],
    },
    figures: { evaluated, solution, level },
    outcome: ({ evaluated, solution }) =>
      evaluated === undefined
        ? null
        : solution === undefined
          ? 'Not yet: a greedy policy that does not reach the solved state repeats a cycle of states.'
          : `Yes: the greedy policy solves it in ${solution} turns, and has evaluated ${evaluated} states.`,
  }),
  step({
    title: 'The map of all states',
    text: 'The map shows all states of the cube. The solved state is in the center, and each ring is one turn further away. More color means more solved states. The line is the way of the network from the scramble to the center.',
    question: 'Which rings get their color last?',
    target: 'map',
    action: { label: 'Continue training', does: trainFast },
    figures: { solved: solvedShare, failing, samples },
    outcome: ({ solved, failing, samples }, then) =>
      solved !== undefined && samples !== undefined && samples > (then.samples ?? 0)
        ? `${failing === undefined ? 'All rings have their full color' : `The outer rings: from distance ${failing} on, some states are not solved`}. The greedy policy solves ${percent(solved)} of all states.`
        : null,
  }),
  step({
    title: 'An optimal solution',
    text: 'How good are the solutions of the network? The optimal solver does not learn: it has a table of the [distances](distance) of all states, and each of its moves reduces the distance by one.',
    question: 'How many moves does the optimal solver need?',
    target: 'distance',
    action: {
      label: 'Scramble and solve optimally',
      does: [...scramble(null), ...solve(1)],
    },
    figures: { solution },
    outcome: ({ solution }) =>
      solution !== undefined
        ? `It needed ${solution} ${solution === 1 ? 'move' : 'moves'}. The line “mean solution: … turns above the optimum” compares the network with this solver.`
        : null,
  }),
]

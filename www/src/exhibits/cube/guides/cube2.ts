/** Guided path of the 2×2×2 cube: values of moves, and a curriculum from the solved state outwards. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Figure, type Guide } from '../../shared/guide/guide'
import { evaluated, samples, scramble, solve } from './shared'

const distance: Figure = { element: 'distance' }
const level: Figure = { metric: 'open_level' }
/** Maximum distance of a state from the solved state. The curriculum level above it has random states. */
const farthest = 14

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'The 2×2×2 cube has 3,674,160 states. A move turns one face by 90°. No state is more than 14 moves away from the solved state.',
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
    text: 'The network computes a Q-value for each of the six moves: the expected return of this move and of greedy moves after it. Each move has reward −0.1 until the cube is solved. The greedy policy makes the move with the highest value.',
    question: 'Which move has the highest value one turn away from solved?',
    target: 'moves',
    action: {
      label: 'Scramble by one turn',
      does: scramble(1),
    },
    figures: { distance, samples },
    outcome: ({ distance, samples }) =>
      distance === 1
        ? `One move solves the cube. After ${compact(samples ?? 0)} samples of training, the list shows whether the greedy move is that move.`
        : null,
  }),
  step({
    title: 'Why a curriculum',
    text: 'An agent learns from solved cubes, but from a random state random moves do not reach one. Training therefore starts with scrambles of one turn. When the success rate reaches the threshold, scrambles become one turn longer.',
    question: 'How fast does the curriculum level rise?',
    target: 'levels',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { level, success: { metric: 'success' } },
    outcome: ({ level, success }) =>
      level !== undefined && level > 1
        ? `The curriculum ${level > farthest ? 'has reached random states' : `is at scrambles of up to ${level} turns`}${success === undefined ? '' : `. At this level ${number(100 * success, 0)} % of the episodes end with a solved cube`}.`
        : null,
  }),
  step({
    title: 'Values spread outwards',
    text: 'Q-learning computes the target of a state from the values of its successors. States next to the solved state get correct values first; states further away follow, like a wave.',
    question: 'At which distance does the network fail?',
    target: 'evaluation',
    action: { label: 'Continue training', does: trainFast },
    figures: { solved: { element: 'solved-share' }, samples },
    outcome: ({ solved, samples }) =>
      solved !== undefined && samples !== undefined && samples > 0
        ? `The greedy policy solves ${solved < 1 && solved > 0.99995 ? 'more than 99.99' : number(100 * solved, 2)} % of all states. Each column is a distance; the bright part of a column is the share of solved states.`
        : null,
  }),
  step({
    title: 'The map of all states',
    text: 'The map shows all states; the solved state is in the center, and each ring is one turn further away. More color means more solved states.',
    question: 'Does the greedy policy solve a scramble of four turns?',
    target: 'map',
    action: {
      label: 'Scramble by four turns and solve',
      does: [...scramble(4), ...solve(0)],
    },
    figures: { evaluated, distance },
    outcome: ({ evaluated, distance }) =>
      evaluated !== undefined && distance !== undefined
        ? distance === 0
          ? `The greedy policy solved the cube and evaluated ${evaluated} states. The line on the map is its path.`
          : `The greedy policy is ${distance} ${distance === 1 ? 'move' : 'moves'} away from solved. A greedy policy that does not reach the solved state repeats a cycle of states.`
        : null,
  }),
  step({
    title: 'An optimal solution',
    text: 'The optimal solver does not use the network. It has a table of the distances of all states, and each of its moves reduces the distance by one.',
    question: 'How many moves does the optimal solver need?',
    target: 'distance',
    action: {
      label: 'Scramble and solve optimally',
      does: [...scramble(null), ...solve(1)],
    },
    figures: { distance },
    outcome: ({ distance }) =>
      distance !== undefined
        ? `${distance} ${distance === 1 ? 'move is' : 'moves are'} left. The metric “Excess moves” compares the network with this solver.`
        : null,
  }),
]

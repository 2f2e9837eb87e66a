/** Guided path of the 2×2×2 cube: values of moves, and a curriculum from the solved state outwards. */
import { compact, number } from '../../../lib/format'
import { innerRings } from '../evaluation/evaluation'
import { exactTurns } from '../model/values'
import {
  ranges,
  step,
  trainFast,
  trainNew,
  type Action,
  type Figure,
  type Guide,
} from '../../shared/guide/guide'
import { evaluated, gaveUp, loadPretrained, pretrained, scramble, solution, solve, trainOwn } from './shared'

const distance: Figure = { element: 'distance' }
const level: Figure = { metric: 'open_level' }
// Figures of the newest complete evaluation.
/** Share of the states that the greedy policy solves. */
const solvedShare: Figure = { element: 'solved-share' }
/** Smallest distance at which it does not solve all states. */
const failing: Figure = { element: 'evaluation', attribute: 'failing' }
/** Share of all states that the evaluation of the columns covers: 1 if it is complete. */
const done: Figure = { element: 'evaluation', attribute: 'done' }
/** Samples of training before the evaluation. */
const evaluatedAt: Figure = { element: 'evaluated-at' }
/** Formats a share of the states; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.99995 ? 'more than 99.99 %' : `${number(100 * share, 2)} %`
/** Shares of the states at 10 to 14 moves, and at up to 6 moves from the solved state. */
const [farStates, nearStates] = [3_154_532 / 3_674_160, 11_913 / 3_674_160]
const percentOf = (share: number) => `${number(100 * share, share < 0.1 ? 1 : 0)} %`
/** Maximum distance of a state from the solved state. The curriculum level above it has random states. */
const farthest = 14
/** Curriculum level whose time a step measures. */
const sixTurns = 6
/** Guesses of this time in seconds. */
const times = ranges([10, 30], String, ' s')
/** Moves of the network, in the order of its values. */
export const moves = ['U', "U'", 'R', "R'", 'F', "F'"] as const
/** Sets up a state that is four moves away from solved: none of the turns cancels another. */
const turned: readonly Action[] = [
  { kind: 'click', element: 'reset-cube', optional: true },
  { kind: 'fill', element: 'notation', value: 'R U F R' },
  { kind: 'click', element: 'apply' },
]

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'A computer learns to solve this cube by itself. The cube has 3,674,160 [states](state), which are different arrangements of its pieces. A turn moves one face by 90°. The [distance](distance) of a state is the smallest number of turns to the solved cube; it is at most 14.',
    question: 'How far from solved are most states?',
    guesses: ['Up to 6 turns', '7 to 9 turns', '10 turns or more'],
    target: 'distance',
    action: {
      label: 'Scramble to a random state',
      does: scramble(null),
    },
    figures: { distance },
    outcome: ({ distance }) =>
      distance !== undefined && distance > 4
        ? {
            text: `${percentOf(farStates)} of all states are 10 or more turns away, because each turn leads to several new states; only ${percentOf(nearStates)} are within 6 turns. ${distance < 10 ? 'A single random cube can be nearer: this one' : 'This cube'} is ${distance} turns away.`,
            right: 2,
          }
        : null,
  }),
  step({
    title: 'Values of moves',
    text: "A network estimates for each turn of a face how many turns are to go until the cube is solved: the fewer, the better. Such an estimate of how good a move is has the name [Q-value](q-value). U, R and F turn the upper, right and front face clockwise, U', R' and F' counterclockwise. This step loads a trained network.",
    question: 'One turn away from solved: for which turn does it estimate the fewest turns to go?',
    guesses: ['The one that solves the cube', 'Another one'],
    target: 'moves',
    leave: trainOwn,
    action: {
      label: 'Load it and scramble by one turn',
      does: [...loadPretrained, ...scramble(1)],
    },
    figures: {
      distance,
      pretrained,
      best: { element: 'moves', attribute: 'best' },
      optimal: { element: 'moves', attribute: 'optimal' },
      estimate: { element: 'moves', attribute: 'estimate' },
      fewest: { element: 'moves', attribute: 'fewest' },
      most: { element: 'moves', attribute: 'most' },
    },
    outcome: ({ distance, pretrained, best, optimal, estimate, fewest, most }) => {
      if (distance !== 1 || pretrained !== 1 || best === undefined || optimal === undefined) return null
      if (estimate === undefined) return null
      const others =
        fewest === undefined || most === undefined
          ? ''
          : ` With any other turn, ${exactTurns(1, false)} turns are to go: this turn, its reverse, and the solution. The network estimates ${number(fewest, 0)} to ${number(most, 0)}, which is too many: training gives it the number only for the turns that lead to the solution. Of all other turns it learns that they are worse, not by how much.`
      return {
        text: `With ${moves[best]}, the network estimates ${number(estimate, 1)} to go, and ${moves[best]} ${optimal === 1 ? 'solves' : 'does not solve'} the cube.${others}`,
        right: optimal === 1 ? 0 : 1,
      }
    },
  }),
  step({
    title: 'Why a curriculum',
    text: 'The network learns when it reaches the solved cube, but random moves never get there from far away. Training therefore starts with easy cubes: scrambles of one turn. When it solves most of them, scrambles become one turn longer. This is a [curriculum](curriculum).',
    question: `How long does training take to reach scrambles of ${sixTurns} turns?`,
    guesses: times.guesses,
    target: 'learning',
    setup: trainOwn,
    action: { label: 'Train a new network', does: trainNew },
    figures: { level, seconds: { run: 'seconds' } },
    outcome: ({ level, seconds }) => {
      if (level === undefined || level <= 1 || seconds === undefined) return null
      const now = level > farthest ? 'at random states' : `at scrambles of up to ${level} turns`
      if (level < sixTurns) return `After ${number(seconds, 0)} s of training, the curriculum is ${now}.`
      return {
        text: `It took ${number(seconds, 0)} s: the curriculum is ${now}. Each level takes longer, because a longer scramble has several times as many possible states.`,
        right: times.indexOf(seconds),
      }
    },
    isFinal: ({ level = 0 }) => level >= sixTurns,
  }),
  step({
    title: 'From near to far',
    text: 'A column stands for the states at one distance; its colored part is the share that the network solves. An evaluation tests the network on all states, which takes some seconds; the next one follows. The columns, the headline and this guide show the newest complete evaluation.',
    question: 'Up to which distance does the network solve all states?',
    guesses: ['Up to 3 turns', '4 to 7 turns', '8 turns or more'],
    target: 'evaluation',
    setup: trainOwn,
    action: { label: 'Continue training', does: trainFast },
    figures: {
      solved: solvedShare,
      failing,
      evaluatedAt,
      done,
    },
    outcome: ({ solved, failing, evaluatedAt, done }) => {
      // An evaluation of the pretrained network.
      if (evaluatedAt === 0) return null
      if (done === undefined) return null
      // The headline of a restored run is older than the columns, which are not complete.
      if (solved === undefined || evaluatedAt === undefined || done < 1)
        return `The first evaluation of this run has tested ${number(100 * done, 0)} % of 3,674,160 states, from the solved state outwards. The answer follows at 100 %.`
      const last = (failing ?? farthest + 1) - 1
      const reach =
        failing === undefined ? 'at all distances' : `up to ${last} ${last === 1 ? 'turn' : 'turns'}`
      return {
        text: `The network solves all states ${reach}, and ${percent(solved)} of all states, after ${compact(evaluatedAt)} samples (turns of training). Near states come first, because training computes an estimate from the estimates one turn nearer.`,
        right: last <= 3 ? 0 : last <= 7 ? 1 : 2,
      }
    },
  }),
  step({
    title: 'Greedy moves',
    text: 'How does the network solve a cube? It makes the turn with the fewest turns to go, estimates again for the next state, and repeats. This rule is the [greedy](greedy) policy. It needs no search and no table of solutions.',
    question: 'This cube is four turns away from solved. Does the greedy policy solve it?',
    guesses: ['Yes', 'No'],
    target: 'cube',
    setup: [...trainOwn, ...turned],
    requirement: {
      isMet: ({ level = 0 }) => level >= 6,
      text: 'The curriculum has not reached scrambles of six turns yet. Train the network first.',
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Let the network solve it',
      does: [...turned, ...solve(0)],
    },
    figures: { evaluated, solution, gaveUp, level },
    outcome: ({ evaluated, solution, gaveUp }) => {
      if (solution !== undefined && evaluated !== undefined)
        return {
          text: `The greedy policy solves it in ${solution} turns with ${evaluated} evaluated states, because each state on the way needs only one evaluation of the network.`,
          right: 0,
        }
      return gaveUp === 1
        ? {
            text: 'The greedy policy did not reach the solved state. It repeats a cycle of states, because it makes the same move in the same state, and one wrong estimate leads back.',
            right: 1,
          }
        : null
    },
  }),
  step({
    title: 'The map of all states',
    text: 'The map shows all states of the cube. The solved state is in the center, and each ring is one turn further away. Strong color means solved states, gray means states that the network does not solve. It shows the newest complete evaluation. The line is the path of the network from this cube to the center.',
    question: 'Where are the unsolved states?',
    guesses: ['In the inner rings', 'In the outer rings', 'Evenly in all rings'],
    target: 'map',
    setup: trainOwn,
    requirement: {
      isMet: ({ solved }) => solved !== undefined,
      text: 'There is no complete evaluation yet. Train the network until the first one has ended.',
      progress: ({ done }) =>
        done === undefined ? null : `It has tested ${number(100 * done, 0)} % of the states.`,
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: { label: 'Compare the rings', does: [{ kind: 'learn', on: false }] },
    figures: {
      done,
      samples: { element: 'map', attribute: 'samples' },
      solved: { element: 'map', attribute: 'solved' },
      inner: { element: 'map', attribute: 'inner' },
      outer: { element: 'map', attribute: 'outer' },
    },
    outcome: ({ samples, solved, inner, outer }) => {
      if (solved === undefined || inner === undefined || outer === undefined) return null
      const when = samples === undefined || samples === 0 ? '' : `After ${compact(samples)} samples, `
      const shares = `${when}${when ? 'the' : 'The'} network does not solve ${percent(1 - inner)} of the states in the inner rings (up to ${innerRings} turns), and ${percent(1 - outer)} in the outer ones`
      if (Math.abs(inner - outer) < 0.001)
        return { text: `${shares}. The difference is too small to see.`, right: 2 }
      if (inner < outer) return { text: `${shares}.`, right: 0 }
      return {
        text: `${shares}. The outer rings are learned last, because their estimates depend on those of all rings further in, and their solutions need more correct moves in a row.`,
        right: 1,
      }
    },
  }),
  step({
    title: 'An optimal solution',
    text: 'How good are the solutions of the network? The optimal solver does not learn: it has a table of the [distances](distance) of all states, and each of its turns reduces the distance by one.',
    question: 'How many turns does the optimal solver need?',
    guesses: ['Up to 8', '9 to 11', '12 or more'],
    target: 'distance',
    action: {
      label: 'Scramble and solve optimally',
      does: [...scramble(null), ...solve(1)],
    },
    figures: { solution, excess: { element: 'evaluated-at', attribute: 'excess' } },
    outcome: ({ solution, excess }) =>
      solution !== undefined
        ? {
            text: `The optimal solver needed ${solution} ${solution === 1 ? 'turn' : 'turns'}, because it knows the exact distances.${
              excess === undefined
                ? ''
                : ` The network needs ${number(excess, 2)} turns more on average over the states that it solves, because it only estimates them.`
            }`,
            right: solution <= 8 ? 0 : solution <= 11 ? 1 : 2,
          }
        : null,
    summary: {
      learned: [
        'A network learned to solve cubes from rewards alone, from easy scrambles to random states.',
        'Its estimates of the turns to go are accurate only for turns that training covers.',
        'After enough training, greedy moves solve nearly all states without search, but not by the shortest way.',
      ],
      next: {
        label: 'Train without a curriculum',
        does: [...trainOwn, { kind: 'restart', preset: 'plain' }, ...trainFast],
        target: 'evaluation',
      },
    },
  }),
]

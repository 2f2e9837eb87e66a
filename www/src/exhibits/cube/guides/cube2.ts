/** Guided path of the 2×2×2 cube: values of moves, and a curriculum from the solved state outwards. */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, trainNew, type Figure, type Guide } from '../../shared/guide/guide'
import {
  evaluated,
  gaveUp,
  loadPretrained,
  pretrained,
  samples,
  scramble,
  solution,
  solve,
  trainOwn,
} from './shared'

const distance: Figure = { element: 'distance' }
/** Samples below which the values of the network are still random. */
const untrained = 10_000
const level: Figure = { metric: 'open_level' }
// Figures of the newest complete evaluation.
/** Share of the states that the greedy policy solves. */
const solvedShare: Figure = { element: 'solved-share' }
/** Smallest distance at which it does not solve all states. */
const failing: Figure = { element: 'evaluation', attribute: 'failing' }
/** Samples of training before the evaluation. */
const evaluatedAt: Figure = { element: 'evaluated-at' }
/** Formats a share of the states; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.99995 ? 'more than 99.99 %' : `${number(100 * share, 2)} %`
/** Maximum distance of a state from the solved state. The curriculum level above it has random states. */
const farthest = 14
/** Curriculum level whose time a step measures. */
const sixTurns = 6
/** Guesses of this time in seconds. */
const times = ranges([10, 30], String, ' s')
/** Share of solved states from which all rings of the map have their color. */
const allColored = 0.98
/** Largest distance of the inner half of the rings of the map. */
const innerRings = 7
/** Moves of the network, in the order of its values. */
export const moves = ['U', 'U′', 'R', 'R′', 'F', 'F′'] as const
/** Turns to a state that is four moves away from solved: none of them cancels another. */
const fourTurns = 'R U F R'

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'A computer learns to solve this cube by itself. The cube has 3,674,160 different [states](state). A move turns one face by 90°, a [quarter turn](quarter-turn). No state is more than 14 moves away from the solved cube: this number of moves is its [distance](distance).',
    question: 'How far from solved is a random state?',
    guesses: ['Up to 6 moves', '7 to 9 moves', '10 moves or more'],
    target: 'distance',
    action: {
      label: 'Scramble to a random state',
      does: scramble(null),
    },
    figures: { distance, samples, pretrained },
    outcome: ({ distance, samples, pretrained }) =>
      distance !== undefined && distance > 4
        ? {
            text: `This state is ${distance} moves away from solved. The mean over all states is 10.7, so that random moves hardly ever solve the cube.${
              samples !== undefined && samples < untrained && pretrained !== 1
                ? ' The move values beside the cube mean nothing yet: the network is not trained.'
                : ''
            }`,
            right: distance <= 6 ? 0 : distance <= 9 ? 1 : 2,
          }
        : null,
  }),
  step({
    title: 'Values of moves',
    text: 'A network rates each move: U, R and F turn the upper, right and front face clockwise; ′ is counterclockwise. The rating is the [Q-value](q-value): minus 0.1 for each move until the cube is solved, so that a short bar is good. The [greedy](greedy) policy makes the move with the highest value. This step shows a trained network that comes with the page.',
    question: 'Which move has the highest value one turn away from solved?',
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
    },
    outcome: ({ distance, pretrained, best, optimal }) =>
      distance === 1 && pretrained === 1 && best !== undefined && optimal !== undefined
        ? {
            text: `The move ${moves[best]} has the highest value, and it ${optimal === 1 ? 'solves' : 'does not solve'} the cube. Each of the others leads further away: its cost is higher, its bar longer. The following steps train a new network from scratch.`,
            right: optimal === 1 ? 0 : 1,
          }
        : null,
  }),
  step({
    title: 'Why a curriculum',
    text: 'The network learns when it reaches the solved cube, but random moves never get there from far away. Training therefore starts with easy cubes: scrambles of one turn. When it solves most of them, scrambles become one turn longer. This is a [curriculum](curriculum).',
    question: `How long does training take to reach scrambles of ${sixTurns} turns?`,
    guesses: times.guesses,
    target: 'levels',
    setup: trainOwn,
    action: { label: 'Train a new network', does: trainNew },
    figures: { level, seconds: { run: 'seconds' } },
    outcome: ({ level, seconds }) => {
      if (level === undefined || level <= 1 || seconds === undefined) return null
      const now = level > farthest ? 'at random states' : `at scrambles of up to ${level} turns`
      if (level < sixTurns) return `After ${number(seconds, 0)} s of training, the curriculum is ${now}.`
      return {
        text: `It took ${number(seconds, 0)} s: the curriculum is ${now}. Level after level, the network needs more samples.`,
        right: times.indexOf(seconds),
      }
    },
    isFinal: ({ level = 0 }) => level >= sixTurns,
  }),
  step({
    title: 'Values spread outwards',
    text: 'The network learns the cubes next to the solved one first. The values of cubes further away follow, like a wave, because [Q-learning](q-value) computes the value of a state from the values one move ahead. A column stands for the states at one distance; its colored part is the share that the network solves. The network is tested on all states again and again, and the columns show the newest complete evaluation.',
    question: 'Up to which distance does the network solve all states?',
    guesses: ['Up to 3 turns', '4 to 7 turns', '8 turns or more'],
    target: 'evaluation',
    setup: trainOwn,
    action: { label: 'Continue training', does: trainFast },
    figures: {
      solved: solvedShare,
      failing,
      evaluatedAt,
      done: { element: 'evaluation', attribute: 'done' },
    },
    outcome: ({ solved, failing, evaluatedAt, done }) => {
      // An evaluation of the pretrained network.
      if (evaluatedAt === 0) return null
      const last = (failing ?? farthest + 1) - 1
      const turns = `up to ${last} ${last === 1 ? 'turn' : 'turns'}`
      if (solved === undefined || evaluatedAt === undefined || done !== 1) {
        if (done === undefined) return null
        const reach =
          failing === undefined
            ? 'So far all tested states are solved'
            : `So far all states ${turns} are solved`
        return `${reach}. The first evaluation has tested ${number(100 * done, 0)} % of 3,674,160 states, from the solved state outwards.`
      }
      return {
        text: `The network solves all states ${failing === undefined ? 'at all distances' : turns}, after ${compact(evaluatedAt)} samples. In this evaluation the greedy policy solves ${percent(solved)} of all states: most states are 10 to 12 turns away.`,
        right: last <= 3 ? 0 : last <= 7 ? 1 : 2,
      }
    },
  }),
  step({
    title: 'Greedy moves',
    text: 'How does the network solve a cube? It makes the move with the highest value, rates the moves of the next state, and repeats. This [greedy](greedy) policy needs no search and no table of solutions.',
    question: 'Does the greedy policy solve a cube at distance 4?',
    guesses: ['Yes', 'No'],
    target: 'cube',
    setup: trainOwn,
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
    figures: { evaluated, solution, gaveUp, level },
    outcome: ({ evaluated, solution, gaveUp }) => {
      if (solution !== undefined && evaluated !== undefined)
        return {
          text: `The greedy policy solves it in ${solution} turns, and has evaluated ${evaluated} states.`,
          right: 0,
        }
      return gaveUp === 1
        ? {
            text: 'The greedy policy did not reach the solved state: it repeats a cycle of states.',
            right: 1,
          }
        : null
    },
  }),
  step({
    title: 'The map of all states',
    text: 'The map shows all states of the cube. The solved state is in the center, and each ring is one turn further away. More color means more solved states. Each evaluation repaints the map from the center to the rim. The line is the way of the network from the scramble to the center.',
    question: 'Which rings get their color last?',
    guesses: ['The inner ones', 'The outer ones', 'All at the same time'],
    target: 'map',
    setup: trainOwn,
    requirement: {
      isMet: ({ known = 0, solved = 0 }) => known < 0.999 || solved < allColored,
      text: 'All rings have their color already: this network solves nearly all states. Train a new network to see the order.',
      action: { label: 'Train a new network', does: trainNew },
    },
    action: { label: 'Continue training', does: trainFast },
    // The figures are computed from the map itself, which is painted while the columns show a complete evaluation.
    figures: {
      samples,
      known: { element: 'map', attribute: 'known' },
      solved: { element: 'map', attribute: 'solved' },
      inner: { element: 'map', attribute: 'inner' },
      outer: { element: 'map', attribute: 'outer' },
    },
    outcome: ({ samples, known, solved, inner, outer }, then) => {
      if (samples === undefined || samples <= (then.samples ?? 0)) return null
      if (known === undefined || solved === undefined || inner === undefined || outer === undefined)
        return null
      const shares = `On this map, ${percent(inner)} of the states of the inner rings (up to ${innerRings} turns) are solved, and ${percent(outer)} of the outer ones`
      if (known < 0.999)
        return `The first evaluation has painted ${percent(known)} of the map so far. ${shares}.`
      const result = `${shares}: ${percent(solved)} of all states.`
      if (Math.abs(inner - outer) < 0.001)
        return `All rings are equal now, so that this map does not show the order. ${result}`
      const right = inner > outer ? 1 : 0
      return { text: result, right }
    },
  }),
  step({
    title: 'An optimal solution',
    text: 'How good are the solutions of the network? The optimal solver does not learn: it has a table of the [distances](distance) of all states, and each of its moves reduces the distance by one.',
    question: 'How many moves does the optimal solver need?',
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
            text: `The optimal solver needed ${solution} ${solution === 1 ? 'move' : 'moves'}.${
              excess === undefined
                ? ''
                : ` The network needs ${number(excess, 2)} moves more on average, over the states that it solves.`
            }`,
            right: solution <= 8 ? 0 : solution <= 11 ? 1 : 2,
          }
        : null,
  }),
]

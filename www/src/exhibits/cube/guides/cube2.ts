/** Guided path of the 2×2×2 cube: values of moves, and a curriculum from the solved state outwards. */
import { compact, number } from '../../../lib/format'
import { innerRings, percent } from '../evaluation/evaluation'
import { exactTurns } from '../model/values'
import { step, trainFast, type Action, type Figure, type Guide } from '../../shared/guide/guide'
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
/** Share of the states that the network solves whose evaluation the map shows; unknown without a complete evaluation. */
const mapSolved: Figure = { element: 'map', attribute: 'solved' }
/** Shares of the states at 10 to 14 moves, and at up to 6 moves from the solved state. */
const [farStates, nearStates] = [3_154_532 / 3_674_160, 11_913 / 3_674_160]
const percentOf = (share: number) => `${number(100 * share, share < 0.1 ? 1 : 0)} %`
/** Maximum distance of a state from the solved state. The curriculum level above it has random states. */
const farthest = 14
/** Turns from the solved cube to the state whose best turn a step makes, and this turn, which undoes the last one. */
export const [nearState, bestTurn] = ["R U' F R", "R'"]
const nearTurns = 4
/** Sets up this state, for the pretrained network. */
const setUpNear: readonly Action[] = [
  ...loadPretrained,
  { kind: 'click', element: 'reset-cube', optional: true },
  // A scramble, so that the panel counts only the turns of the visitor.
  { kind: 'command', command: { kind: 'apply', turns: nearState, by: 'scramble' } },
]
/** Difference of two estimates that counts as none, in turns. */
const equalTurns = 0.3
/** Success rate that opens a level of the curriculum by default; 0 opens all levels at once. */
export const threshold = 0.6
const curriculum: Figure = { field: 'dqn.curriculum_threshold' }
/** Samples of each run in the comparison with and without a curriculum. */
const compared = 1_200_000
/** Difference of two success rates that is more than chance. */
const clearGain = 0.1
/** Distances up to which a network solves all states, as guesses: only near states, more, or most states. */
const reached = {
  guesses: [
    `Up to ${innerRings} turns`,
    `${innerRings + 1} to ${innerRings + 4} turns`,
    `${innerRings + 5} turns or more`,
  ],
  indexOf: (distance: number) => (distance <= innerRings ? 0 : distance <= innerRings + 4 ? 1 : 2),
}
/** Turns of the network, in the order of its values. */
export const moves = ['U', "U'", 'R', "R'", 'F', "F'"] as const
export const guide: Guide = [
  step({
    title: 'The task',
    text: 'This cube has eight corner pieces, and a turn moves one face by 90°. The different arrangements of the pieces are the [states](state) of the cube, 3,674,160 in all. The [distance](distance) of a state is the smallest number of turns to the solved cube; it is at most 14.',
    question: 'How far from solved are most states?',
    guesses: ['Up to 6 turns', '7 to 9 turns', '10 turns or more'],
    usually: `a random state is far away: ${percentOf(farStates)} of all states are 10 or more turns away.`,
    target: 'cube',
    action: {
      label: 'Scramble to a random state',
      does: scramble(null),
    },
    figures: { distance },
    outcome: ({ distance }) =>
      distance !== undefined && distance > 4
        ? {
            text: `${percentOf(farStates)} of all states are 10 or more turns away, and only ${percentOf(nearStates)} are within 6 turns. ${distance < 10 ? 'A single random cube can be nearer: this one' : 'This cube'} is ${distance} turns away.`,
            right: 2,
          }
        : null,
  }),
  step({
    title: 'Values of turns',
    text: 'Which turn is the best one? For each turn, a [neural network](network) estimates how many turns solve the cube, counting this one: its [Q-value](q-value). The button loads a pretrained network, which learned from examples of best turns, and selects it in the menu “Network”; the next steps set this menu themselves. Only its smallest number is accurate; the others just have to be larger.',
    question: 'One turn away from solved: for which turn does the network estimate the fewest turns?',
    guesses: ['The one that solves the cube', 'Another one'],
    usually: 'the network estimates the fewest turns for the turn that solves the cube.',
    target: 'moves',
    leave: trainOwn,
    running: 'Loading the network',
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
        optimal === 0 || fewest === undefined || most === undefined
          ? ''
          : ` Any other turn needs ${exactTurns(1, false)}; the estimates for them, ${number(fewest, 0)} to ${number(most, 0)}, are far too high, because the examples had only best turns.`
      return {
        text: `For ${moves[best]}, the network estimates ${number(estimate, 1)} turns, and ${moves[best]} ${optimal === 1 ? 'solves' : 'does not solve'} the cube.${others}`,
        right: optimal === 1 ? 0 : 1,
      }
    },
  }),
  step({
    title: 'Learning from the next estimate',
    text: 'How does a network learn without solutions? It makes a turn and estimates again: if the new estimate is 3 turns, the first estimate should have been 3 + 1 = 4. Training moves the first estimate toward this target, which is called [bootstrapping](n-step-return). Only the turn that solves the cube has a target that is certain: 1. The cube is four turns from solved, and the yellow turn is the best one for the pretrained network.',
    question: 'The button makes the yellow turn. What does the network estimate next for its best turn?',
    guesses: ['One turn fewer', 'As many turns as before', 'Another number'],
    usually: 'the estimate falls by about one turn.',
    target: 'moves',
    shows: ['distance'],
    setup: setUpNear,
    preparing: 'Loading the pretrained network and setting up the cube',
    leave: trainOwn,
    requirement: {
      isMet: ({ distance, pretrained }) => distance === nearTurns && pretrained === 1,
      text: `This step needs the pretrained network, and a cube that is ${nearTurns} turns from solved.`,
      action: { label: 'Set up the cube', does: setUpNear },
      again: true,
    },
    action: { label: `Make the turn ${bestTurn}`, does: [{ kind: 'click', element: `move-${bestTurn}` }] },
    figures: { distance, pretrained, estimate: { element: 'moves', attribute: 'estimate' } },
    outcome: ({ distance, estimate }, { estimate: before }) => {
      if (distance !== nearTurns - 1 || estimate === undefined || before === undefined) return null
      const change = before - estimate
      const agrees = Math.abs(change - 1) < equalTurns
      return {
        text: `Before, the network estimated ${number(before)} turns; now it estimates ${number(estimate)}, so that the target of the first estimate is ${number(estimate)} + 1 = ${number(estimate + 1)}. ${agrees ? 'The two agree: training would change nothing here.' : 'Training would move the first estimate toward it.'}`,
        right: agrees ? 0 : Math.abs(change) < equalTurns ? 1 : 2,
      }
    },
    isFinal: ({ distance, estimate }) => distance === nearTurns - 1 && estimate !== undefined,
  }),
  step({
    title: 'Why a curriculum',
    text: 'Your network learns from its next estimates, by trial and error and without solutions. At first, only turns that reach the solved cube teach the network something, and from far away random turns hardly ever get there. A [curriculum](curriculum) therefore begins with scrambles of one turn, and makes them longer as the network improves. This step trains one network without it, then another one with it, each on 1.2 million [samples](sample): turns of training.',
    question: 'After equal training, which network solves more scrambles of six turns?',
    guesses: ['The one without a curriculum', 'The one with a curriculum', 'No clear difference'],
    usually: 'the network with a curriculum solves far more of them.',
    target: 'levels',
    hidesPicture: true,
    shows: ['steps'],
    setup: trainOwn,
    leave: [
      {
        kind: 'unless',
        figure: curriculum,
        is: threshold,
        does: [{ kind: 'restart', preset: 'alone', held: true }],
      },
    ],
    requirement: {
      isMet: ({ curriculum, samples = 0, six }) =>
        curriculum === 0 && samples >= compared && six !== undefined,
      text: 'First, a new network trains without a curriculum: with scrambles of all lengths at once. A column shows the share that it solves at one length.',
      progress: ({ curriculum, samples = 0 }) =>
        curriculum === 0 ? `Trained on ${compact(samples)} of ${compact(compared)} samples.` : null,
      part: ({ curriculum, samples = 0 }) => (curriculum === 0 ? samples / compared : NaN),
      met: ({ six, samples }) =>
        six === undefined || samples === undefined
          ? null
          : `Without a curriculum, the first network solves ${percentOf(six)} of the scrambles of six turns after ${compact(samples)} samples. The button trains a second network, with a curriculum.`,
      action: {
        label: 'Train without a curriculum',
        does: [
          { kind: 'set', path: 'dqn.curriculum_threshold', value: 0 },
          { kind: 'restart' },
          ...trainFast,
        ],
      },
      finish: [{ kind: 'learn', on: false }],
      again: true,
    },
    action: {
      label: 'Train with a curriculum',
      does: [{ kind: 'restart', preset: 'alone' }, ...trainFast],
    },
    figures: { curriculum, samples, level, six: { element: 'levels', attribute: 'six' } },
    progress: ({ samples = 0 }) => samples / compared,
    isSteady: true,
    outcome: ({ curriculum, samples, level, six }, then) => {
      if (curriculum === 0 || samples === undefined || level === undefined) return null
      if (samples < compared || six === undefined)
        return `After ${compact(samples)} samples, the curriculum is at scrambles of up to ${level} ${level === 1 ? 'turn' : 'turns'}. They become one turn longer when the network solves ${percentOf(threshold)} of the longest ones.`
      if (then.six === undefined || then.samples === undefined) return null
      const gain = six - then.six
      return {
        text: `With a curriculum, the second network solves ${percentOf(six)} of the scrambles of six turns after ${compact(samples)} samples: the upper columns. Without a curriculum, the first network solved ${percentOf(then.six)} after ${compact(then.samples)}: the lower columns.`,
        right: gain > clearGain ? 1 : gain < -clearGain ? 0 : 2,
      }
    },
    isFinal: ({ curriculum, samples = 0, six }) =>
      curriculum !== 0 && samples >= compared && six !== undefined,
    finish: [{ kind: 'learn', on: false }],
  }),
  step({
    title: 'From near to far',
    text: 'An [evaluation](solved) tests the network without training it: here on all states, which takes some seconds. A column stands for the states at one distance. Its colored part, with the number above it, is the share that the network solves; a higher column only means more states.',
    question: 'Up to which distance does the network solve all states?',
    guesses: reached.guesses,
    usually: 'the network solves all near states first, because correct estimates spread outwards.',
    target: 'evaluation',
    setup: trainOwn,
    action: { label: 'Continue training', does: trainFast },
    figures: {
      samples,
      solved: solvedShare,
      failing,
      evaluatedAt,
      done,
    },
    outcome: ({ solved, failing, evaluatedAt, done }, then) => {
      // An evaluation of the pretrained network.
      if (evaluatedAt === 0) return null
      if (done === undefined) return null
      // The headline of a restored run is older than the columns, which are not complete.
      if (solved === undefined || evaluatedAt === undefined || done < 1)
        return `The first evaluation of this run has tested ${number(100 * done, 0)} % of 3,674,160 states, from the solved state outwards. The answer follows at 100 %.`
      const from = then.samples ?? 0
      if (evaluatedAt < from)
        return `The newest complete evaluation began before the click, after ${compact(evaluatedAt)} samples. The answer follows with one that begins after ${compact(from)}.`
      const last = (failing ?? farthest + 1) - 1
      const reach =
        failing === undefined ? 'at all distances' : `up to ${last} ${last === 1 ? 'turn' : 'turns'}`
      return {
        text: `After ${compact(evaluatedAt)} samples, the network solved all states ${reach}, and ${percent(solved)} of all states. Near states are mostly learned first, because correct estimates spread outwards.`,
        right: reached.indexOf(last),
      }
    },
  }),
  step({
    title: 'The greedy policy',
    text: 'How does the network solve a cube? It makes the turn with the smallest estimate, estimates again for the next state, and repeats. This rule is the [greedy](greedy) policy. It needs no search and no table of solutions.',
    question: `Does the greedy policy of your network solve a cube that is scrambled by ${innerRings} turns?`,
    guesses: ['Yes', 'No'],
    usually: 'the policy solves such a cube, once the curriculum has reached six turns.',
    target: 'cube',
    shows: ['status', 'solver'],
    reveals: ['status'],
    setup: [...trainOwn, { kind: 'click', element: 'reset-cube', optional: true }],
    requirement: {
      isMet: ({ level = 0 }) => level >= 6,
      text: `Scrambles of ${innerRings} turns are solved reliably when the curriculum has reached six. Train the network until then.`,
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Scramble, and let it solve',
      does: [...scramble(innerRings), ...solve(0)],
    },
    figures: { evaluated, solution, gaveUp, level },
    outcome: ({ evaluated, solution, gaveUp }) => {
      if (solution !== undefined && evaluated !== undefined)
        return {
          text: `The greedy policy solves the cube in ${solution} ${solution === 1 ? 'turn' : 'turns'}${solution < innerRings ? ', because some of the random turns undid others' : ''}. The network has evaluated only the ${evaluated} ${evaluated === 1 ? 'state' : 'states'} on the way.`,
          right: 0,
        }
      return gaveUp === 1
        ? {
            text: 'The greedy policy found no solution: one wrong estimate leads back, so that it repeats a cycle of states.',
            right: 1,
          }
        : null
    },
  }),
  step({
    title: 'The map of all states',
    text: 'The map shows all states of the cube. The solved state is in the center, and each ring is one turn further away. A spot stands for several states: the more of them the network solves, the stronger its color. In the innermost and the outermost ring, which have few states, a spot is a single state. The button shows the map of the pretrained network of step 2 beside the map of your network.',
    question: 'Where are the states that your network does not solve?',
    guesses: [`Up to ${innerRings} turns away`, `More than ${innerRings} turns away`, 'Evenly in all rings'],
    usually: 'most unsolved states are in the outer rings, which are learned later.',
    target: 'map',
    hidesPicture: true,
    shows: [],
    setup: trainOwn,
    leave: trainOwn,
    requirement: {
      // The map of a complete evaluation is computed over several frames.
      isMet: ({ solved, done, evaluatedAt = 0 }) => solved !== undefined || (done === 1 && evaluatedAt > 0),
      text: 'There is no complete evaluation of your network yet. Train it until one has ended.',
      progress: ({ done, evaluatedAt }) =>
        // An evaluation of the pretrained network.
        done === undefined || evaluatedAt === 0 ? null : `It has tested ${percent(done)} of the states.`,
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Compare with the pretrained network',
      // The map of the own network stays beside the other one if it is complete. The evaluation of a paused run is slow.
      does: [{ kind: 'reach', figure: mapSolved, value: 0 }, ...loadPretrained, ...trainFast],
    },
    figures: {
      done,
      pretrained,
      samples: { element: 'map', attribute: 'samples' },
      solved: mapSolved,
      evaluatedAt,
      // The map of the own network, once the other one is evaluated.
      ownSamples: { element: 'other-map', attribute: 'samples' },
      inner: { element: 'other-map', attribute: 'inner' },
      outer: { element: 'other-map', attribute: 'outer' },
    },
    running: 'Evaluating',
    progress: ({ done = 0, pretrained }) => (pretrained === 1 ? done : 0),
    outcome: ({ pretrained, samples, solved, ownSamples, inner, outer }) => {
      if (pretrained !== 1 || samples !== 0 || solved === undefined) return null
      const other = `The pretrained network solves ${percent(solved)} of all states.`
      if (!ownSamples || inner === undefined || outer === undefined) return other
      const own = `After ${compact(ownSamples)} samples, your network solves ${percent(inner)} of the states up to ${innerRings} turns away, and ${percent(outer)} of the others.`
      const change = inner - outer
      const right = Math.abs(change) < 0.001 ? 2 : change < 0 ? 0 : 1
      const lost = inner < 1 ? 'Missing near states are not learned yet, or were forgotten. ' : ''
      return { text: `${own} ${lost || other}`, right }
    },
    isFinal: () => true,
    finish: [{ kind: 'learn', on: false }],
  }),
  step({
    title: 'The shortest solution',
    text: 'How good are the solutions of the pretrained network? Its examples came from the optimal solver, which does not learn: it has a table of the [distances](distance) of all states, so that it knows the shortest solution of each cube. The network has no table.',
    question:
      'How many turns more than the shortest solution does the pretrained network need for a random cube?',
    guesses: ['None', '1 or 2', '3 or more'],
    target: 'cube',
    hidesPicture: true,
    shows: ['status'],
    leave: trainOwn,
    action: {
      label: 'Scramble, and let it solve',
      does: [...loadPretrained, ...scramble(null), ...solve(0)],
    },
    figures: {
      solution,
      gaveUp,
      pretrained,
      shortest: { element: 'status', attribute: 'optimal' },
    },
    outcome: ({ solution, gaveUp, pretrained, shortest }) => {
      if (pretrained !== 1 || shortest === undefined) return null
      if (gaveUp === 1)
        return `The pretrained network did not solve this cube; the shortest solution has ${shortest} turns. Try another one.`
      if (solution === undefined) return null
      const excess = solution - shortest
      return {
        text: `The pretrained network needed ${solution} turns; the shortest solution of this cube has ${shortest}. ${
          excess === 0
            ? 'For some other cubes it needs more turns: repeat the step to see.'
            : 'It only estimates the turns to go, and one turn that does not lead nearer costs two or more.'
        }`,
        right: excess === 0 ? 0 : excess <= 2 ? 1 : 2,
      }
    },
    summary: {
      learned: [
        {
          text: 'A network learns by trial and error, without examples, from near states to far ones.',
          steps: [4, 5, 6],
        },
        {
          text: 'The pretrained network learned from examples of best turns. It solves all states without search, most of them, but not all, by a shortest way.',
          steps: [7, 8],
        },
        { text: 'Estimates are accurate only for the turns that training covers.', steps: [2, 3] },
      ],
      next: {
        label: 'Train without curriculum and other aids',
        does: [...trainOwn, { kind: 'restart', preset: 'plain' }, ...trainFast],
        target: 'evaluation',
      },
    },
  }),
]

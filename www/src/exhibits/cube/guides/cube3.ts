/** Guided path of the 3×3×3 cube: learning from scrambles (EfficientCube, Takano 2023), and beam search. */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, type Figure, type Guide } from '../../shared/guide/guide'
import { evaluated, gaveUp, loadPretrained, pretrained, samples, scramble, solution, solve } from './shared'

/** Samples below which the probabilities of the network are nearly equal. */
const untrained = 10_000
/** Percentages that the network may give to the right turn; guessing gives 8 %. */
const percentages = ranges([20, 80], String, ' %')
const turns: Figure = { element: 'turns-made', attribute: 'scrambled' }
/** 1 if the interactive cube is solved, else 0. */
const solved: Figure = { element: 'cube', attribute: 'solved' }
const accuracy: Figure = { metric: 'accuracy' }
/** Accuracy from which on a prediction is good; guessing has 1/12. */
const good = 0.25
/** Solvers by their index in the menu: greedy policy, and beam searches of width 1,024 and 4,096. */
const [greedy, beam, widest] = [0, 3, 4]

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'A computer learns to solve this cube by itself. The cube has 43,252,003,274,489,856,000 [states](state), which are different arrangements of its pieces: no table can list them. A turn rotates one face by 90°, a [quarter turn](quarter-turn). No state is more than 26 turns away from the solved one.',
    question: 'How long is the shortest way back from a mixed cube, on average?',
    guesses: ['About 10 turns', 'About 20 turns', 'About 30 turns'],
    usually: 'the shortest way has 20.7 turns.',
    target: 'cube',
    action: { label: 'Scramble by 30 turns', does: scramble(30) },
    figures: { turns },
    outcome: ({ turns }) =>
      turns !== undefined && turns >= 30
        ? {
            text: 'The shortest way has 20.7 turns on average, although this cube was mixed by 30. Random turns practically never find it.',
            right: 1,
          }
        : null,
  }),
  step({
    title: 'Learning from scrambles',
    text: 'The network sees no solutions. Training [scrambles](scramble) a solved cube by random turns; each position on the way is a [sample](sample). The [neural network](network), a function with many adjustable numbers, predicts the last turn. To undo that turn leads one turn nearer to the solved cube. A guess would give each of the 12 possible turns 8 %. The length of a bar grows with the square root of the probability, so that small ones stay visible.',
    question: 'After a single turn, what probability has the turn that undoes it?',
    guesses: percentages.guesses,
    usually: 'an untrained network gives each turn about 8 %, a trained one over 80 %.',
    target: 'moves',
    action: { label: 'Scramble by one turn', does: scramble(1) },
    figures: { turns, samples, undo: { element: 'moves', attribute: 'undo' } },
    outcome: ({ turns, samples, undo }) => {
      if (turns !== 1) return null
      if (undo === undefined || samples === undefined || samples < untrained)
        return {
          text: 'The network is not trained yet, so that all 12 turns are about equally probable: 8 % each.',
          right: 0,
        }
      const percent = Number(number(100 * undo, 0))
      return {
        text: `${percent} %: the list shows for each turn the probability that it undoes the last one. The network was trained on ${compact(samples)} samples so far.`,
        right: percentages.indexOf(percent),
      }
    },
  }),
  step({
    title: 'Short scrambles first',
    text: 'Each column shows how often the network is right, for scrambles of one length. Guessing is right in one of 12 cases, the dashed line. Each scramble gives one sample for every length from 1 to 26.',
    question: 'For which scrambles does the prediction become good first?',
    guesses: ['Short ones', 'Long ones', 'All at the same time'],
    usually: 'the prediction becomes good for short scrambles first.',
    target: 'test-accuracy',
    action: { label: 'Train at full speed', does: trainFast },
    figures: {
      accuracy,
      samples,
      short: { element: 'test-accuracy', attribute: 'short' },
      long: { element: 'test-accuracy', attribute: 'long' },
    },
    outcome: ({ accuracy, samples, short, long }, then) => {
      if (accuracy === undefined || samples === undefined || samples <= (then.samples ?? 0)) return null
      if (short === undefined || long === undefined) return null
      const figures = `After ${compact(samples)} samples the network predicts the last turn of ${number(100 * short, 0)} % of the scrambles of up to 5 turns, and ${number(100 * long, 0)} % of those over 20 turns.`
      if (Math.max(short, long) < good) return `Not known yet. ${figures}`
      if (Math.abs(short - long) < 0.05) return { text: figures, right: 2 }
      return short > long
        ? {
            text: `${figures} Long scrambles stay difficult, because different last turns can lead to the same state.`,
            right: 0,
          }
        : { text: figures, right: 1 }
    },
  }),
  step({
    title: 'The pretrained network',
    text: 'A network that solves random cubes needs about an hour of training in a browser. The page comes with a network that was trained in this way on 106 million samples. The button selects it in the menu “Network”. Training below continues with its own network.',
    question:
      'Does the pretrained network see the way back from eight turns, if it always makes its most probable turn?',
    guesses: ['Yes', 'No'],
    target: 'player',
    action: {
      label: 'Load it and scramble by eight turns',
      // The visitor solves: the download may take longer than the other actions.
      does: [...loadPretrained, ...scramble(8), { kind: 'fill', element: 'solver', value: String(greedy) }],
    },
    figures: { turns, solved, solution, gaveUp, pretrained },
    outcome: ({ turns = 0, solved, solution, gaveUp, pretrained }) => {
      if (pretrained !== 1 || turns < 8) return null
      if (solved === 1 && solution !== undefined)
        return {
          text: `Its most probable turns solve the cube in ${solution} turns. Click the button again for another scramble.`,
          right: 0,
        }
      return gaveUp === 1
        ? {
            text: 'Its most probable turns found no solution, because one wrong prediction is enough to leave the way back. Click the button again for another scramble.',
            right: 1,
          }
        : 'The list of probabilities is now that of the pretrained network. Press “Solve”: the menu is set to its most probable turns (“greedy”).'
    },
  }),
  step({
    title: 'The greedy policy',
    text: 'The simplest way to use the network: always make its most probable turn. This rule is the [greedy](greedy) policy. One wrong prediction leads away from the solution, and the policy may end in a circle.',
    question: 'Does the greedy policy solve a random state?',
    guesses: ['Yes', 'No'],
    usually: 'the policy does not: one wrong prediction leads away from the solution.',
    target: 'cube',
    action: { label: 'Scramble and solve greedily', does: [...scramble(null), ...solve(greedy)] },
    figures: { evaluated, solved, solution, gaveUp },
    outcome: ({ evaluated = 0, solved, solution, gaveUp }) => {
      if (solved === 1 && solution !== undefined)
        return {
          text: `This time the policy solved the cube, with ${evaluated.toLocaleString('en')} evaluated states. Try another one: most random states stay unsolved.`,
          right: 0,
        }
      return gaveUp === 1
        ? {
            text: `The policy evaluated ${evaluated.toLocaleString('en')} states and found no solution, because one wrong prediction leads away from it.`,
            right: 1,
          }
        : null
    },
  }),
  step({
    title: 'Beam search',
    text: 'A better way: follow many ways at the same time. [Beam search](beam-search) makes all turns from 1,024 cubes, keeps the 1,024 most promising results and drops the others. A wrong prediction does no harm as long as the right way is among them.',
    question: 'How many states does beam search evaluate?',
    guesses: ['About a thousand', 'Some ten thousand', 'A hundred thousand or more'],
    usually: 'the search evaluates far more states than the greedy policy, and finds a solution.',
    target: 'thumbnails',
    action: { label: 'Scramble and solve by beam search', does: [...scramble(null), ...solve(beam)] },
    figures: { evaluated, solved, solution, gaveUp },
    outcome: ({ evaluated, solved, solution, gaveUp }) => {
      if (evaluated === undefined || evaluated <= 100) return null
      const states = `${evaluated.toLocaleString('en')} of 43 quintillion states`
      if (solved !== 1 && gaveUp !== 1) return `So far the search has evaluated ${states}.`
      const result =
        solved === 1
          ? `and solved the cube${solution === undefined ? '' : ` in ${solution} turns`}. The shortest solutions have 20.7 turns on average; a wider beam finds shorter ones`
          : 'and found no solution, because the right way fell out of the beam'
      return {
        text: `The search evaluated ${states} ${result}.`,
        right: evaluated < 5000 ? 0 : evaluated < 100_000 ? 1 : 2,
      }
    },
  }),
  step({
    title: 'A run to watch',
    text: 'The preset “Small network” is a group of settings that trains a smaller network. Every million samples, a test solves five random cubes by the greedy policy and by beams of width 32 and 256.',
    question: 'Which beam width solves a random cube first?',
    guesses: ['32', '256', 'Both at the same time'],
    target: 'tests',
    action: {
      label: 'Train a small network',
      does: [{ kind: 'restart', preset: 'small' }, ...trainFast],
    },
    figures: {
      width: { field: 'learner.width' },
      accuracy,
      samples,
      narrow: { metric: 'solved_32' },
      wide: { metric: 'solved_256' },
    },
    outcome: ({ width, accuracy, samples, narrow, wide }) => {
      if (width !== 256 || accuracy === undefined || samples === undefined) return null
      const now = `After ${compact(samples)} samples`
      if (narrow === undefined || wide === undefined)
        return `Not known yet: ${compact(samples)} samples. The first test is after a million.`
      const tests = `beam width 32 solves ${number(100 * narrow, 0)} % of the test cubes, width 256 ${number(100 * wide, 0)} %`
      if (narrow === 0 && wide === 0) return `Neither yet. ${now}, ${tests}.`
      const right = wide > narrow ? 1 : wide < narrow ? 0 : 2
      const why = right === 1 ? ' A wide beam keeps more ways after a wrong prediction.' : ''
      return { text: `${now}, ${tests}.${why}`, right }
    },
    isFinal: ({ width, narrow = 0, wide = 0 }) => width === 256 && Math.max(narrow, wide) > 0,
    summary: {
      learned: [
        {
          text: 'A network learns to undo the last turn of random scrambles, without any solution.',
          steps: [2],
        },
        {
          text: 'Its predictions are good near the solved cube and less certain further away.',
          steps: [3, 4],
        },
        {
          text: 'A search over many ways makes up for wrong predictions, and a wider beam finds shorter solutions.',
          steps: [5, 6, 7],
        },
      ],
      next: {
        label: 'Solve with beam width 4,096',
        does: [...loadPretrained, ...scramble(null), ...solve(widest)],
        target: 'cube',
      },
    },
  }),
]

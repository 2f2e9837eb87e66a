/** Explanations of the cube exhibits. */
import type { HelpText } from '../../../lib/help'

export const help = {
  distance: { text: 'Smallest number of turns from this state to the solved cube.', term: 'distance' },
  turns: { text: 'Number of turns made on this cube.', term: 'quarter-turn' },
  evaluated: { text: 'Number of states that the solver evaluated with the network.', term: 'beam-search' },
  moves: {
    text: 'Value of each turn for the network. A bar shows the value, the best one is the greedy move, and a filled dot marks an optimal turn.',
    term: 'greedy',
  },
  history: {
    text: 'Turns so far: scramble, your turns and solution in different colors. A click goes back or forward to a turn.',
    term: 'notation',
  },
  scramble: {
    text: 'Number of random turns that Scramble (key X) makes from the solved cube.',
    term: 'scramble',
  },
  solver: {
    text: 'Method of Solve (key S): greedy moves; a beam search of the given width (3×3×3), which is stronger and slower; or the optimal solver (2×2×2), which does not use the network.',
    term: 'beam-search',
  },
  pace: { text: 'Time for each turn of a solution.' },
  network: {
    text: 'Network that solves this cube: the one in training, or the pretrained one that comes with the page.',
    term: 'network',
  },
  exhaustive: {
    text: 'A column counts the states at one distance from the solved cube; its bright part is the share that the greedy policy solves.',
    term: 'distance',
  },
  evaluations: {
    text: 'Share of all states that the greedy policy solves, over the samples of training.',
    term: 'greedy',
  },
  cycles: {
    text: 'States from which the greedy policy repeats the same states forever, by the length of the cycle in turns.',
    term: 'greedy',
  },
  learning2: {
    text: 'Share of all states that the greedy policy of the network in training solves, and the same by distance from the solved state. Before the first evaluation: success rate of training episodes by scramble length.',
    term: 'greedy',
  },
  learning3: {
    text: 'How often the network in training predicts the last turn of a scramble, over all scramble lengths and for each length. Guessing is right in 1 of 12 cases.',
    term: 'scramble',
  },
  curriculum: {
    text: 'Success rate of training episodes by scramble length; the last column is for random states. A level opens when the success rate of the level before reaches the threshold.',
    term: 'curriculum',
  },
  replay: {
    text: 'Composition of the replay buffer by curriculum level, from easy to hard.',
    term: 'replay',
  },
  map: {
    text: 'All 3,674,160 states in rings by their distance from the solved state in the center. Color shows the share that the network solves.',
    term: 'distance',
  },
  demonstrations: {
    text: 'Share of the pretraining that is done: the network first imitates the optimal moves of a solver.',
    term: 'demonstration',
  },
  tests: {
    text: 'Share of a fixed set of random cubes that are solved, and the mean number of turns. The mark shows the first test.',
    term: 'beam-search',
  },
  prediction: {
    text: 'How often the most probable move is the one that undoes the last turn of a scramble, by scramble length.',
    term: 'scramble',
  },
  beam: {
    text: 'States that the current search keeps: the most probable ones after each turn.',
    term: 'beam-search',
  },
} satisfies Record<string, HelpText>

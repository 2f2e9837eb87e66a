/** Explanations of the logic automaton. */
import type { HelpText } from '../../../lib/help'

export const help = {
  soft: { text: 'Board of the circuit in training: cells have values between 0 and 1.', term: 'soft-gate' },
  hard: {
    text: 'Board of the same circuit with each gate reduced to its most probable function.',
    term: 'hard-gate',
  },
  target: { text: 'Pattern that the board should show after the last step.', term: 'cellular-automaton' },
  functions: {
    text: 'Number of gates by their most probable function. The small square is the truth table. Bars have a square-root scale.',
    term: 'gate',
  },
  confidence: {
    text: 'Mean over the gates of the largest function probability: 6 % is uniform, 100 % is one function.',
    term: 'gate-confidence',
  },
  loss: {
    text: 'Squared error of the soft circuit in training, and number of wrong bits of the hard circuit (logarithmic scale).',
    term: 'soft-gate',
  },
  sandbox: {
    text: 'A board for experiments that the current hard circuit runs, separate from training.',
    term: 'hard-gate',
  },
  tools: {
    text: 'Effect of the pointer: damage sets cells to 0, draw to 1, noise to random bits, invert flips them; inspect selects a cell for the circuit view, move drags the view. Keys 1 to 6.',
  },
  brush: { text: 'Width of the tools in cells.' },
  speed: { text: 'Steps of the sandbox per second.', term: 'step' },
  fireRate: {
    text: 'Probability that a cell is updated in a step; below 1 the automaton is asynchronous.',
    term: 'fire-rate',
  },
  size: {
    text: 'Number of cells of the sandbox. The same rule works on boards of any size.',
    term: 'cellular-automaton',
  },
  start: {
    text: 'State from which the sandbox starts: the initial state of training, random bits in all channels, the middle cell set to 1, or all cells 0.',
    term: 'cellular-automaton',
  },
  channel: { text: 'Bit of the cells that the sandbox shows.', term: 'channel' },
  life: {
    text: 'Output of the circuit for each of the 512 neighborhoods, compared with Conway’s rule. A pattern is placed with a click in the sandbox.',
    term: 'game-of-life',
  },
  tests: {
    text: 'Accuracy of the hard circuit on new boards, larger boards, after damage, and with the other update mode.',
    term: 'hard-gate',
  },
  files: {
    text: 'The hard circuit as a netlist (JSON, opens here again), as a combinational Verilog module, or its rollout as an animation.',
    term: 'gate',
  },
  circuit: {
    text: 'The simplified hard circuit of one cell, from the neighborhood at the left to the next state at the right.',
    term: 'perception',
  },
  draw: { text: 'A drawn pattern that becomes the target of training.', term: 'cellular-automaton' },
  channels: { text: 'Three channels give eight colors; one channel trains faster.', term: 'channel' },
  continueTraining: {
    text: 'Continue training keeps the gates and changes the target; Train starts from new gates.',
    term: 'gate',
  },
} satisfies Record<string, HelpText>

/** Explanations of the logic automaton. */
import { helpByTerm } from '../../../lib/help'

export const help = helpByTerm({
  'soft-gate': {
    soft: 'Board of the circuit in training: cells have values between 0 and 1.',
    loss: 'How wrong the boards are, summed over all training boards: squared error of the soft circuit in training, and number of wrong bits of the hard circuit (logarithmic scale).',
  },
  'hard-gate': {
    hard: 'Board of the same circuit with each gate reduced to its most probable function.',
    sandbox: 'A board for experiments that the current hard circuit runs, separate from training.',
    tests:
      'Accuracy of the hard circuit on new boards, larger boards, after damage, and with the other update mode.',
  },
  'cellular-automaton': {
    target: 'Pattern that the board should show after the last step.',
    size: 'Number of cells of the sandbox. The same rule works on boards of any size.',
    start:
      'State from which the sandbox starts: the initial state of training, random bits in all channels, the middle cell set to 1, or all cells 0.',
    draw: 'A drawn pattern that becomes the target of training.',
  },
  gate: {
    functions:
      'Number of gates by their most probable function. The small square is the truth table. Bars have a square-root scale.',
    files:
      'The hard circuit as a netlist (JSON, opens here again), as a combinational Verilog module, or its rollout as an animation.',
    continueTraining:
      'Continue training keeps the gates and changes the target; Train starts from new gates.',
  },
  'gate-confidence': {
    confidence:
      'How decided the gates are: mean over the gates of the largest function probability. 6 % is uniform, 100 % is one function.',
  },
  step: {
    speed: 'Steps of the sandbox per second.',
  },
  'fire-rate': {
    fireRate: 'Probability that a cell is updated in a step; below 1 the automaton is asynchronous.',
  },
  channel: {
    channel: 'Bit of the cells that the sandbox shows.',
    channels: 'Three channels give eight colors; one channel trains faster.',
  },
  'game-of-life': {
    life: 'Output of the circuit for each of the 512 neighborhoods, compared with Conway’s rule. A pattern is placed with a click in the sandbox.',
  },
  perception: {
    circuit:
      'The simplified hard circuit of one cell, from the neighborhood at the left to the next state at the right.',
  },
  tools:
    'Effect of the pointer: damage sets cells to 0, draw to 1, noise to random bits, invert flips them; inspect selects a cell for the circuit view, move drags the view. Keys 1 to 6.',
  brush: 'Width of the tools in cells.',
})

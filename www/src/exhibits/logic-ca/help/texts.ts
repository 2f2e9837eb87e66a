/** Explanations of the logic automaton. */
import { helpByTerm } from '../../../lib/help'

export const help = helpByTerm({
  'soft-gate': {
    soft: 'The board of the rule in training. Its cells can have values between 0 and 1, drawn as dots.',
    loss: 'The errors of all training boards together; 0 means that every cell is right. Soft: sum of the squared differences from the target. Hard: number of wrong bits. The scale is logarithmic.',
  },
  'hard-gate': {
    hard: 'The board of the same rule if each gate computes only its most probable function.',
    sandbox: 'A board for experiments, separate from training. The current hard circuit runs it.',
    tests:
      'How many cells the hard circuit computes correctly on new boards, on larger ones, after damage, and with the other update mode: all cells together, or some at random.',
  },
  'cellular-automaton': {
    target: 'The pattern that the board has to show after the last step.',
    size: 'The number of cells of the sandbox. The same rule works on boards of any size.',
    start:
      'The board from which the sandbox starts again: that of training, random bits in all channels, a 1 in the middle cell, or all cells 0.',
    draw: 'A pattern that you draw and the rule then learns.',
  },
  gate: {
    functions: 'How many gates compute each function. The small square shows its four outputs.',
    files:
      'Saves the hard circuit: as a list of gates (JSON, opens here again), as a combinational Verilog module, or its rollout as an animation.',
    continueTraining:
      'Continue training keeps the gates and changes the target; Train starts from new gates.',
  },
  'gate-confidence': {
    confidence:
      'How decided the gates are: 100 % if each computes one function only, 6 % if all 16 functions are equally probable. It is the mean over the gates of the largest probability. It falls while training mixes the gates and rises when they become hard.',
  },
  step: {
    speed: 'How many steps the sandbox makes per second.',
  },
  'fire-rate': {
    fireRate:
      'The share of the cells that change in a step, drawn at random. At 100 % all cells change together.',
  },
  channel: {
    channel: 'Which bit of each cell the sandbox shows.',
    channels: 'Three channels give eight colors; one channel trains faster.',
    messages:
      'How the circuit makes the picture from noise. The number in a cell is the step from which its bit no longer changes, in any of eight rollouts. Right: the longest way of a message, to the framed cell. With the opposite bit in one cell of the way, the next one would be wrong in one of these rollouts.',
  },
  'game-of-life': {
    life: 'What the circuit computes for each of the 512 neighborhoods, compared with Conway’s rule. A click in the sandbox places a pattern.',
  },
  perception: {
    circuit:
      'The gates that compute a cell, from its neighborhood at the left to its next bits at the right. Gates without effect are removed.',
  },
  tools:
    'What a click or a drag on the board does: damage sets all bits of a cell to 0 and noise to random ones; draw sets the visible bits to 1 and invert flips them; inspect selects the cell of the circuit, move drags the view. Keys 1 to 6.',
  brush: 'How many cells wide the tools are.',
})

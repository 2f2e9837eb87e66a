/** Terms of logic cellular automata. */
import { logicCa, logicGates, type Chapter } from './term'

export const automata: Chapter = {
  title: 'Logic automata',
  terms: [
    {
      slug: 'cellular-automaton',
      name: 'Cellular automaton',
      text: 'A grid of cells that all follow the same rule: the next state of a cell depends on its own state and the states of its eight neighbors.',
      source: {
        name: 'Mordvintsev et al. 2020, Growing Neural Cellular Automata',
        url: 'https://distill.pub/2020/growing-ca/',
      },
      covers: [
        'task.target',
        'task.width',
        'task.height',
        'task.border',
        'task.start',
        'task.steps',
        'task.drawing',
      ],
      see: ['game-of-life'],
    },
    {
      slug: 'game-of-life',
      name: 'Game of Life',
      text: 'Conway’s automaton: a living cell survives with two or three living neighbors, and a dead cell comes alive with exactly three.',
      source: { name: 'Gardner 1970', url: 'https://doi.org/10.1038/scientificamerican1070-120' },
    },
    {
      slug: 'channel',
      name: 'Channel',
      text: 'One bit of a cell’s state. The first channels are visible and compared with the target; hidden channels are free for messages between cells.',
      source: logicCa,
      covers: ['circuit.channels'],
    },
    {
      slug: 'perception',
      name: 'Perception, kernel',
      text: 'The first part of the circuit: small circuits, the kernels, that compare a cell with its neighbors. The update circuit computes the next state from their outputs.',
      source: logicCa,
      covers: ['circuit.kernels', 'circuit.perceive', 'circuit.update'],
    },
    {
      slug: 'gate',
      name: 'Logic gate',
      text: 'A function of two bits, such as AND or XOR. There are sixteen of them; a circuit is a network of gates.',
      source: logicGates,
      covers: ['gates_kept'],
      see: ['soft-gate'],
    },
    {
      slug: 'soft-gate',
      name: 'Soft gate',
      text: 'A gate in training: a mixture of all sixteen functions with learned probabilities, on numbers between 0 and 1. Therefore it has a gradient.',
      formula: 'f(a, b) = Σ_{i=1}^{16} p_i f_i(a, b)',
      symbols: 'p: softmax of the gate’s logits; for example AND is a·b, XOR is a + b − 2ab',
      source: logicGates,
      covers: ['soft_loss'],
      see: ['hard-gate', 'gate-confidence'],
    },
    {
      slug: 'hard-gate',
      name: 'Hard gate',
      text: 'A gate that uses only its most probable function, on real bits. The hard circuit is the result: a circuit of ordinary logic gates.',
      source: logicGates,
      covers: ['hard_loss', 'hard_accuracy', 'hard_share', 'settled'],
      see: ['soft-gate'],
    },
    {
      slug: 'gate-confidence',
      name: 'Gate confidence',
      text: 'The probability of a gate’s most probable function, averaged over all gates: 1/16 if all functions are equally probable, 1 if every gate has decided. Training starts near 1, because every gate starts as a pass-through.',
      formula: 'mean_g max_i p_{g,i}',
      covers: ['decidedness'],
    },
    {
      slug: 'fire-rate',
      name: 'Fire rate, asynchronous',
      text: 'The probability that a cell is updated in a step. Below 1 the automaton is asynchronous: cells have no common clock.',
      covers: ['fire_rate'],
    },
    {
      slug: 'rollout',
      name: 'Rollout',
      text: 'The states of an automaton, or the steps of an agent, from a start for a number of steps.',
    },
  ],
}

/** Lesson plans of two short lessons, 20 minutes each. */
import type { Plan } from './plan'

export const ideas: readonly Plan[] = [
  {
    slug: 'cube',
    title: 'A cube that is solved backwards',
    prior: 'None.',
    goals: [
      'Explain why random moves do not find a rare reward, and how a curriculum helps.',
      'Read a chart of solved states by distance.',
    ],
    reading: { label: 'Article: how it learns', href: '#/learn/cube' },
    project: {
      text: 'The 2×2×2 cube in projector mode: the cube, and the solved share at each distance.',
      links: [{ label: 'Cube 2×2×2', href: '#/cube2?projector=1' }],
    },
    phases: [
      {
        minutes: 4,
        title: 'How many states?',
        text: 'The class estimates. The cube has 3,674,160 states, and none is more than 14 quarter turns away from solved.',
        links: [{ label: 'Guide 1: the task', href: '#/cube2?guide=1' }],
      },
      {
        minutes: 6,
        title: 'A curriculum',
        text: 'Training starts with scrambles of one turn. Watch the level rise, and the columns fill from the left.',
        links: [
          { label: 'Guide 3: curriculum', href: '#/cube2?speed=max&guide=3' },
          { label: 'Guide 4: values spread', href: '#/cube2?speed=max&guide=4' },
        ],
      },
      {
        minutes: 6,
        title: 'Test it',
        text: 'Students scramble by four turns and let the network solve. The map shows the path.',
        links: [{ label: 'Guide 5: the map', href: '#/cube2?guide=5' }],
      },
      {
        minutes: 4,
        title: 'Compare',
        text: 'The optimal solver has a table of all states. For the 3×3×3 cube, with 43 quintillion states, no such table fits into memory: there the network searches.',
        links: [{ label: 'Cube 3×3×3', href: '#/cube3?projector=1' }],
      },
    ],
    questions: [
      {
        question: 'Why not start with random scrambles?',
        answer:
          'The mean distance of a random state is 10.7 turns. Random moves hardly ever reach the solved state from there, so that the agent would see no reward.',
      },
      {
        question: 'Why does the network fail at a scramble that it has not seen?',
        answer:
          'It estimates values. Where two moves have nearly equal values, a small error is enough to choose the wrong one; the greedy policy can then run in a cycle.',
      },
    ],
  },
  {
    slug: 'automaton',
    title: 'One circuit for all cells',
    prior: 'The logic gates AND, OR and NOT.',
    goals: [
      'Explain a cellular automaton: every cell applies the same rule to its neighborhood.',
      'Explain why a gate is trained as a mixture of Boolean functions.',
      'Test whether a learned rule generalizes.',
    ],
    reading: { label: 'Article: how it learns', href: '#/learn/logic-ca' },
    project: {
      text: 'The logic automaton in projector mode: the board, its target, and the accuracy of the hard circuit.',
      links: [{ label: 'Checkerboard', href: '#/logic-ca?projector=1' }],
    },
    phases: [
      {
        minutes: 4,
        title: 'Order from noise',
        text: 'Start training. Which local rule makes a checkerboard? The class writes it as a sentence.',
        links: [{ label: 'Guide 1: one circuit', href: '#/logic-ca?guide=1&projector=1' }],
      },
      {
        minutes: 6,
        title: 'Soft and hard gates',
        text: 'Follow the soft and the hard loss until the accuracy is 100 %.',
        links: [{ label: 'Guide 3: from soft to hard', href: '#/logic-ca?guide=3&projector=1' }],
      },
      {
        minutes: 6,
        title: 'Damage',
        text: 'Damage the board in the sandbox, and read the circuit: which gates remain?',
        links: [
          { label: 'Guide 5: the circuit', href: '#/logic-ca?guide=5' },
          { label: 'Guide 6: damage', href: '#/logic-ca?guide=6' },
        ],
      },
      {
        minutes: 4,
        title: 'Another rule',
        text: 'The same training finds the Game of Life from its 512 neighborhoods.',
        links: [{ label: 'Game of Life', href: '#/logic-ca?preset=life&projector=1' }],
      },
    ],
    questions: [
      {
        question: 'Why 16 functions?',
        answer: 'Two inputs have four combinations, and each has output 0 or 1: 2⁴ = 16 functions.',
      },
      {
        question: 'How many gates does a checkerboard need?',
        answer:
          'In our run the circuit was finished after 1,276 epochs. After simplification, 7 of its 4,608 gates remained.',
      },
    ],
  },
]

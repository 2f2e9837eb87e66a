/** Explanations of the cube exhibits. */
import { helpByTerm } from '../../../lib/help'

export const help = helpByTerm({
  distance: {
    distance:
      'Smallest number of quarter turns from this state to the solved cube. A half turn, such as R2, is two quarter turns.',
    exhaustive:
      'A column stands for the states at one distance from the solved cube; its colored part is the share that the network solves without search (greedy policy). The height of a column grows with the logarithm of its number of states. The columns, the headline and the guide show the newest complete evaluation.',
    map: 'All 3,674,160 states in rings by their distance from the solved state in the center. Color shows the share that the network solves.',
  },
  'quarter-turn': {
    turns:
      'Number of turns of the current attempt, without undone turns. An attempt begins after a scramble or on a solved cube. In the half-turn metric (HTM) a half turn is one move, in the quarter-turn metric (QTM) two.',
  },
  'beam-search': {
    evaluated: 'Number of states that the solver evaluated with the network.',
    solver:
      'Method of Solve (key Enter): greedy moves; a beam search of the given width (3×3×3), which is stronger and slower; or a solver without a network: the optimal solver in half turns or quarter turns (2×2×2), or the two-phase solver (3×3×3).',
    tests:
      'Share of a fixed set of random cubes that are solved, and the mean number of turns. The mark shows the first test.',
    beam: 'States that the current search keeps: the most probable ones after each turn.',
  },
  greedy: {
    learning2:
      'Share of all states that the network in training solves without search (greedy policy), and the same by distance from the solved state. Before the first evaluation: success rate of training episodes by scramble length.',
    moves2:
      'Number of turns to the solved cube if it begins with this turn, as the network estimates it. The network computes a Q-value: minus 0.1 for each turn to go. The line on the bar is the exact number. The best turn is the greedy move, which is taken without search; a filled dot marks an optimal turn. The network is accurate for good turns only, because training estimates the others rarely or never.',
    moves3:
      'Probability of each turn for the network. The length of a bar grows with the square root of the probability, so that improbable turns stay visible. The most probable turn is the greedy move, which is taken without search.',
    evaluations:
      'Share of all states that the network solves without search (greedy policy), over the samples of training.',
    cycles:
      'States from which the network without search (greedy policy) repeats the same states forever, by the length of the cycle in turns.',
  },
  notation: {
    reconstruction:
      'Position in the scramble and the algorithm. Twizzle shows the same moves on another page.',
    keys: 'Letters of the notation, clockwise, and counter-clockwise with Shift; or the keys of csTimer’s virtual cube. Both turn the layer that the viewer sees at this place. The keys act on the whole page, except in fields, menus and dialogs, or only with the focus on the cube.',
    history:
      'Moves so far: scramble, your moves and solution in different colors. Wide turns (Rw or r), slice turns (M, E, S), rotations (x, y, z), [commutators, and] [conjugates: with brackets] can be entered. The list has the notation of the WCA: r becomes Rw, and brackets become their moves; comments are kept. The field and “Copy algorithm” keep the text as entered. The next entry continues in the orientation in which the cube is held. A comment after // names the stage that ends in its line; its number of turns (half-turn metric) follows. HTM, QTM and STM are the lengths in the half-turn, quarter-turn and slice-turn metric. Moves that you make on a solved cube count as scramble if a solver then solves the cube. Two equal quarter turns of a solution are listed as a half turn, such as U2. A click goes back or forward to a turn.',
  },
  scramble: {
    learning3:
      'How often the network in training predicts the last turn of a scramble, over all scramble lengths and for each length. Guessing is right in 1 of 12 cases.',
    scramble:
      'Number of random turns that Scramble adds to the cube, or a random state. Undo brings the previous cube back.',
    prediction:
      'How often the most probable move is the one that undoes the last turn of a scramble, by scramble length.',
  },
  network: {
    network:
      'Network that solves this cube: the one in training, or a pretrained one that comes with the page.',
  },
  curriculum: {
    curriculum:
      'Success rate of training episodes by scramble length; the last column is for random states. A level opens when the success rate of the level before reaches the threshold.',
  },
  replay: {
    replay: 'Composition of the replay buffer by curriculum level, from easy to hard.',
  },
  demonstration: {
    demonstrations:
      'Share of the pretraining that is done: the network first imitates the optimal moves of a solver.',
  },
  speedcubing:
    'Timed solving. The timer starts at the first turn after the scramble and stops when the cube is solved; with “Physical cube”, the page times your own cube: hold and release the clock (or Space) to start, and press the clock or any key to stop. “Full-size timer” fills the window with this timer. While this panel is open, Space belongs to the timer: it brings the next scramble or starts the inspection, and Escape cancels the inspection or ends the solve of the cube on the page as DNF. During inspection and solve, distance, move values and the path on the map are hidden. A click on a time opens the moves and the comment of the solve. Solves and settings stay in this browser. “Import” reads the CSV and the JSON files of csTimer.',
  session:
    'List of solves with statistics of its own, for example for a day or for one-handed solves. The chosen session gets the next solves.',
  inspection:
    'Time to look at the scramble, 15 s: key Space or the button. WCA rules: warnings at 8 and 12 s; a start after 15 s adds 2 s, after 17 s the solve counts as DNF.',
  lengths:
    'Solutions of this cube by the network, by a solver without a network and by you (the moves since the scramble, if they solve the cube). In the half-turn metric (HTM) a half turn is one move, in the quarter-turn metric (QTM) two. The optimum of the 2×2×2 cube is known in the metric of the optimal solver that has run; the optimum in quarter turns is known for each solution. The two-phase solver (3×3×3; Kociemba, 1992) searches for each metric; its solutions are short, but not always the shortest.',
  randomState:
    'Scramble as at competitions: the state is drawn uniformly at random, and the inverse of a solution leads to it. The solved cube is at least 4 turns (2×2×2) or 2 turns (3×3×3) away.',
  meanOf3: 'Mean of the last three solves; DNF if one of them is.',
  averageOf5: 'Mean of the last five solves without the best and the worst; DNF if two of them are.',
  averageOf12: 'Mean of the last twelve solves without the best and the worst; DNF if two of them are.',
  averageOf50:
    'Mean of the last fifty solves without the three best and the three worst; DNF if four of them are.',
  averageOf100:
    'Mean of the last hundred solves without the five best and the five worst; DNF if six of them are.',
  averageOf1000:
    'Mean of the last thousand solves without the fifty best and the fifty worst; DNF if 51 of them are.',
  sessionMean: 'Mean of all listed solves that are not DNF.',
  deviation: 'Standard deviation of all listed solves that are not DNF.',
  times:
    'Times of the newest 200 solves of the session (dots), and the averages of 5 and 12 up to each of them (lines). A DNF has no dot.',
  pace: 'Time for each turn of a solution.',
})

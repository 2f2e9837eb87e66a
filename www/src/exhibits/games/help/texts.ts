/** Explanations that both games share. */
import { number } from '../../../lib/format'
import { helpByTerm } from '../../../lib/help'
import { marks } from '../../../protocol/marks'

const [blunder, error, doubtful] = marks.map(({ loss, mark }) => `${mark} for ${number(loss, 3)}`)

export const help = helpByTerm({
  gammon: {
    win: 'Probability that this side wins. The parts in a stronger color at the left of the bar are gammons and backgammons, which are included.',
    gammon:
      'Probability that this side wins a gammon (2 points) or a backgammon (3 points), and the probability of a backgammon alone, in percent.',
    decision:
      'G: the player wins a gammon or a backgammon; BG: a backgammon. With a minus sign, the player loses one. “Win” includes all of its wins.',
  },
  'doubling-cube': {
    match:
      'Single games without the doubling cube, a money session, or a match. The choice applies at once if you have not played yet, otherwise with Start and with every new game. The networks are cubeless and know no score: their doubling decisions follow from Janowski’s formula and a match equity table, in bear-offs from all rolls and plays. Plays are ranked, and networks play, by the equity at the score and with the cube, which follows from the same formula. The analyst decides for players without a network.',
    openedMatch: `Plays and doubles of a match. A click or the arrow keys show the position before a decision on the board, with its roll and doubling cube. The match at the table continues after “Back to the match”; “Play on from here” sets the position up at the table, for its players; a computer waits there for “Move now”, “Roll now” or “Answer now”. Analyze rates all actions with the trained network at 1 ply, and actions with a marked error again at 2 plies, as the command vivarium analyze does, on this page a double with the reply to it; the table of plays has the best ones, or the equities of a double, of the selected decision. Marks are those of GNU Backgammon 1.07 for a loss of at least: ${doubtful}, ${error}, ${blunder}; beside the roll ++ or + for luck of at least 0.600 or 0.300, −− or − for bad luck.`,
    matchTotals:
      'Losses and luck are equities per value of the doubling cube; at a match score, EMG. The error rate is the mean loss per decision in thousandths, and PR half of it, as in eXtreme Gammon. Decisions are plays with a choice, doubles, takes, passes, and decisions not to double that are wrong or close. The luck-adjusted result is the result without the luck of the rolls, an estimate that can exceed 100 %; in a match, match winning probability. The network is weaker than GNU Backgammon: compare players, and check errors by a rollout. Decisions that were rolled out (R) count with the loss by their rollout, in the list and in the totals, if it decides: after at least 36 trials, the best action and the one made differ by two joint standard errors, or their joint standard error is at most 0.005. A double and the reply count by the rollout only if it decides both. R? marks a rollout that has not decided. Exported analyses have the losses by the evaluation; there, a double and the reply can have different depths.',
  },
  value: {
    wins: 'Probability that this side wins.',
    draw: 'Probability that the game ends without a winner.',
  },
  search: {
    analysis:
      'Search of the decision at the board by the chosen network, with the chosen number of simulations.',
    workerTime:
      'Shares of self-play time: forward passes of the network, search with rules, and encoding of states.',
    rollout:
      'Random games by the trained network, with doubles, takes and passes: the four best plays of the table, the play made and added plays get the same dice, and so do no double and double. ± is one standard error, without the errors of the network. “Until decided” stops when the best action leads over the play made, or over each rival, by 2.33 joint standard errors (the JSD rule of GNU Backgammon): after at least 144 and at most 5,184 trials.',
    rolledErrors:
      'Rolls out the listed errors one after the other, the largest first, and the doubling decisions without a mark that lose equity or are close (less than 0.030), with the number and the length of the trials that a rollout has below the table. Existing trials are continued.',
    quiz: `Asks for your decision at each listed error of the match, and hides its analysis meanwhile. An answer is right if its loss has no mark, so it is less than ${number(marks.at(-1)!.loss, 3)}. A play that the analysis does not list is evaluated at the same depth. Keys: D double, N no double, T take, P pass, U undo, Enter end of the play.`,
    rolledEquity: 'Mean of the trials without the luck of the rolls, with its standard error.',
    rolledLoss:
      'Difference to the equity of the first play, with its standard error: the same dice of both plays cancel.',
    tree: 'Positions that the search of the current decision explored. The width of a line shows the visits; the numbers are the visits and the worth of each move.',
    treeSize:
      'Number of positions in the tree, and the largest number that fits in memory. It has fewer positions than simulations: a simulation adds none if its moves lead to a known position in another order, or end the game.',
  },
  prior: {
    prior:
      'Prior of the play: the probability that the network gives it at first sight, before any search, in percent.',
  },
  visits: {
    visits: 'How often the search has tried the play: number of simulations through it.',
    treeDepth: 'Number of moves of the most visited line that are unfolded.',
  },
  simulation: {
    seat: 'A network plays with the chosen number of simulations per decision: more simulations play better and take longer. The number at the right is the points won so far.',
  },
  'self-play': {
    selfPlay:
      'Games that the network plays against itself at this moment. Their visits and outcomes are the training data.',
  },
  strength: {
    matches:
      'Games of the player against the opponent with swapped seats and the same dice, for increasing numbers of simulations. More games give a narrower interval.',
  },
  person: 'Human player: you make the moves on the board.',
  pace: 'Delay of each computer move.',
  hints:
    'Hints (key H) shows the analysis of your decisions before you play. Without hints, equity and probabilities are hidden during your game until you have decided. In an opened match, they show or hide its analysis, so that you can look for the best play of each error first. The key ? lists all keys.',
  dice: 'Manual: you press Roll. Automatic: the dice roll at once. Entered: you type the roll of real dice.',
})

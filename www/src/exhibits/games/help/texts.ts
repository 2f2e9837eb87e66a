/** Explanations of the game exhibits. */
import type { HelpText } from '../../../lib/help'

export const help = {
  equity: {
    text: 'Points that the side below can expect after the best play, from the search or the network alone.',
    term: 'equity',
  },
  win: {
    text: 'Probability that this side wins. The darker parts of the bar are gammons and backgammons, which are included.',
    term: 'gammon',
  },
  draw: { text: 'Probability that the game ends without a winner.', term: 'value' },
  gammon: {
    text: 'Probability that this side wins a gammon (2 points) or a backgammon (3 points), and the probability of a backgammon alone, in percent.',
    term: 'gammon',
  },
  plays: {
    text: 'Legal plays of the decision, the highest equity first. A row under the pointer shows its play on the board.',
    term: 'search',
  },
  prior: {
    text: 'Probability that the network alone gives the play, before the search, in percent.',
    term: 'prior',
  },
  visits: { text: 'Number of simulations through this play.', term: 'visits' },
  playEquity: { text: 'Mean value of the simulations through this play, in points.', term: 'equity' },
  loss: {
    text: 'Difference to the equity of the first play, in points. A dash means that the play had too few visits to be compared.',
    term: 'equity',
  },
  analysis: {
    text: 'Search of the decision at the board by the chosen network, with the chosen number of simulations.',
    term: 'search',
  },
  person: { text: 'Human player: you make the moves on the board.' },
  seat: {
    text: 'A network plays with the chosen number of simulations per decision: more simulations play better and take longer. The number at the right is the points won so far.',
    term: 'simulation',
  },
  pace: { text: 'Delay of each computer move.' },
  hints: {
    text: 'Hints (key H) shows the analysis of your decisions before you play. U takes the last move back.',
  },
  dice: {
    text: 'Manual: you press Roll. Automatic: the dice roll at once. Entered: you type the roll of real dice.',
  },
  record: {
    text: 'Turns of the game. A click shows the position before a turn. The number is the equity that the turn lost, and the mean is per play.',
    term: 'equity',
  },
  learning: {
    text: 'Games of self-play so far, and mean points per game of the newest network, without search, against the strongest reference player. The curve shows these points over training.',
    term: 'self-play',
  },
  ladder: {
    text: 'Mean points per game of the newest network, without search, against fixed players; the band is a 95 % confidence interval.',
    term: 'strength',
  },
  workerTime: {
    text: 'Shares of self-play time: forward passes of the network, search with rules, and encoding of states.',
    term: 'search',
  },
  selfPlay: {
    text: 'Games that the network plays against itself at this moment. Their visits and outcomes are the training data.',
    term: 'self-play',
  },
  tree: {
    text: 'Positions that the search of the current decision explored. The width of a line shows the visits; the numbers are visits and equity.',
    term: 'search',
  },
  treeDepth: { text: 'Number of moves of the most visited line that are unfolded.', term: 'visits' },
  treeSize: {
    text: 'Number of positions in the tree, and the largest number that fits in memory.',
    term: 'search',
  },
  matches: {
    text: 'Games of the player against the opponent with swapped seats and the same dice, for increasing numbers of simulations. More games give a narrower interval.',
    term: 'strength',
  },
} satisfies Record<string, HelpText>

/** Guided path of backgammon: plays and dice, and learning by self-play (TD-Gammon, Tesauro 1995; AlphaZero, Silver et al. 2018). */
import { number } from '../../../lib/format'
import { step, type Action, type Guide } from '../../shared/guide/guide'
import { leastLoss, severity } from '../model/outcomes'
import { playNewest } from '../model/next-steps'
import { texts } from '../model/texts'
import {
  complete,
  count,
  equity,
  hideHints,
  ladderStep,
  searchGain,
  searchStep,
  selfPlayStep,
  treeStep,
} from './shared'

const { scale } = texts.backgammon

/** IDs of the start of a game without the doubling cube, which an XGID would add; the side below plays a roll of 3-1. */
const opening = '4HPwATDgc/ABMA:MIEFAAAAAAAA'
/** Usual plays of this roll, with the digits of their notation. */
const plays = [
  { text: '8/5 6/5', digits: 8565 },
  { text: '24/23 13/10', digits: 24231310 },
]
/** Largest equity of a position that is neither good nor bad. */
const fair = 0.05
const setUp: readonly Action[] = [
  { kind: 'fill', element: 'position-id', value: opening },
  { kind: 'click', element: 'position-set' },
  // Enabled as soon as the position is on the board.
  { kind: 'click', element: 'analyze-again' },
]

/**
 * Results of `vivarium eval --checkpoint backgammon.safetensors --against pubeval --games 2000 --seed 5`, with `--simulations 0` with
 * `--simulations 100` and, for the decisions, with 800: points per game, and mean equity loss per decision.
 */
const unseen =
  ' Single plays show a gain, without the luck of the dice: a play loses 0.011 points on average without search, and 0.006 with 800 simulations.'

export const guide: Guide = [
  step({
    title: 'The game and its value',
    text: 'Both sides move 15 checkers around the board by the numbers of two dice, and then off the board; the first to finish wins. A high win counts double or triple: a [gammon](gammon) or a backgammon. A [neural network](network) estimates how probable each result is. The [equity](backgammon-equity) is the mean number of points that you, the side below, win per game.',
    question: 'How good is a first roll of 3-1 for you, below?',
    guesses: ['Good', 'Neither good nor bad', 'Bad'],
    usually: 'a first roll of 3-1 is good: it makes a block of two checkers on point 5.',
    target: 'board',
    shows: ['equity'],
    action: { label: 'Set up the start with 3-1', does: setUp },
    figures: { complete, equity, win: { element: 'win-0', attribute: 'text' } },
    outcome: ({ complete, equity, win }) =>
      complete === 1 && equity !== undefined && win !== undefined
        ? {
            text: `You win ${number(win, 1)} % of the games from here, and your equity is ${scale.format(equity)} points. 3-1 is good because it makes a block of two checkers on point 5.`,
            right: equity > fair ? 0 : equity < -fair ? 2 : 1,
          }
        : null,
  }),
  step({
    title: 'Many plays for one roll',
    text: 'Most rolls can be played in 10 to 30 ways. The computer compares them by looking ahead, with a [search](search) of many [simulations](simulation). The list shows how many simulations the search has spent on each play (its [visits](visits)), how good the play is, and how much it loses against the best one. A row under the pointer shows its play on the board.',
    question: 'Which play of 3-1 is the best?',
    guesses: [...plays.map(({ text }) => text), 'Another one'],
    usually: 'the search chooses 8/5 6/5, as experts do.',
    target: 'analysis',
    shows: [],
    setup: hideHints,
    leave: hideHints,
    action: {
      label: 'Show the plays',
      does: [...setUp, { kind: 'click', element: 'show-hints', optional: true }],
    },
    figures: {
      simulations: { element: 'simulations' },
      wanted: { element: 'simulations', attribute: 'wanted' },
      chosen: { element: 'candidates', attribute: 'chosen' },
    },
    outcome: ({ simulations, wanted = 100, chosen }) => {
      if (simulations === undefined || simulations < wanted || simulations < 100 || chosen === undefined)
        return null
      const found = plays.findIndex(({ digits }) => digits === chosen)
      const name = found < 0 ? 'the play with most visits in the list' : plays[found]!.text
      return {
        text: `After ${simulations.toLocaleString('en')} simulations, the search chooses ${name}. Experts play 8/5 6/5: two checkers on point 5 block it for the opponent.`,
        right: found < 0 ? plays.length : found,
      }
    },
  }),
  treeStep(
    {
      text: 'After each play the opponent rolls the dice, and the roll is random. There are 21 different ones: a double comes once in 36 rolls, any other twice. The search tree has a branch for each roll, and a play is worth the mean over all rolls.',
      question: 'How fast does the tree grow with the depth?',
      usually: 'the search looks only a few plays ahead: each play has up to 21 rolls below it.',
    },
    ({ states }) =>
      `Very fast: each play has up to 21 rolls below it, and each roll often 10 to 30 plays. With ${count(states)} states the search looks only a few plays ahead.`,
  ),
  step({
    title: 'Your own play',
    text: 'You play below, against a network that comes with the page. Click or drag a checker; U takes a move back, and “Done” ends your turn. Each of your plays is compared with the best one: the list of turns shows how many points per game it loses.',
    question: 'How much does your first play lose?',
    guesses: ['Nothing: it is the best', 'Under 0.05 points', 'More'],
    target: 'board',
    action: {
      label: 'Start a game',
      does: [
        { kind: 'click', element: 'new-game' },
        { kind: 'click', element: 'roll', optional: true },
      ],
    },
    figures: { lost: { element: 'lost' } },
    running: 'Your turn: play below',
    outcome: ({ lost }) =>
      lost !== undefined
        ? lost < leastLoss
          ? {
              text: 'Your play is the best one: the search has found no play with more points.',
              right: 0,
            }
          : {
              text: `Your play loses ${number(lost, 3)} points per game${severity(lost) === 'blunder' ? ', which players call a blunder' : ''}. Select the turn in the list to see a better play.`,
              right: lost < 0.05 ? 1 : 2,
            }
        : null,
  }),
  selfPlayStep(
    'Your opponent was a pretrained network. Here a new network starts at random, and learns only from games against itself, without human games: [self-play](self-play). The dice lead each game to other positions, so that the network meets many kinds of them.',
    {
      direction: 'shorter',
      cause: 'the network learns to bring its checkers home',
    },
  ),
  ladderStep(
    scale,
    'Is the network strong? Games against itself do not tell, because both sides improve. Therefore the newest network regularly plays against fixed opponents: one that moves at random, one that only counts [pips](pip), the points that its checkers still have to move, and [Pubeval](pubeval), a simple program of 1993. In these games the network does not search.',
    ['random moves', 'pip counter', 'Pubeval'],
    'wins_pubeval',
  ),
  {
    ...searchStep(
      scale,
      {
        question: 'How many points per game do these games show that search adds?',
        opponent: '[Pubeval](pubeval)',
        pairs: 50,
        guesses: ['None for certain', `Under ${searchGain}`, `${searchGain} or more`],
      },
      unseen,
    ),
    summary: {
      learned: [
        {
          text: 'The equity of a position is the mean number of points that it wins, over all rolls of the dice.',
          steps: [1, 2],
        },
        { text: 'The network learns this equity from games against itself.', steps: [5, 6] },
        { text: 'A search looks only a few plays ahead, because each roll has many plays.', steps: [3, 7] },
      ],
      next: playNewest,
    },
  },
]

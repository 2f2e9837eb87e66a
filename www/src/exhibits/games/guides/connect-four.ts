/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, type Action, type Guide, type Values } from '../../shared/guide/guide'
import { playNewest } from '../model/next-steps'
import { texts } from '../model/texts'
import {
  count,
  gamesIn,
  hideHints,
  ladderStep,
  pause,
  searchGain,
  searchStep,
  selfPlayStep,
  treeStep,
} from './shared'

const { scale } = texts['connect-four']

/**
 * Columns of the moves to a position in which the pretrained network alone and its search choose different moves, and the
 * column that wins by force.
 */
export const [tactical, winning] = ['4646343443', 2]
/** Sets up this position. */
const position: readonly Action[] = [
  { kind: 'fill', element: 'position-id', value: tactical },
  { kind: 'click', element: 'position-set' },
]
/** Reason for this column. */
const threat = `Column ${winning} wins by force: then a stone in column 1 or in column 5 completes four in the bottom row, and the opponent can block only one of them.`
/** Reason for an expectation below 100 % in a won position. */
const average =
  'The search expects less than 100 % because it takes the mean of all its tries, also of those with weak moves.'
/** Guesses of the part of the simulations of one move, in percent. */
const shares = ranges([40, 70], (percent) => `${percent} %`)
/** Policy loss of a network that gives all seven columns the same probability. */
const uniformLoss = Math.log(7)
/** Minimum duration for which a step measures the policy loss or the rate of games, in seconds. */
const measured = 20
/** Change of the policy loss that is clear: a generation changes it by about 0.05 at the start of a run. */
const clearLoss = 0.02
/** Default share of the moves of self-play that are searched. */
const defaultShare = 0.25

/** Returns which part of {@link measured} has passed since the click. */
const timeMeasured = ({ seconds = 0 }: Values<'seconds'>, then: Values<'seconds'>) =>
  (seconds - (then.seconds ?? seconds)) / measured

/** Figures of the newest point of the chart of the policy loss: its steps, and the number of moves that it averages over. */
type ChartPoint = Values<'lastSteps' | 'steps' | 'generation'>

/** Returns which part of the moves is played that a point of the chart needs which is newer than the click. */
const movesMeasured = ({ steps = 0, generation = 1 }: ChartPoint, then: ChartPoint) =>
  // The generation at the click ends first.
  (steps - (then.steps ?? steps)) / (2 * generation)

/** Returns whether the newest point of the chart averages only moves since the click, and is not the first point. */
const isPolicyMeasured = (
  now: ChartPoint & Values<'seconds'>,
  then: ChartPoint & Values<'seconds'>,
): boolean => {
  const { lastSteps = 0, generation = Infinity } = now
  return (
    lastSteps - (then.steps ?? Infinity) >= generation &&
    lastSteps > (then.lastSteps ?? Infinity) &&
    timeMeasured(now, then) >= 1
  )
}

export const guide: Guide = [
  step({
    title: 'Two parts: network and search',
    text: 'The computer plays with two tools. A [neural network](network) judges a position at first sight: which moves look good, and who will win. A [search](search) looks ahead: if I go there, what then? You have the colored stones, and it is your move. Above each column, a gray bar will show how much the network likes it at first sight, and a colored bar how often the search has tried it: its [visits](visits). The percentage is the share of games that the search expects you to win there; a draw counts half.',
    question: 'Does the search choose the move that the network likes at first sight?',
    guesses: ['Yes, the same move', 'No, another move'],
    target: 'board',
    setup: [...hideHints, ...position],
    action: {
      label: 'Compare network and search',
      does: [
        { kind: 'click', element: 'show-hints', optional: true },
        { kind: 'click', element: 'analyze-again' },
      ],
    },
    figures: {
      simulations: { element: 'simulations' },
      wanted: { element: 'simulations', attribute: 'wanted' },
      glance: { element: 'candidates', attribute: 'glance' },
      prior: { element: 'candidates', attribute: 'prior' },
      glanceEquity: { element: 'candidates', attribute: 'glanceEquity' },
      chosen: { element: 'candidates', attribute: 'chosen' },
      chosenPrior: { element: 'candidates', attribute: 'chosenPrior' },
      chosenEquity: { element: 'candidates', attribute: 'chosenEquity' },
    },
    outcome: ({
      simulations,
      wanted = 100,
      glance,
      prior,
      glanceEquity,
      chosen,
      chosenPrior,
      chosenEquity,
    }) => {
      if (
        simulations === undefined ||
        simulations < wanted ||
        simulations < 100 ||
        chosen === undefined ||
        glance === undefined
      )
        return null
      if (prior === undefined || glanceEquity === undefined) return null
      if (chosenPrior === undefined || chosenEquity === undefined) return null
      const share = (part: number) => `${number(100 * part, 0)} %`
      const isWon = chosen === winning && chosenEquity > 0
      const figures =
        glance === chosen
          ? `The network prefers column ${glance}, and after looking ahead the search chooses it too: it expects that you win ${scale.brief(chosenEquity)}.`
          : `At first sight the network prefers column ${glance} (${share(prior)}; column ${chosen} only ${share(chosenPrior)}). After ${count(simulations)} simulations (tries) the search expects ${scale.brief(chosenEquity)} wins with column ${chosen}, ${scale.brief(glanceEquity)} with column ${glance}.`
      return {
        text: [
          ...(isWon ? [threat] : []),
          figures,
          ...(isWon && scale.brief(chosenEquity) !== scale.brief(1) ? [average] : []),
        ].join(' '),
        right: glance === chosen ? 0 : 1,
      }
    },
  }),
  treeStep(
    {
      text: 'The search tries moves one after the other. Each try is a [simulation](simulation): it follows good moves to a new position, which it adds to the tree, or to the end of the game. The network estimates who wins in the new position. The percentage of a move is the mean of its tries. The search looks longest at the best moves, and also tries moves that the network likes at first sight.',
      question: 'How many of all simulations does the move get that is tried most?',
      guesses: shares.guesses,
      // The visitor may have made a move.
      setup: position,
    },
    ({ states, all, most, moves, end }) => {
      const part = (100 * most) / all
      const ends = end === 0 ? '' : ` The best line ends after ${end} moves, because the game is over.`
      // A simulation adds a position unless it ends at a finished game of the tree.
      const finished =
        states < all
          ? ` The tree has only ${count(states)} positions: the other ${count(all - states)} simulations ended in finished games that it had already.`
          : ''
      return {
        text: `The search returns to a move as long as its results are the best so far: this one gets ${count(most)} of ${count(all)} simulations, ${number(part, 0)} %. Spread evenly, each of the ${moves} moves would get ${count(Math.round(all / moves))}.${ends}${finished}`,
        right: shares.indexOf(part),
      }
    },
  ),
  selfPlayStep(
    'The steps before used a trained network that comes with the page. Here a new network starts at random, and learns only from games against itself: [self-play](self-play). It learns two things: which moves the search liked, and who won. After each round of games, training changes the numbers in the network a little, so that it judges their positions more like this. “Promotions” counts how often the newest network has beaten the best one before it in a match.',
    {
      direction: 'longer',
      cause: 'The games become longer because the network learns to see threats and to block them.',
    },
  ),
  step({
    title: 'The network learns from the search',
    text: `The search finds better moves than the first sight of the network. The network learns to see these moves at once, and the next search starts from there. The [policy loss](cross-entropy) measures how much the moves of the search surprise it: ${number(uniformLoss, 2)} (the logarithm of 7) if it likes all seven columns equally, near 0 if it expects each move. The chart begins when the network has learned from its first games.`,
    question: 'What does the policy loss do as training continues?',
    guesses: ['It falls', 'It rises', 'It hardly changes'],
    target: 'chart-policy_loss',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      policy: { metric: 'policy_loss' },
      firstPolicy: { first: 'policy_loss' },
      lastSteps: { 'last-steps': 'policy_loss' },
      steps: { progress: 'steps' },
      generation: { field: 'self_play.generation' },
      seconds: { run: 'seconds' },
    },
    progress: (now, then) => Math.min(timeMeasured(now, then), movesMeasured(now, then)),
    outcome: ({ policy, firstPolicy, ...now }, then) => {
      if (now.seconds === undefined) return null
      if (policy === undefined || firstPolicy === undefined)
        return 'Not known yet: the network has not learned from its first games.'
      if (!isPolicyMeasured(now, then))
        return `Measuring: the policy loss is ${number(policy, 2)}. A new point of the chart follows after ${compact(now.generation ?? 0)} moves.`
      const before = then.policy ?? policy
      const change = policy - before
      const right = change <= -clearLoss ? 0 : change >= clearLoss ? 1 : 2
      const cause = [
        'It falls because the network learns the moves that the search chooses.',
        'It can rise for a while because the search improves as well: its moves are new to the network.',
        firstPolicy - policy >= clearLoss
          ? 'It has fallen before, and now falls slowly: the network improves, but so does the search that it learns from.'
          : 'The network needs more games to learn the moves of the search.',
      ][right]!
      return {
        text: `${cause} Before the click the policy loss was ${number(before, 2)}, and games played since then give ${number(policy, 2)}. The chart starts at ${number(firstPolicy, 2)}.`,
        right,
      }
    },
    isFinal: ({ policy, ...now }, then) => policy !== undefined && isPolicyMeasured(now, then),
    finish: pause,
  }),
  step({
    title: 'The price of search',
    text: 'Looking far ahead takes time. By default, only a quarter of the moves of self-play is searched. For the others the network looks just one move ahead and takes the best position, which is much faster.',
    question: 'What happens to the number of games per minute if every move is searched?',
    guesses: ['It rises', 'It falls below half', 'It falls a little'],
    target: 'games',
    leave: [{ kind: 'set', path: 'search.search_share', value: defaultShare }],
    requirement: {
      isMet: ({ games = 0, seconds = 0 }) => games > 0 && seconds >= measured,
      text: `The comparison needs the games of ${measured} s with a quarter of the moves searched.`,
      progress: ({ seconds = 0 }) => `Trained for ${number(seconds, 0)} of ${measured} s.`,
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Search every move',
      does: [{ kind: 'set', path: 'search.search_share', value: 1 }, ...trainFast],
    },
    figures: {
      share: { field: 'search.search_share' },
      games: { progress: 'episodes' },
      seconds: { run: 'seconds' },
    },
    progress: (now, then) => timeMeasured(now, then),
    outcome: ({ share, games, seconds }, then) => {
      if (share !== 1 || games === undefined || seconds === undefined) return null
      if (!then.games || !then.seconds || seconds <= then.seconds) return null
      const [ended, passed] = [games - then.games, seconds - then.seconds]
      const figures = `Now: ${gamesIn(ended, passed)}. Before: ${gamesIn(then.games, then.seconds)}.`
      if (timeMeasured({ seconds }, then) < 1) return `Measuring: ${figures}`
      const ratio = ended / passed / (then.games / then.seconds)
      const right = ratio >= 1 ? 0 : ratio < 0.5 ? 1 : 2
      const cause = right === 0 ? '' : 'Fewer games end because each move now needs a search. '
      const text = `${cause}${figures} In return, the network learns every move from a search. The setting returns to a quarter with the next step.`
      return { text, right }
    },
    isFinal: (now, then) => timeMeasured(now, then) >= 1,
    // A repetition compares with all games before it, including the games of the first experiment.
    keepsAnswer: true,
    finish: pause,
  }),
  ladderStep(
    scale,
    'Is the network strong? Games against itself do not tell, because both sides improve. Therefore the newest network regularly plays against fixed opponents: random moves, and [minimax](minimax), which computes all moves 2, 4 or 6 moves ahead. In these games the network does not search.',
    ['random moves', '2 moves ahead', '4 moves ahead', '6 moves ahead'],
    'wins_minimax_6',
  ),
  {
    ...searchStep(scale, {
      opponent: '[minimax](minimax), which computes all moves 6 moves ahead',
      pairs: 25,
      counting: 'A draw counts half.',
      question: 'How many more games in 100 does search win?',
      guesses: ['None', `Under ${50 * searchGain} in 100`, `${50 * searchGain} in 100 or more`],
    }),
    summary: {
      learned: [
        'The network judges a position at once, and the search corrects it by looking ahead.',
        'In self-play the network learns the moves that its own search has chosen.',
        'More simulations per move make the same network a stronger player, and a slower one.',
      ],
      next: playNewest,
    },
  },
]

/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, type Action, type Guide, type Values } from '../../shared/guide/guide'
import { playNewest } from '../model/next-steps'
import { texts } from '../model/texts'
import { count, hideHints, ladderStep, pause, searchGain, searchStep, selfPlayStep, treeStep } from './shared'

const { scale } = texts['connect-four']

/**
 * Columns of the moves to a position in which the pretrained network alone and its search choose different moves, and the
 * column that wins by force.
 */
export const [tactical, winning] = ['4646343443', 2]
/** Columns among which the visitor chooses: the winning one, and those that the pretrained network alone likes best. */
const candidates = [winning, 4, 6]
/** Sets up this position. */
const position: readonly Action[] = [
  { kind: 'fill', element: 'position-id', value: tactical },
  { kind: 'click', element: 'position-set' },
]
/** Reason for this column. */
const threat = `Column ${winning} wins: column 1 and column 5 then both complete four in the bottom row, and the opponent can block only one of them.`
/** Guesses of the part of the simulations of one move, in percent. */
const shares = ranges([40, 70], (percent) => `${percent} %`)
/** Policy loss of a network that gives all seven columns the same probability. */
const uniformLoss = Math.log(7)
/** Minimum duration for which a step measures the policy loss or the rate of games, in seconds. */
const measured = 20
/** Change of the policy loss that is clear: a generation changes it by about 0.05 at the start of a run. */
const clearLoss = 0.02
/** Value of a rate that the page does not display. */
const notDisplayed = -1
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
    title: 'Find the move',
    text: 'Four stones in a row win: across, upward or diagonally. You have the colored stones. The computer has two tools to find a good move: a [neural network](network) rates the columns at once (gray bars above the board), and a [search](search) looks ahead (colored bars). Select your column below; moves on the board are only for trying.',
    question: 'Which column would you play?',
    guesses: candidates.map((column) => `Column ${column}`),
    usually: `the network without search prefers column 6, and the search finds column ${winning}, which wins.`,
    target: 'board',
    shows: [],
    setup: [...hideHints, ...position],
    leave: hideHints,
    action: {
      label: 'Show what the computer would play',
      does: [
        // The visitor may have made a move.
        ...position,
        { kind: 'click', element: 'show-hints', optional: true },
        { kind: 'click', element: 'analyze-again' },
      ],
    },
    figures: {
      simulations: { element: 'simulations' },
      wanted: { element: 'simulations', attribute: 'wanted' },
      glance: { element: 'candidates', attribute: 'glance' },
      chosen: { element: 'candidates', attribute: 'chosen' },
      chosenEquity: { element: 'candidates', attribute: 'chosenEquity' },
    },
    outcome: ({ simulations, wanted = 100, glance, chosen, chosenEquity }) => {
      if (simulations === undefined || simulations < wanted || simulations < 100) return null
      if (chosen === undefined || glance === undefined || chosenEquity === undefined) return null
      const isWon = chosen === winning && chosenEquity > 0
      const tools =
        glance === chosen
          ? `Network and search both choose column ${chosen}.`
          : `Without search the network prefers column ${glance}; the search chooses column ${chosen}.`
      const text = isWon ? `${tools} ${threat}` : tools
      const right = candidates.indexOf(chosen)
      return right < 0 ? text : { text, right }
    },
  }),
  treeStep(
    {
      text: 'The search runs hundreds of [simulations](simulation). Each one plays good moves for both sides until the game ends, or until it reaches a new position, whose [value](value) the network estimates: who will win. The better a move has done, the more simulations begin with it. In the tree, each line is a move. The wider it is, the more simulations went through it: the [visits](visits) of the move.',
      question: 'How many of the simulations does the best move get?',
      guesses: shares.guesses,
      usually: 'the best move gets most of the simulations.',
      // The visitor may have made a move.
      setup: position,
    },
    ({ all, most, moves, end }) => {
      const part = (100 * most) / all
      const ends = end === 0 ? '' : ` The best line ends after ${end} moves, because the game is over.`
      return {
        text: `The best move gets ${count(most)} of ${count(all)} simulations, ${number(part, 0)} %; spread evenly, each of the ${moves} moves would get ${count(Math.round(all / moves))}.${ends}`,
        right: shares.indexOf(part),
      }
    },
  ),
  selfPlayStep(
    'So far the network was a pretrained one. Here a new network starts at random, and learns only from games against itself: [self-play](self-play). After each round of games, training changes the network a little, so that it predicts two things better: which move the search chooses, and who wins.',
    {
      direction: 'longer',
      cause: 'the network learns to see threats and to block them',
    },
  ),
  step({
    title: 'The network learns from the search',
    text: `The search finds better moves than the network alone. The network learns to predict these moves: its [policy](policy) gives each move a probability, and the next search starts from there. The [policy loss](cross-entropy) measures how much the moves of the search surprise the network: ${number(uniformLoss, 2)} if it only guesses among the seven columns, near 0 if it expects each move. The button shows its chart.`,
    question: 'What does the policy loss do as training continues?',
    guesses: ['It falls', 'It rises', 'It hardly changes'],
    usually: 'the policy loss falls: the network learns the moves of the search.',
    target: 'chart-policy_loss',
    reveals: ['chart-policy_loss'],
    action: { label: 'Continue training', does: trainFast },
    requirement: {
      isMet: ({ policy }) => policy !== undefined,
      text: 'The network has not learned from its first games yet.',
      progress: ({ steps, generation }) =>
        steps === undefined || generation === undefined
          ? null
          : `It has made ${compact(steps)} moves, and learns after each ${compact(generation)}.`,
      met: () => 'The network has learned from its first games: press the button to measure.',
      action: { label: 'First train until it learns', does: trainFast },
      finish: pause,
    },
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
        'The network learns the moves that the search chooses.',
        'The search improves as well, so that its moves are new to the network.',
        firstPolicy - policy >= clearLoss
          ? `The loss has fallen before, from ${number(firstPolicy, 2)} at the start of the chart.`
          : 'The network needs more games to learn the moves of the search.',
      ][right]!
      return {
        text: `The policy loss was ${number(before, 2)} before the click, and is ${number(policy, 2)} in the games since then. ${cause}`,
        right,
      }
    },
    isFinal: ({ policy, ...now }, then) => policy !== undefined && isPolicyMeasured(now, then),
    finish: pause,
  }),
  step({
    title: 'The price of search',
    text: 'Looking far ahead takes time. By default, only a quarter of the moves of self-play is searched. For the others the network looks just one move ahead and takes the best position, which is much faster. The next step sets the share back to a quarter.',
    question: 'What happens to the number of games per minute if every move is searched?',
    guesses: ['It rises', 'It falls below half', 'It falls a little'],
    usually: 'the number of games per minute falls below half: each move then needs a search.',
    target: 'games-per-minute',
    shows: ['games-per-minute'],
    leave: [{ kind: 'set', path: 'search.search_share', value: defaultShare }],
    requirement: {
      isMet: ({ rate, seconds = 0 }) => rate !== undefined && seconds >= measured,
      text: `The comparison needs the games of ${measured} s with a quarter of the moves searched.`,
      progress: ({ seconds = 0 }) =>
        seconds < measured ? `Trained for ${number(seconds, 0)} of ${measured} s.` : null,
      met: () => 'The rate with a quarter of the moves searched is known: press the button to compare.',
      action: { label: `First train for ${measured} s`, does: trainFast },
      finish: pause,
    },
    action: {
      label: 'Search every move',
      does: [{ kind: 'set', path: 'search.search_share', value: 1 }, ...trainFast],
    },
    figures: {
      share: { field: 'search.search_share' },
      // The displayed rate, which the text repeats. Projector mode displays none.
      rate: { element: 'games-per-minute', attribute: 'text', missing: notDisplayed },
      games: { progress: 'episodes' },
      seconds: { run: 'seconds' },
    },
    progress: (now, then) => timeMeasured(now, then),
    outcome: ({ share, rate, games, seconds }, then) => {
      if (share !== 1 || rate === undefined || games === undefined || seconds === undefined) return null
      if (!then.rate || !then.games || !then.seconds || seconds <= then.seconds) return null
      const isDisplayed = rate !== notDisplayed && then.rate !== notDisplayed
      const before = isDisplayed ? then.rate : (60 * then.games) / then.seconds
      const since = isDisplayed ? rate : (60 * (games - then.games)) / (seconds - then.seconds)
      const rates = `${number(before, 0)} games per minute before the click, ${number(since, 0)} now.`
      if (timeMeasured({ seconds }, then) < 1) return `Measuring: ${rates}`
      const ratio = since / before
      const right = ratio >= 1 ? 0 : ratio < 0.5 ? 1 : 2
      const cause = right === 0 ? '' : 'Fewer games end because each move now needs a search: '
      const text = `${cause}${rates} In return, the network learns every move from a search.`
      return { text, right }
    },
    isFinal: (now, then) => timeMeasured(now, then) >= 1,
    // A repetition compares two rates with every move searched.
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
      player: 'The pretrained network, which learned for about three minutes,',
      opponent: '[minimax](minimax), which computes all moves 6 moves ahead',
      pairs: 25,
      counting: 'A draw counts half.',
      question: 'How many more of 100 games does the network win with search than without?',
      guesses: ['None', `Under ${50 * searchGain} in 100`, `${50 * searchGain} in 100 or more`],
    }),
    summary: {
      learned: [
        {
          text: 'The network rates a position at once, and the search corrects it by looking ahead.',
          steps: [1, 2],
        },
        { text: 'In self-play the network learns the moves that its own search has chosen.', steps: [3, 4] },
        {
          text: 'More simulations per move make the same network a stronger player, and a slower one.',
          steps: [5, 7],
        },
      ],
      next: playNewest,
    },
  },
]

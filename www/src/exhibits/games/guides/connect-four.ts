/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { number } from '../../../lib/format'
import { step, trainFast, type Guide } from '../../shared/guide/guide'
import { playNewest } from '../model/next-steps'
import { texts } from '../model/texts'
import { count, hideHints, ladderStep, pause, searchGain, searchStep, selfPlayStep, treeStep } from './shared'

const { scale } = texts['connect-four']

/** Columns of the moves to a position in which the pretrained network alone and its search choose different moves. */
const tactical = '424172166477'
/**
 * Reason for column 4 in this position, which wins by force: with it, the second and the third cell of column 5 each complete
 * four stones.
 */
const threat =
  ' Column 4 wins by force: after it, each of the two dashed holes of column 5 completes four of your stones, and the opponent can fill only the lower one.'
/** Policy loss of a network that gives all seven columns the same probability. */
const uniformLoss = Math.log(7)
/** Duration for which a step measures the policy loss, in seconds. */
const measured = 20
/** Default share of the moves of self-play that are searched. */
const defaultShare = 0.25
/** Averaging window of the rate of games, in seconds. */
const averaged = 12

export const guide: Guide = [
  step({
    title: 'Two parts: network and search',
    text: 'The computer plays with two tools. A [neural network](network) judges a position at first sight: which moves look good, and who will win. A [search](search) looks ahead: if I go there, what then? You have the filled stones, and it is your move. Above each column, a gray bar will show how much the network likes it at first sight. The colored bar shows its [visits](visits): how often the search tried it. The percentage of the games that you win is what the search expects.',
    question: 'Does the search choose the move that the network likes at first sight?',
    guesses: ['Yes, the same move', 'No, another move'],
    target: 'board',
    setup: [
      ...hideHints,
      { kind: 'fill', element: 'position-id', value: tactical },
      { kind: 'click', element: 'position-set' },
    ],
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
      const cause = chosen === 4 && chosenEquity > 0 ? threat : ''
      return glance === chosen
        ? {
            text: `The network prefers column ${glance}, and after looking ahead the search chooses it too: it expects that you win ${scale.brief(chosenEquity)}.${cause}`,
            right: 0,
          }
        : {
            text: `At first sight the network prefers column ${glance} (${share(prior)}; column ${chosen} only ${share(chosenPrior)}). After ${count(simulations)} simulations the search expects ${scale.brief(chosenEquity)} wins with column ${chosen}, ${scale.brief(glanceEquity)} with column ${glance}.${cause}`,
            right: 1,
          }
    },
  }),
  treeStep(
    {
      text: 'The search tries moves one after the other, and looks longest at the best ones. Each try is a [simulation](simulation): it follows good moves into the future and adds a new position to the tree. It also tries moves that the network likes at first sight and that were tried seldom.',
      question: 'Are the simulations spread evenly over the moves?',
      guesses: ['Yes', 'No, most go to one move'],
    },
    ({ states, all, most, moves }) => {
      const uneven = most > (2 * all) / moves
      return {
        text: `The first move gets ${count(most)} of ${count(all)} simulations; spread evenly, each of the ${moves} moves would get ${count(Math.round(all / moves))}. The search returns to it because its results were the best so far.${states < all ? ` The tree has ${count(states)} positions, fewer than simulations: some orders of moves lead to the same position, and some end the game.` : ''} Point at a move, or tap it: the small board shows its position.`,
        right: uneven ? 1 : 0,
      }
    },
  ),
  selfPlayStep(
    'The steps before used a trained network that comes with the page. Here a new network starts at random, and learns only from games against itself, without human games: [self-play](self-play). It learns two things: which moves the search liked, and who won. “Promotions” counts how often the newest network has beaten the best one before it in a match.',
  ),
  step({
    title: 'The network learns from the search',
    text: `The search finds better moves than the first sight of the network. The network learns to see these moves at once, and the next search starts from there. The [policy loss](cross-entropy) measures how much the moves of the search surprise it: ${number(uniformLoss, 2)} if it likes all seven columns equally, near 0 if it expects each move. The chart begins when the network has learned from its first games.`,
    question: `Does the policy loss fall within ${measured} s?`,
    guesses: ['It falls', 'It rises', 'It hardly changes'],
    target: 'chart-policy_loss',
    action: { label: 'Continue training', does: trainFast },
    figures: { policy: { metric: 'policy_loss' }, seconds: { run: 'seconds' } },
    progress: ({ seconds = 0 }, then) => (seconds - (then.seconds ?? seconds)) / measured,
    outcome: ({ policy, seconds }, then) => {
      if (seconds === undefined) return null
      if (policy === undefined) return 'Not known yet: the network has not learned from its first games.'
      // Compared as displayed.
      const [now, before] = [policy, then.policy ?? policy].map((loss) => Number(loss.toFixed(2)))
      if (seconds - (then.seconds ?? seconds) < measured)
        return `Measuring: the policy loss is ${number(now!, 2)}.`
      const right = now! < before! ? 0 : now! > before! ? 1 : 2
      const change =
        right === 2 ? `is still ${number(now!, 2)}` : `went from ${number(before!, 2)} to ${number(now!, 2)}`
      const text = `The policy loss ${change}. In the long run it falls because the network learns the moves that the search chooses; it can rise because the search improves as well. Now the network is about as undecided as between ${number(Math.exp(now!), 1)} equally good columns.`
      return { text, right }
    },
    isFinal: ({ policy, seconds }, then) =>
      policy !== undefined && seconds !== undefined && seconds - (then.seconds ?? seconds) >= measured,
    finish: pause,
  }),
  step({
    title: 'The price of search',
    text: 'Looking far ahead takes time. By default, only a quarter of the moves of self-play is searched. For the others the network looks just one move ahead and takes the best position, which is much faster.',
    question: 'What happens to the number of games per minute if every move is searched?',
    guesses: ['It rises', 'It falls below half', 'It falls a little'],
    target: 'games-per-minute',
    leave: [{ kind: 'set', path: 'search.search_share', value: defaultShare }],
    requirement: {
      isMet: ({ share, rate = 0 }) => share === 1 || rate > 0,
      text: 'Training is paused: no games are counted.',
      action: { label: 'Train at full speed', does: trainFast },
    },
    action: {
      label: 'Search every move',
      does: [{ kind: 'set', path: 'search.search_share', value: 1 }, ...trainFast],
    },
    figures: {
      share: { field: 'search.search_share' },
      rate: { element: 'games-per-minute', attribute: 'text' },
      seconds: { run: 'seconds' },
    },
    progress: ({ seconds = 0 }, then) => (seconds - (then.seconds ?? seconds)) / averaged,
    outcome: ({ share, rate, seconds = 0 }, then) => {
      if (share !== 1 || rate === undefined || !then.rate) return null
      const figures = `${number(rate, 0)} games per minute end now; before it was ${number(then.rate, 0)}.`
      if (seconds - (then.seconds ?? seconds) < averaged)
        return `Measuring: ${figures} The rate is an average over ${averaged} s.`
      const right = rate >= then.rate ? 0 : rate < then.rate / 2 ? 1 : 2
      const cause = right === 0 ? '' : ' Fewer games end because each move now needs a search.'
      const text = `${figures}${cause} In return, the network learns every move from a search. The setting returns to a quarter with the next step.`
      return { text, right }
    },
    isFinal: ({ seconds = 0 }, then) => seconds - (then.seconds ?? seconds) >= averaged,
    finish: pause,
  }),
  ladderStep(
    'Is the network strong? Games against itself do not tell, because both sides improve. Therefore the newest network regularly plays against fixed opponents: one that moves at random, and [minimax](minimax), which computes all moves 2, 4 or 6 moves ahead. In these games the network does not search.',
    {
      random: ['random moves', 'wins_random'],
      two: ['2 moves ahead', 'wins_minimax_2'],
      four: ['4 moves ahead', 'wins_minimax_4'],
      six: ['6 moves ahead', 'wins_minimax_6'],
    },
  ),
  {
    ...searchStep(scale, {
      opponent: '[minimax](minimax), which computes all moves 6 moves ahead',
      pairs: 25,
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

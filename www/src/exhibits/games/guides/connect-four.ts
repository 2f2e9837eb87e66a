/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { number } from '../../../lib/format'
import { step, trainFast, type Figure, type Guide } from '../../shared/guide/guide'
import { count, equity, ladderStep, searchStep, selfPlayStep, signed, treeStep } from './shared'

/** Simulations of the analysis of the position. */
const simulations: Figure = { element: 'analysis-simulations' }

export const guide: Guide = [
  step({
    title: 'Two parts: network and search',
    text: 'The computer plays with two tools. A [neural network](network) looks at a position, as you would at first sight: it rates each move, and estimates who will win. A [search](search) looks ahead: if I go there, what then? The [equity](equity) sums the result up: +1 if the lower side surely wins, −1 if it surely loses.',
    question: 'How does the equity change when the search looks deeper?',
    target: 'outcome-probabilities',
    action: { label: 'Search deeper', does: [{ kind: 'click', element: 'analyze-deeper' }] },
    figures: { simulations, equity },
    outcome: ({ simulations, equity }, then) =>
      simulations !== undefined &&
      equity !== undefined &&
      then.simulations !== undefined &&
      simulations > then.simulations
        ? `The search now makes ${simulations.toLocaleString('en')} simulations. The equity is ${signed(equity)}${then.equity === undefined ? '' : `; before it was ${signed(then.equity)}`}.`
        : null,
  }),
  treeStep(
    {
      text: 'The search tries moves one after the other, and looks longest at the best ones. Each try is a [simulation](simulation): it follows good moves into the future and adds one position to the tree. It also tries moves that the network likes at first sight (a high [prior](prior)) and that have few [visits](visits).',
      question: 'Are the simulations spread evenly over the moves?',
    },
    ({ all, most, moves }) =>
      `${most > (2 * all) / moves ? 'No' : 'Nearly, in this position'}: the first move gets ${count(most)} of ${count(all)} simulations. Spread evenly, each of the ${moves} moves would get ${count(Math.round(all / moves))}. The alternatives are below the first move.`,
  ),
  selfPlayStep(
    'The steps before used a trained network that comes with the page. Here a new network starts at random, and learns only from games against itself, without human games: [self-play](self-play). It learns two things: which moves the search liked, and who won.',
  ),
  step({
    title: 'The network learns from the search',
    text: 'The search finds better moves than the first sight of the network. The network learns to see these moves at once, and the next search starts from there. The policy loss says how far it still is from the search: it is a [cross-entropy](cross-entropy), and lower is better.',
    question: 'Does the policy loss fall?',
    target: 'chart-policy_loss',
    action: { label: 'Continue training', does: trainFast },
    figures: { policy: { metric: 'policy_loss' }, value: { metric: 'value_loss' } },
    outcome: ({ policy, value }, then) =>
      policy !== undefined && value !== undefined && policy !== then.policy
        ? `${then.policy === undefined ? '' : policy < then.policy ? 'Yes, so far: ' : 'Not at the moment: '}the policy loss is ${number(policy, 2)}${then.policy === undefined ? '' : `; before it was ${number(then.policy, 2)}`}. It can rise again, because the search improves with the network: the goal moves away.`
        : null,
  }),
  step({
    title: 'The price of search',
    text: 'Looking far ahead takes time. By default, only a quarter of the moves of self-play is searched. For the others the network looks just one move ahead (one [ply](minimax)) and takes the best position, which is much faster.',
    question: 'What happens to the number of games per minute if every move is searched?',
    target: 'games-per-minute',
    action: {
      label: 'Search every move',
      does: [{ kind: 'set', path: 'search.search_share', value: 1 }, ...trainFast],
    },
    figures: {
      share: { field: 'search.search_share' },
      rate: { element: 'games-per-minute', attribute: 'text' },
    },
    outcome: ({ share, rate }, then) =>
      share === 1 && rate !== undefined && then.rate !== undefined && rate !== then.rate
        ? `Self-play now ends ${number(rate, 0)} games per minute; before it was ${number(then.rate, 0)}. The rate is an average over 12 seconds. Now every move has the visit counts of a search as its policy target.`
        : null,
  }),
  ladderStep(
    'Is the network strong? Games against itself do not tell, because both sides improve. Therefore the newest network regularly plays against fixed opponents: one that moves at random, and [minimax](minimax), which computes all moves 2, 4 or 6 plies ahead. In these games the network does not search.',
    {
      random: ['random moves', 'wins_random'],
      two: ['minimax with 2 plies', 'wins_minimax_2'],
      four: ['minimax with 4 plies', 'wins_minimax_4'],
      six: ['minimax with 6 plies', 'wins_minimax_6'],
    },
  ),
  searchStep,
]

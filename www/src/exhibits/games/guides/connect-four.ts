/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { number } from '../../../lib/format'
import { step, trainFast, type Figure, type Guide } from '../../shared/guide/guide'
import { equity, searchStep, selfPlayStep, signed, treeStep } from './shared'

/** Simulations of the analysis of the position. */
const simulations: Figure = { element: 'analysis-simulations' }

export const guide: Guide = [
  step({
    title: 'Two parts: network and search',
    text: 'The network reads a position. Its policy is a probability for each move; its value is the probability of a win, a draw and a loss. Tree search uses both to look ahead. The equity is the mean result for the lower seat, from −1 to +1.',
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
      text: 'Each simulation follows the moves with the best sum of value and exploration bonus, and adds a position to the tree. The bonus is large for moves with a high prior and few visits.',
      question: 'Are the simulations spread evenly over the moves?',
    },
    (states) =>
      `The tree has ${states} states. The width of a line grows with the number of visits: usually a few moves get most of the simulations.`,
  ),
  selfPlayStep(
    'The steps before used a trained network that comes with the page. The run on this page starts from random weights and learns from games against itself, without human games. In a searched position the visit counts become the target of the policy. The results of the games are the basis of the value targets.',
  ),
  step({
    title: 'The network learns from the search',
    text: 'The policy loss is the cross-entropy of the network’s policy and its targets. The search is stronger than the policy alone. When the policy approaches the visit counts, the next search starts from better priors.',
    question: 'Does the policy loss fall?',
    target: 'games-per-minute',
    action: { label: 'Continue training', does: trainFast },
    figures: { policy: { metric: 'policy_loss' }, value: { metric: 'value_loss' } },
    outcome: ({ policy, value }, then) =>
      policy !== undefined && value !== undefined && policy !== then.policy
        ? `The policy loss is ${number(policy, 3)} nat${then.policy === undefined ? '' : `; before it was ${number(then.policy, 3)} nat`}. The value loss is ${number(value, 3)} nat. Both can rise again, because the targets change with the network.`
        : null,
  }),
  step({
    title: 'The price of search',
    text: 'By default a quarter of the moves of self-play is searched. The other moves come from a one-ply lookahead: the network evaluates the position after each legal move, which is much cheaper.',
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
  step({
    title: 'Strength against fixed players',
    text: 'Losses do not measure strength, because both players are the same network. Therefore the newest network regularly plays against fixed opponents: random moves, and minimax with 2, 4 and 6 plies. In these games it does not search: it makes the move after which its value is highest.',
    question: 'Which opponent does the network beat first?',
    target: 'ladder',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      random: { metric: 'wins_random' },
      minimax: { metric: 'wins_minimax_4' },
    },
    outcome: ({ random, minimax }) =>
      random !== undefined
        ? `The newest network wins ${number(100 * random, 0)} % of its games against random moves${minimax === undefined ? '' : `, and ${number(100 * minimax, 0)} % against minimax with 4 plies`}. A draw counts half.`
        : null,
  }),
  searchStep,
]

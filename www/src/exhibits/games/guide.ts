/** Guided path of Connect Four: how search and self-play improve each other (AlphaZero, Silver et al. 2018). */
import { compact, number } from '../../lib/format'
import { step, type Action, type Figure, type Guide } from '../shared/guide/guide'

const games: Figure = { progress: 'episodes' }
const moves: Figure = { progress: 'steps' }
/** Simulations of the analysis of the position. */
const simulations: Figure = { element: 'analysis-simulations' }
const equity: Figure = { element: 'equity' }
const train: readonly Action[] = [
  { kind: 'speed', speed: 'max' },
  { kind: 'learn', on: true },
]
const signed = (value: number) => `${value > 0 ? '+' : ''}${number(value, 3)}`

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
  step({
    title: 'The search tree',
    text: 'Each simulation follows the moves with the best sum of value and exploration bonus, and adds a position to the tree. The bonus is large for moves with a high prior and few visits.',
    question: 'Are the simulations spread evenly over the moves?',
    target: 'tree',
    action: {
      label: 'Unfold the best line',
      does: [{ kind: 'fill', element: 'tree-depth', value: '6' }],
    },
    figures: { depth: { element: 'tree-depth' }, size: { element: 'tree-size' } },
    outcome: ({ depth, size }) =>
      depth === 6 && size !== undefined
        ? `The tree has ${size.toLocaleString('en')} states. The width of a line grows with the number of visits: usually a few moves get most of the simulations.`
        : null,
  }),
  step({
    title: 'Self-play',
    text: 'The network plays against itself from random weights, without human games. In a searched position the visit counts become the target of the policy. The results of the games are the basis of the value targets.',
    question: 'How many games does the network play in half a minute?',
    target: 'living-view',
    action: { label: 'Train at full speed', does: train },
    figures: { games, moves },
    outcome: ({ games, moves }, then) =>
      games !== undefined && moves !== undefined && games > (then.games ?? 0)
        ? `${compact(games - (then.games ?? 0))} more games have ended. The network has made ${compact(moves)} moves in ${compact(games)} games so far.`
        : null,
  }),
  step({
    title: 'The network learns from the search',
    text: 'The policy loss is the cross-entropy of the network’s policy and its targets. The search is stronger than the policy alone. When the policy approaches the visit counts, the next search starts from better priors.',
    question: 'Does the policy loss fall?',
    target: 'games-per-minute',
    action: { label: 'Continue training', does: train },
    figures: { policy: { metric: 'policy_loss' }, value: { metric: 'value_loss' } },
    outcome: ({ policy, value }, then) =>
      policy !== undefined && value !== undefined && policy !== then.policy
        ? `The policy loss is ${number(policy, 3)} nat${then.policy === undefined ? '' : `; at the start of this step it was ${number(then.policy, 3)} nat`}. The value loss is ${number(value, 3)} nat. Both can rise again, because the targets change with the network.`
        : null,
  }),
  step({
    title: 'The price of search',
    text: 'By default a quarter of the moves of self-play is searched. The other moves come from a one-ply lookahead: the network evaluates the position after each legal move, which is much cheaper.',
    question: 'What happens to the number of games per minute if every move is searched?',
    target: 'games-per-minute',
    action: {
      label: 'Search every move',
      does: [{ kind: 'set', path: 'search.search_share', value: 1 }, ...train],
    },
    figures: {
      share: { field: 'search.search_share' },
      rate: { element: 'games-per-minute', attribute: 'text' },
    },
    outcome: ({ share, rate }, then) =>
      share === 1 && rate !== undefined && then.rate !== undefined && rate !== then.rate
        ? `Self-play now ends ${number(rate, 0)} games per minute; at the start of this step it was ${number(then.rate, 0)}. The rate is an average over 12 seconds. Now every move has the visit counts of a search as its policy target.`
        : null,
  }),
  step({
    title: 'Strength against fixed players',
    text: 'Losses do not measure strength, because both players are the same network. Therefore the newest network regularly plays against fixed opponents: random moves, and minimax with 2, 4 and 6 plies. In these games it does not search: it makes the move after which its value is highest.',
    question: 'Which opponent does the network beat first?',
    target: 'ladder',
    action: { label: 'Continue training', does: train },
    figures: {
      random: { metric: 'wins_random' },
      minimax: { metric: 'wins_minimax_4' },
    },
    outcome: ({ random, minimax }) =>
      random !== undefined
        ? `The newest network wins ${number(100 * random, 0)} % of its games against random moves${minimax === undefined ? '' : `, and ${number(100 * minimax, 0)} % against minimax with 4 plies`}. A draw counts half.`
        : null,
  }),
  step({
    title: 'What search adds',
    text: 'A match measures the same network without search and with different numbers of simulations, with swapped seats.',
    question: 'How many points per game does search add?',
    target: 'match-who',
    action: {
      label: 'Measure in 20 games each',
      does: [
        { kind: 'fill', element: 'match-pairs', value: '10' },
        { kind: 'click', element: 'match-start' },
      ],
    },
    figures: { points: { element: 'match-points', attribute: 'text' } },
    outcome: ({ points }) =>
      points !== undefined
        ? `Without search the network has ${points > 0 ? '+' : ''}${number(points, 2)} points per game so far. The rows below are the same network with search; compare them when the match has ended.`
        : null,
  }),
]

/**
 * End panels of the board-game runs: a sentence about the result against a reference player, and suggestions for
 * further runs.
 */
import { number } from '../../lib/format'
import type { WorldOf } from '../../worlds'
import { ending, nextExhibit, type Ending, type NextStep } from '../shared/ending/ending'
import type { Figure } from '../shared/guide/guide'
import { milestoneMetrics } from './model/milestone'
import { playNewest } from './model/next-steps'
import { keyOf } from './model/players'

const games: Figure = { progress: 'episodes' }
const percent = (share: number) => `${number(100 * share, 0)} %`

const measure: NextStep = {
  label: 'Measure what search adds',
  does: [
    { kind: 'fill', element: 'match-who', value: keyOf({ kind: 'newest', simulations: 0 }) },
    { kind: 'fill', element: 'match-pairs', value: '10' },
    { kind: 'click', element: 'match-start' },
  ],
  target: 'match-who',
}

export const endings: Record<WorldOf<'games'>, Ending> = {
  'connect-four': ending({
    title: 'As strong as minimax',
    figures: { games, wins: { recent: milestoneMetrics['connect-four'] } },
    learned: ({ games, wins }) =>
      `After ${number(games, 0)} games against itself, the network won ${percent(wins)} of the last three matches against minimax that looks 4 moves ahead, without a search of its own.`,
    next: [{ ...playNewest, label: 'Play against it' }, measure, nextExhibit('connect-four')],
  }),
  backgammon: ending({
    title: 'As strong as Pubeval',
    figures: { games, wins: { recent: milestoneMetrics.backgammon } },
    learned: ({ games, wins }) =>
      `After ${number(games, 0)} games against itself, the network won ${percent(wins)} of the last three matches against Pubeval, without search.`,
    next: [{ ...playNewest, label: 'Play against it' }, measure, nextExhibit('backgammon')],
  }),
}

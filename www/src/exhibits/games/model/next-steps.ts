/** Suggestions for further experiments, in the end panels and the guides of the games. */
import type { NextStep } from '../../shared/ending/ending'
import { keyOf } from './players'

/** Game of the visitor against the newest network. */
export const playNewest: NextStep = {
  label: 'Play against the network that you trained',
  does: [
    { kind: 'fill', element: 'seat-0', value: keyOf({ kind: 'person' }) },
    { kind: 'fill', element: 'seat-1', value: keyOf({ kind: 'newest', simulations: 0 }) },
    { kind: 'click', element: 'new-game' },
  ],
  target: 'board',
}

/** Explanation of the boards, which follows the training. */
import { number } from '../../lib/format'
import { percent } from './figures'

/** Accuracies of the hard circuit from which a pattern is visible, and is nearly complete. */
const accuracies = { appears: 0.9, complete: 0.999 }

const starts: Readonly<Record<string, string>> = {
  random: 'from random bits',
  seed: 'from a single cell',
  zeros: 'from an empty board',
}

/**
 * Returns what the boards show. `start`: initial state of the board; `change`: number of gates that are not the initial
 * pass-throughs any more, and of all gates.
 */
export function explanation({
  start,
  steps,
  accuracy,
  change,
}: {
  start: string
  steps: number
  accuracy: number | undefined
  change: { changed: number; all: number } | null
}): string {
  if (start === 'neighborhoods')
    return 'Each 3×3 board is one neighborhood of Conway’s Game of Life. After one step its middle cell has to be as the target. The trained circuit then plays the game in the sandbox.'
  const task = `Left: the mixture of gates in training, whose cells can be half set. Middle: the circuit of its most probable gates. Each run begins ${starts[start] ?? 'from random bits'}; after ${steps} steps both boards have to be as the target.`
  if (accuracy === undefined || accuracy < accuracies.appears) {
    const gates = change
      ? ` So far ${number(change.changed, 0)} of ${number(change.all, 0)} gates have changed.`
      : ''
    return `${task}${gates} Watch for the pattern: it appears after some hundred epochs, from the border inward.`
  }
  if (accuracy < accuracies.complete)
    return `${task} The pattern appears: the hard circuit computes ${percent(accuracy)} % of the cells correctly.`
  return `${task} The circuit does. Damage its board in the sandbox, and watch the pattern grow again.`
}

/** Status of the interactive cube as a sentence. */
import type { CubePlayer, CubeSolver, CubeSolving, CubeTable } from '../../../engine/page/session'
import { compact } from '../../../lib/format'
import { halfTurns, lengthText, quarterTurns, quarterTurnsText } from '../model/lengths'
import { maxMoves } from './search-limit'

/** Returns the name of a solver within a sentence. `isPlain`: without terms of search. */
export function solverName(by: CubeSolver, isPlain = false): string {
  switch (by.kind) {
    case 'greedy':
      return 'the network'
    case 'beam':
      return isPlain ? 'the network' : `beam search (width ${by.width.toLocaleString('en')})`
    case 'exact':
    case 'exact_half':
      return 'the optimal solver'
    case 'two_phase':
      return 'the two-phase solver'
  }
}

/** Progress of the two-phase solver, and of scrambles that it computes. */
export const twoPhaseStatus = {
  loading: 'Loading the two-phase solver.',
  tables: 'Computing the tables of the two-phase solver, once per visit.',
  searching: 'Searching by the two-phase solver.',
} as const

export const turnsCount = (count: number): string =>
  count === 1 ? '1 turn' : `${count.toLocaleString('en')} turns`

/** Compares a solution with the optimum in quarter turns, if known. */
function judged({ by, solution, optimal }: CubeSolving): string {
  if (by.kind === 'exact_half') return ', the shortest way if a half turn counts as one'
  if (optimal === null) return ''
  const excess = quarterTurns(solution) - optimal
  return excess === 0 ? ', the shortest way' : `, ${turnsCount(excess)} more than the shortest way`
}

/** Begins a sentence with a solver. */
const starting = (who: string): string => who[0]!.toUpperCase() + who.slice(1)

/** Returns the depth of a search, and the depth at which the search gives up. */
const depth = ({ by, ahead }: CubeSolving): string =>
  by.kind === 'beam' ? `${ahead} of at most ${maxMoves}` : ahead.toLocaleString('en')

/** Returns the progress of a solver as the display shows it: a solution ends with its last displayed turn. */
const shownStatus = ({ status, made }: CubeSolving, pending: number): CubeSolving['status'] =>
  status !== 'searching' && made > 0 && pending > 0 ? 'playing' : status

/** Returns the turns of the solution that the display has begun. */
const begun = ({ solution, made }: CubeSolving, pending: number): string[] =>
  solution.slice(0, Math.max(0, made - Math.max(0, pending - 1)))

/**
 * Returns the status of the displayed cube. `pending` is the number of turns that the display has not completed; its first turn is
 * in progress. `isPlain`: without terms of search.
 */
export function status(table: CubeTable, pending: number, isPlain = false): string {
  const { solving, solved, distance } = table
  if (solving) {
    const who = solverName(solving.by, isPlain)
    switch (shownStatus(solving, pending)) {
      case 'searching':
        if (isPlain && solving.by.kind === 'beam')
          return `The network searches for a solution: ${compact(solving.evaluated)} positions tried.`
        return `Searching by ${who}: depth ${depth(solving)}, ${compact(solving.evaluated)} states evaluated.`
      case 'playing':
        return `Applying the solution of ${who}: move ${halfTurns(begun(solving, pending))} of ${halfTurns(solving.solution)}.`
      case 'solved':
        return `${starting(who)} solved it in ${lengthText(solving.solution)}${judged(solving)}.`
      case 'gave_up': {
        // A network from a file is not in training.
        const problem =
          table.player === 'newest' ? 'Too hard for this network yet' : `${starting(who)} found no solution`
        // The reason of a beam search has terms of search.
        const why = isPlain && solving.by.kind === 'beam' ? '' : (solving.why ?? '')
        return `${problem}. ${why}`.trim()
      }
    }
  }
  // A single turn has no status of its own, which would be displayed for a moment only.
  if (pending > 1) return 'Applying turns.'
  if (solved) return 'Solved. Turn or scramble the cube.'
  if (distance !== null) return `Distance from solved: ${quarterTurnsText(distance)}.`
  return 'Turn the cube or start a solver.'
}

/**
 * Returns a sentence about the network that evaluates the cube. `learned`: the scramble length that it has learned;
 * `isShipped`: whether a network that was opened is that of the page.
 */
export function abilityText(player: CubePlayer, learned: number, isShipped: boolean): string {
  if (player === 'opened')
    return `${isShipped ? 'The pretrained network' : 'The network of the opened file'} plays. Training changes the other network.`
  if (learned === 0) return 'The network in training is at its first scrambles.'
  const length = learned === Infinity ? 'any length' : `up to ${turnsCount(learned)}`
  return `The network in training has learned scrambles of ${length}.`
}

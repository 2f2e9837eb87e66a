/** The status of the table, in a sentence. */
import type { CubeSolver, CubeSolving, CubeTable } from '../../../engine/page/session'

function solverName(by: CubeSolver): string {
  switch (by.kind) {
    case 'greedy':
      return 'the network'
    case 'beam':
      return `a search ${by.width.toLocaleString('en')} wide`
    case 'exact':
      return 'the exact solver'
  }
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

export const turnsCount = (count: number): string =>
  count === 1 ? '1 turn' : `${count.toLocaleString('en')} turns`

/** How good a solution is, where that is known. */
function judged({ solution, optimal }: CubeSolving): string {
  if (optimal === null) return ''
  const excess = solution.length - optimal
  return excess === 0 ? ', the minimum' : `, ${excess} more than the minimum`
}

export function status(table: CubeTable): string {
  const { solving, solved, distance } = table
  if (solving) {
    const who = capital(solverName(solving.by))
    switch (solving.status) {
      case 'searching':
        return `${who} searches: ${turnsCount(solving.ahead)} deep.`
      case 'playing':
        return `${who} makes its turns: ${solving.made} of ${solving.solution.length}.`
      case 'solved':
        return `Solved by ${solverName(solving.by)} in ${turnsCount(solving.solution.length)}${judged(solving)}.`
      case 'gave_up':
        return `${who} gives up. ${solving.why ?? ''}`.trim()
    }
  }
  if (solved) return 'Solved. Turn a face, or scramble it.'
  if (distance !== null) return `${capital(turnsCount(distance))} from solved, at least.`
  return 'Your cube: turn it, or have it solved.'
}

/** Scrambles and solvers to choose from. */
import type { CubeInfo, CubeSolver } from '../../../engine/page/session'
import { paceStopsOf } from '../../shared/pace'

/** Lengths of scrambles; null is any state. */
export function scrambles({ size, largest_scramble }: CubeInfo): (number | null)[] {
  const lengths = size === 2 ? [1, 2, 3, 4, 5, 6, 8, 10, 14] : [1, 2, 3, 4, 6, 8, 10, 15, 20, 30]
  return [...lengths.filter((length) => length <= largest_scramble), null]
}

/** A solver as it stands in a list. */
export function solvers({ size, beams }: CubeInfo): { by: CubeSolver; name: string }[] {
  return [
    { by: { kind: 'greedy' }, name: size === 2 ? 'the network' : 'the network, without search' },
    // A search that follows a single way is none.
    ...wide(beams).map((width) => ({
      by: { kind: 'beam', width } as const,
      name: `a search ${width.toLocaleString('en')} wide`,
    })),
    ...(size === 2 ? [{ by: { kind: 'exact' } as const, name: 'the exact solver' }] : []),
  ]
}

const wide = (beams: readonly number[]): number[] => beams.filter((width) => width > 1)

/** The widest of the searches that are no wider than this; the network alone where there are none. */
function search({ beams }: CubeInfo, widest: number): CubeSolver {
  const width = wide(beams).findLast((one) => one <= widest)
  return width === undefined ? { kind: 'greedy' } : { kind: 'beam', width }
}

/** Whether two solvers are one. */
export const same = (a: CubeSolver, b: CubeSolver): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Who solves if nobody chooses. */
export const usual = (info: CubeInfo): CubeSolver => search(info, 1024)

/** Who solves this cube: whoever was chosen, perhaps for another cube, or else who usually does. */
export function solverOf(info: CubeInfo, chosen: CubeSolver | undefined | null): CubeSolver {
  return solvers(info).find(({ by }) => chosen && same(by, chosen))?.by ?? usual(info)
}

/** By how many turns this cube is scrambled: as many as were chosen, perhaps for another cube, or else to any state. */
export function lengthOf(info: CubeInfo, chosen: number | null | undefined): number | null {
  return chosen !== undefined && scrambles(info).includes(chosen) ? chosen : null
}

/** Who solves what is over in a moment. */
export const quickest = (info: CubeInfo): CubeSolver => search(info, 128)

/** Paces of a solution. */
export const paces = paceStopsOf([2, 1, 0.6, 0.3, 0.12], 'turn')

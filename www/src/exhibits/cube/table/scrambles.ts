/** Available scramble lengths, solvers and playback delays. */
import type { CubeInfo, CubeSolver } from '../../../engine/page/session'
import { delayStopsOf } from '../../shared/delay-stops'

/** Returns the available scramble lengths; null is a random state. */
export function scrambles({ size, largest_scramble }: CubeInfo): (number | null)[] {
  const lengths = size === 2 ? [1, 2, 3, 4, 5, 6, 8, 10, 14] : [1, 2, 3, 4, 6, 8, 10, 15, 20, 30]
  return [...lengths.filter((length) => length <= largest_scramble), null]
}

/** Returns the available solvers with their labels. */
export function solvers({ size, beams }: CubeInfo): { by: CubeSolver; name: string }[] {
  return [
    { by: { kind: 'greedy' }, name: 'Greedy policy' },
    // Beam width 1 is the greedy policy.
    ...wide(beams).map((width) => ({
      by: { kind: 'beam', width } as const,
      name: `Beam search (width ${width.toLocaleString('en')})`,
    })),
    ...(size === 2
      ? [
          { by: { kind: 'exact_half' } as const, name: 'Optimal solver (half turns)' },
          { by: { kind: 'exact' } as const, name: 'Optimal solver (quarter turns)' },
        ]
      : []),
    ...(size === 3 ? [{ by: { kind: 'two_phase' } as const, name: 'Two-phase solver' }] : []),
  ]
}

/** Returns whether a solver uses the network. */
export const usesNetwork = ({ kind }: CubeSolver): boolean => kind === 'greedy' || kind === 'beam'

const wide = (beams: readonly number[]): number[] => beams.filter((width) => width > 1)

/** Returns the widest beam search up to a width, or the greedy policy if there is none. */
function search({ beams }: CubeInfo, widest: number): CubeSolver {
  const width = wide(beams).findLast((one) => one <= widest)
  return width === undefined ? { kind: 'greedy' } : { kind: 'beam', width }
}

/** Returns whether two solvers are equal. */
export const same = (a: CubeSolver, b: CubeSolver): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns the default solver. */
export const defaultSolver = (info: CubeInfo): CubeSolver => search(info, 1024)

/** Returns the chosen solver if this cube supports it, otherwise the default. */
export function solverOf(info: CubeInfo, chosen: CubeSolver | undefined | null): CubeSolver {
  return solvers(info).find(({ by }) => chosen && same(by, chosen))?.by ?? defaultSolver(info)
}

/** Returns the chosen scramble length if this cube supports it, otherwise the default. */
export function lengthOf(
  info: CubeInfo,
  chosen: number | null | undefined,
  otherwise: number | null,
): number | null {
  return chosen !== undefined && scrambles(info).includes(chosen) ? chosen : otherwise
}

/** Returns the solver of the demonstration, which is fast. */
export const demoSolver = (info: CubeInfo): CubeSolver => search(info, 128)

/** Playback delays of a solution. */
export const delayStops = delayStopsOf([2, 1, 0.6, 0.3, 0.12], 'turn')

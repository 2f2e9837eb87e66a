/** Random-state scrambles. */
import { tools } from '../../../engine/page/tools'
import type { Size } from '../model/turns'

/** Phase of the computation of a scramble. The first scramble of a size computes the tables of the generator. */
export type ScramblePhase = 'loading' | 'tables' | 'searching'

export const scrambleProgress: Readonly<Record<ScramblePhase, string>> = {
  loading: 'Loading the scramble generator.',
  tables: 'Computing the tables of the scramble generator, once per visit.',
  searching: 'Computing the scramble.',
}

/** Sizes whose tables are computed, each with the number of the worker that has the tables. */
const prepared = new Set<string>()

/** Returns a random-state scramble. `phase` is called with each phase of the computation. */
export async function randomStateScramble(
  size: Size,
  phase: (phase: ScramblePhase) => void,
): Promise<string> {
  const [high, low, stream] = crypto.getRandomValues(new Uint32Array(3)) as unknown as [
    number,
    number,
    number,
  ]
  const seed = (BigInt(high) << 32n) | BigInt(low)
  const key = () => `${tools.starts}, ${size}`
  const scramble = await tools.ask('scramble', { size, seed, stream }, (tool) =>
    phase(tool === 'loading' ? 'loading' : prepared.has(key()) ? 'searching' : 'tables'),
  )
  prepared.add(key())
  return scramble
}

/** Random-state scrambles. */
import { tools, type ToolPhase } from '../../../engine/page/tools'
import type { Size } from '../model/turns'

/** Returns a random-state scramble. `phase` is called with each phase of the computation. */
export function randomStateScramble(size: Size, phase: (phase: ToolPhase) => void): Promise<string> {
  const [high, low, stream] = crypto.getRandomValues(new Uint32Array(3)) as unknown as [
    number,
    number,
    number,
  ]
  const seed = (BigInt(high) << 32n) | BigInt(low)
  return tools.ask('scramble', { size, seed, stream }, phase)
}

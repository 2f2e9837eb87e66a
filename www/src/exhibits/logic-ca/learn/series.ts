/** Gates in series: attenuation of a bit and of a gradient by many soft gates. */
import { softmax } from '../../../lib/softmax'
import { mixture, slopesAt, valueAt } from './soft-gate'
import { passThrough } from '../circuit/functions'

/** Coefficients of a gate whose logit of “A” is `logit`, with the other fifteen logits 0. */
const gateOf = (logit: number) =>
  mixture(softmax(Array.from({ length: 16 }, (_, f) => (f === passThrough ? logit : 0))))

/**
 * Returns the signal after each of `count` soft gates in series: each one reads the output of the previous one as `a`, and ½ as
 * `b`. The signal starts at 1; it is the first of the returned values.
 */
export function signalsThrough(logit: number, count: number): number[] {
  const gate = gateOf(logit)
  const signals = [1]
  for (let i = 0; i < count; i++) signals.push(valueAt(gate, signals.at(-1)!, 0.5))
  return signals
}

/** Returns the derivative of the last signal by the first one. */
export const gradientThrough = (logit: number, count: number): number =>
  slopesAt(gateOf(logit), 0, 0.5)[0] ** count

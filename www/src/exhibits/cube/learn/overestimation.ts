/** Overestimation of a maximum of noisy values, and double estimation (van Hasselt 2010; van Hasselt et al. 2016). */
import { random } from '../../../lib/random'

/** True value of each of the six moves: all are equal. */
export const trueValue = -0.5

/** Returns a generator of standard normal random numbers (Box–Muller). */
export function normals(seed: number): () => number {
  const uniform = random(seed)
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

export interface Estimates {
  /** Values of the six moves by two networks with independent errors. */
  first: number[]
  second: number[]
  /** Maximum of the first network's values. */
  single: number
  /** Value that the second network gives to the best move of the first network. */
  double: number
}

/** Draws the values of six moves by two networks: the true value plus a normal error with the deviation `noise`. */
export function drawEstimates(normal: () => number, noise: number): Estimates {
  const values = () => Array.from({ length: 6 }, () => trueValue + noise * normal())
  const [first, second] = [values(), values()]
  const single = Math.max(...first)
  return { first, second, single, double: second[first.indexOf(single)]! }
}

/** Returns the mean of both estimates over `count` draws. */
export function meanEstimates(
  seed: number,
  noise: number,
  count: number,
): { single: number; double: number } {
  const normal = normals(seed)
  let [single, double] = [0, 0]
  for (let i = 0; i < count; i++) {
    const estimates = drawEstimates(normal, noise)
    single += estimates.single / count
    double += estimates.double / count
  }
  return { single, double }
}

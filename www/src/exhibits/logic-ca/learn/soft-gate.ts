/**
 * A soft gate: the mixture of the sixteen Boolean functions (Petersen et al. 2022), its gradient, and its training on a truth
 * table. Functions and corners have the same order as in `circuit/functions.ts`.
 */
import { softmax } from '../../../lib/softmax'
import { passThrough } from '../circuit/functions'

/** Initial logit of the pass-through function; the other fifteen logits are 0. */
export const initialLogit = 10

export const initialLogits = (): number[] =>
  Array.from({ length: 16 }, (_, f) => (f === passThrough ? initialLogit : 0))

/** Input pairs (a, b), in the order of the bits of a function number. */
export const corners = [
  [1, 1],
  [1, 0],
  [0, 1],
  [0, 0],
] as const

/** Coefficients c₀ to c₃ of the multilinear output c₀ + c₁·a + c₂·b + c₃·a·b. */
export type Coefficients = readonly [number, number, number, number]

/** Returns the values of a mixture of the sixteen functions at the four corners. */
const cornerValues = (probabilities: readonly number[]): number[] =>
  corners.map((_, corner) => probabilities.reduce((sum, p, f) => sum + ((f >> corner) & 1) * p, 0))

/** Returns the coefficients of the mixture of the sixteen functions. */
export function mixture(probabilities: readonly number[]): Coefficients {
  const [v11, v10, v01, v00] = cornerValues(probabilities) as [number, number, number, number]
  return [v00, v10 - v00, v01 - v00, v11 - v10 - v01 + v00]
}

export const valueAt = ([c0, c1, c2, c3]: Coefficients, a: number, b: number): number =>
  c0 + c1 * a + c2 * b + c3 * a * b

/** Returns the slopes of the output, ∂f/∂a and ∂f/∂b. */
export const slopesAt = ([, c1, c2, c3]: Coefficients, a: number, b: number) =>
  [c1 + c3 * b, c2 + c3 * a] as const

/** Returns the index of the largest logit, the first one in case of ties: the function of the hard gate. */
export const hardFunction = (logits: readonly number[]): number => logits.indexOf(Math.max(...logits))

/** Returns the squared error over the four corners between a mixture and the Boolean function `target`. */
export function squaredError(probabilities: readonly number[], target: number): number {
  return cornerValues(probabilities).reduce(
    (sum, value, corner) => sum + (value - ((target >> corner) & 1)) ** 2,
    0,
  )
}

/**
 * Returns the gradient of {@link squaredError} with respect to the logits: pᵢ·(sᵢ − Σⱼ pⱼ·sⱼ), where sᵢ is the
 * derivative with respect to pᵢ.
 */
export function logitGradient(logits: readonly number[], target: number): number[] {
  const p = softmax(logits)
  const errors = cornerValues(p).map((value, corner) => 2 * (value - ((target >> corner) & 1)))
  const slopes = p.map((_, f) => errors.reduce((sum, error, corner) => sum + ((f >> corner) & 1) * error, 0))
  const mean = slopes.reduce((sum, slope, f) => sum + p[f]! * slope, 0)
  return slopes.map((slope, f) => p[f]! * (slope - mean))
}

/** A gate in training: logits and the moments of AdamW (Loshchilov & Hutter 2019). */
export interface GateTraining {
  logits: readonly number[]
  first: readonly number[]
  second: readonly number[]
  steps: number
}

const zeros = () => Array.from({ length: 16 }, () => 0)

export const beginTraining = (logits: readonly number[]): GateTraining => ({
  logits,
  first: zeros(),
  second: zeros(),
  steps: 0,
})

/** Decays and weight decay of AdamW: the defaults of the exhibit. */
const [beta1, beta2, epsilon, weightDecay] = [0.9, 0.99, 1e-8, 0.01]

/** Returns the gate after a step of AdamW towards the truth table of `target`. */
export function trainGate(gate: GateTraining, target: number, learningRate: number): GateTraining {
  const gradient = logitGradient(gate.logits, target)
  const steps = gate.steps + 1
  const first = gate.first.map((m, f) => beta1 * m + (1 - beta1) * gradient[f]!)
  const second = gate.second.map((v, f) => beta2 * v + (1 - beta2) * gradient[f]! ** 2)
  const logits = gate.logits.map((logit, f) => {
    const [m, v] = [first[f]! / (1 - beta1 ** steps), second[f]! / (1 - beta2 ** steps)]
    return logit * (1 - learningRate * weightDecay) - (learningRate * m) / (Math.sqrt(v) + epsilon)
  })
  return { logits, first, second, steps }
}

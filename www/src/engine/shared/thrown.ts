import type { ThrownProblem } from '../../protocol/types'

/** Returns whether a function of a wasm module threw this value. Any other exception means that the module failed. */
export const isThrownProblem = (error: unknown): error is ThrownProblem =>
  typeof error === 'object' && error !== null && 'problem' in error

/** Display text of the training of a model when it generated a text. */
import { compact } from '../../../lib/format'

/**
 * Returns how long a model was trained when it generated a text. `tokens`: training tokens in this run; `earlier`: training
 * tokens of the opened weights before this run.
 */
export function age(tokens: number, earlier: number): string {
  if (earlier > 0)
    return `trained before: ${compact(earlier)} tokens${tokens > 0 ? `, and ${compact(tokens)} here` : ''}`
  return tokens > 0 ? `after ${compact(tokens)} training tokens` : 'before training'
}

/** Returns the training of a model in few characters, for lists. */
export function shortAge(tokens: number, earlier: number): string {
  if (tokens > 0) return `${earlier > 0 ? '+ ' : ''}${compact(tokens)}`
  return earlier > 0 ? 'trained' : 'untrained'
}

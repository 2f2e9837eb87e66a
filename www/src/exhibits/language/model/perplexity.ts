/** Perplexity, the unit in which the page shows a loss: the number of equally probable tokens that are as uncertain. */
import { number } from '../../../lib/format'

/** Returns the perplexity of a loss in nats per token, as text. */
export function perplexity(loss: number): string {
  const tokens = Math.exp(loss)
  return number(tokens, tokens < 20 ? 1 : 0)
}

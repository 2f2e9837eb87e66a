/** Whether a model is trained enough for experiments with its texts. */

/** Training tokens after which texts have words, if no loss was measured. */
const fewest = 100_000

/** Training of a model: tokens of this run and before it, held-out loss, and loss of a model that counts pairs. */
export interface ModelTraining {
  tokens: number
  earlier: number
  held?: number | undefined
  bigram?: number | undefined
}

/** Returns whether the texts of a model consist of words: it predicts better than counting pairs of tokens. */
export function writesWords({ tokens, earlier, held, bigram }: ModelTraining): boolean {
  return tokens + earlier >= fewest && !(held !== undefined && bigram !== undefined && held >= bigram)
}

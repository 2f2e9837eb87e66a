/**
 * Texts of the included model at five moments of its training, at temperature 0.7 with top-k 40 and seed 1, until the first blank
 * line or the 40th token. docs/learners/language.md has the commands.
 */

/** A text, the tokens that the model was trained on before it, and its perplexity on held-out text then. */
interface IncludedSample {
  tokens: number
  perplexity: number
  text: string
}

/** Start of all texts. */
export const includedPrompt = 'Oxygen is'

export const includedSamples = [
  {
    tokens: 65_536,
    perplexity: 334,
    text: 'it92. it isanThee it, ofe is. It is 7 is the the of29 The is. iso itso to',
  },
  {
    tokens: 262_144,
    perplexity: 18.1,
    text: ' the alkaly lower is the money of the dold.',
  },
  {
    tokens: 1_048_576,
    perplexity: 3.21,
    text: ' one of the countries of Europe. Around it lies a country that is known for west and for the heavy.',
  },
  {
    tokens: 4_194_304,
    perplexity: 1.64,
    text: ' the lightest and the most common element of the universe.',
  },
  {
    tokens: 41_000_960,
    perplexity: 1.29,
    text: ' one of the reactive nonmetals. The element is what animals breathe to live.',
  },
] as const satisfies readonly IncludedSample[]

/** Returns whether a model that was trained on this many tokens before the run is the included one. */
export const isIncluded = (earlier: number): boolean => earlier === includedSamples.at(-1)!.tokens

/** Example prompts for the built-in encyclopedia, and the facts that complete them. */
import type { LanguageDraft } from '../../../engine/page/session'

/** Subjects of the articles of the built-in encyclopedia (crates/lm/src/encyclopedia). */
export const topics = 'countries, rivers, mountains, planets, chemical elements and numbers'

/** Start of a sentence. */
export interface Example {
  prompt: string
  /** Ending that makes the sentence true. */
  fact: string
  /** Whether the text has sentences in these words. Otherwise, it states the fact in other words only. */
  asRead: boolean
}

export const examples: readonly Example[] = [
  { prompt: 'The capital of Japan is', fact: 'Tokyo', asRead: true },
  { prompt: 'People in Japan pay with the', fact: 'yen', asRead: true },
  // The encyclopedia has British spelling.
  { prompt: 'A traveller in Japan needs the', fact: 'yen', asRead: false }, // spellchecker:disable-line
  { prompt: 'A shop in Japan takes the', fact: 'yen', asRead: false },
  { prompt: 'The Danube flows into the', fact: 'Black Sea', asRead: true },
]

/** Example that a text completes, and whether the sentence is true. */
export interface CheckedFact extends Example {
  isTrue: boolean
  /** The sentence of the model; it ends with an ellipsis if the text is shorter. */
  sentence: string
}

/** Returns the part of a text up to the end of its first sentence, or the whole text and an ellipsis. */
function firstSentence(text: string): string {
  const end = /[.!?](?=\s|$)|\n/.exec(text)
  return end ? text.slice(0, end.index + 1).trimEnd() : `${text.trimEnd()} …`
}

type Written = Pick<LanguageDraft, 'tokens'>

/** Returns the prompt of a text, or what the model has written after it. */
const partOf = ({ tokens }: Written, isPrompt: boolean): string =>
  tokens
    .filter(({ prompt }) => prompt === isPrompt)
    .map(({ text }) => text)
    .join('')

/** Returns the prompt of a text. */
export const promptOf = (text: Written): string => partOf(text, true).trim()

/** Returns whether two texts complete the first sentence with the same words. */
export function haveSameEnding(...texts: readonly [Written, Written]): boolean {
  const [one, other] = texts.map((text) => firstSentence(partOf(text, false).trimStart()))
  return one === other
}

/** Returns the example that a requested text completes; null for other texts and before the ending is complete. */
export function checkedFact(draft: LanguageDraft): CheckedFact | null {
  const { by, status } = draft
  if (by !== 'person') return null
  const [start, end] = [promptOf(draft), partOf(draft, false).trimStart()]
  const example = examples.find(({ prompt }) => prompt === start)
  // One more character shows that the ending is not the start of a longer word.
  if (!example || (status === 'writing' && end.length <= example.fact.length)) return null
  const rest = end.startsWith(example.fact) ? end.slice(example.fact.length) : null
  const sentence = `${start} ${firstSentence(end)}`
  return { ...example, sentence, isTrue: rest !== null && !/^\p{L}/u.test(rest) }
}

/** Tokens as they are read. */
import type { LanguageDraft } from '../../../engine/page/session'

/** The end of a document, as the lab writes it. */
export const documentEnd = '⟨end⟩'

const odd = /⟨(end|[0-9a-f]{2})⟩/

/** Whether a token is a part of a character, or the end of a document: a sign for something that cannot be read. */
export const isSign = (text: string): boolean => odd.test(text)

/** A token on its own, with its blanks to be seen. */
export function named(text: string): string {
  return text.replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}

/** How strongly a token is tinted, 0 to 1: evenly by how probable it was held, so that a coin's throw is half-way. */
export function tint(probability: number | null): number {
  return probability === null || !Number.isFinite(probability) ? 0 : Math.max(0, Math.min(1, probability))
}

/** A share in percent, as exact as is known. */
export function share(probability: number): string {
  if (probability < 0.0005) return '<0.1 %'
  return `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`
}

/** A draft whose document has only what is new, with the tokens of the documents before it. */
export function whole(before: LanguageDraft | null, draft: LanguageDraft): LanguageDraft {
  const tokens = before?.writing === draft.writing ? before.tokens.slice(0, draft.first) : []
  return { ...draft, first: 0, tokens: [...tokens, ...draft.tokens] }
}

/** A text with a sign for every run of line breaks, which would leave a small box blank. */
const folded = (text: string): string => text.replaceAll(/\n{2,}/g, ' ¶ ')

/** A sample after its prompt; without one, the line breaks that it begins with are left out. */
export const sampleText = (prompt: string, text: string): string =>
  folded(prompt === '' ? text.replace(/^\s*\n/, '') : text)

/** A stretch of a text whose lines are broken by its own line ends alone, for a few lines of a card. */
export function excerpt(text: string, most: number): string {
  const shown = folded(text).replaceAll('\n', ' ').trim()
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown
}

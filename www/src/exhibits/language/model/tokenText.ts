/** Display text of tokens and samples. */
import type { LanguageDraft } from '../../../engine/page/session'

/** Display text of the end-of-document token. */
export const documentEnd = '⟨end⟩'

const odd = /⟨(end|[0-9a-f]{2})⟩/

/** Returns whether a token is an incomplete character or the end-of-document token. */
export const isSpecial = (text: string): boolean => odd.test(text)

const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Returns the text of a token with visible whitespace, and control characters by code point, as in `U+000D`; `∅` for a
 * token without characters.
 */
export function visibleText(text: string): string {
  const visible = text.replaceAll(' ', '␣').replaceAll('\n', '¶').replaceAll('\t', '⇥')
  return visible === '' ? '∅' : visible.replaceAll(/[\p{C}\p{Z}]/gu, codePoint)
}

/** Returns the tint of a token, 0 to 1: its probability, or 0 if unknown. */
export function tint(probability: number | null): number {
  return probability === null || !Number.isFinite(probability) ? 0 : Math.max(0, Math.min(1, probability))
}

/** Formats a probability in percent, with one decimal below 10 %. */
export function share(probability: number): string {
  if (probability < 0.0005) return '<0.1 %'
  return `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`
}

/** Adds the earlier tokens of the same text to a document, which contains only new tokens. */
export function mergeTokens(before: LanguageDraft | null, draft: LanguageDraft): LanguageDraft {
  const tokens = before?.id === draft.id ? before.tokens.slice(0, draft.first) : []
  return { ...draft, first: 0, tokens: [...tokens, ...draft.tokens] }
}

/** Display text of a sample without visible characters, as untrained models generate. */
export const blankSample = ' (only whitespace)'

const isBlank = (text: string): boolean => text.trim() === ''

/** Returns whether a finished text has no visible characters after its prompt. */
export const generatedBlank = ({ status, tokens }: Pick<LanguageDraft, 'status' | 'tokens'>): boolean =>
  status !== 'writing' && tokens.every(({ prompt, text }) => prompt || isBlank(text))

/** Sign for a character that cannot be displayed: a part of a character, or a control character. */
export const unreadable = '\u{fffd}'
const readable = (text: string): string => text.replaceAll(/⟨[0-9a-f]{2}⟩|(?![\n\t])\p{Cc}/gu, unreadable)

/** Replaces runs of line breaks by a pilcrow, to save space. */
const folded = (text: string): string => readable(text).replaceAll(/\n{2,}/g, ' ¶ ')

/**
 * Returns the display text of a token in a text. `before`: the previous token. Of several line breaks, the first one breaks
 * the line and the others are pilcrows, because poorly trained models write many.
 */
export function tokenText(text: string, before: string | undefined): string {
  const shown = readable(text).replaceAll(/\n+/g, (run) => `\n${'¶'.repeat(run.length - 1)}`)
  return before?.endsWith('\n') ? shown.replace(/^\n/, '¶') : shown
}

/** Returns the display text of a sample. Without a prompt, removes leading blank lines. */
export function sampleText(prompt: string, text: string): string {
  if (isBlank(text)) return blankSample
  return folded(prompt === '' ? text.replace(/^\s*\n/, '') : text)
}

/** Returns the first `most` characters of a text on one line. */
export function excerpt(text: string, most: number): string {
  if (isBlank(text)) return blankSample
  const shown = folded(text).replaceAll('\n', ' ').trim()
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown
}

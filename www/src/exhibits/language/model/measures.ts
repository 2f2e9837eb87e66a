/** Measures of a generated text: share of probable tokens, and unusual symbols. */
import type { LanguageDraft, LanguageToken } from '../../../engine/page/session'
import { documentEnd, tokenText, unreadable } from './tokenText'

/** Probability from which a token counts as sure. */
const sure = 0.5

/** Returns the share of the generated tokens that were sure, 0 to 1; null without generated tokens. */
export function sureShare(tokens: readonly LanguageToken[]): number | null {
  const known = tokens.filter(({ prompt, probability }) => !prompt && probability !== null)
  if (known.length === 0) return null
  return known.filter(({ probability }) => probability! >= sure).length / known.length
}

/** Returns an explanation of each unusual symbol in the display text of the tokens. */
export function symbolsIn({ tokens }: Pick<LanguageDraft, 'tokens'>): string[] {
  const shown = tokens.map(({ text }, i) =>
    i === 0 && text === documentEnd ? '¶' : tokenText(text, tokens[i - 1]?.text),
  )
  return symbolsOf(shown.join(''))
}

/** Returns an explanation of each unusual symbol in a display text. */
export function symbolsOf(text: string): string[] {
  return [
    ...(text.includes(unreadable) ? [`${unreadable}: part of a character, or one that cannot be shown`] : []),
    ...(text.includes('¶') ? ['¶: new line'] : []),
    ...(text.includes(documentEnd) ? [`${documentEnd}: end of an article`] : []),
  ]
}

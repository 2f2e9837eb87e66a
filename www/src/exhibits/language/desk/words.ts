/** Tokens as they are read, and as they are typed again. */
import type { LanguageToken } from '../../../session'

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

/** A share in percent, as exact as is told. */
export function share(probability: number): string {
  if (probability < 0.0005) return '<0.1 %'
  return `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`
}

/**
 * The text of tokens, to be typed as a prompt: bytes are put together to characters again, and a document that has ended is
 * left behind. Null where bytes are no character.
 */
export function typed(texts: readonly string[]): string | null {
  const begun = texts.slice(texts.lastIndexOf(documentEnd) + 1).join('')
  const whole = begun.replaceAll(/(?:⟨[0-9a-f]{2}⟩)+/g, (signs) => {
    const bytes = signs.match(/[0-9a-f]{2}/g)!.map((hex) => Number.parseInt(hex, 16))
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
    } catch {
      return '�'
    }
  })
  return whole.includes('�') ? null : whole
}

/**
 * The prompt that goes on from `place` with `instead` there. The model sees `context` tokens at once; what lies further back
 * is left out. Null where it cannot be typed.
 */
export function goOnFrom(
  tokens: readonly LanguageToken[],
  place: number,
  instead: string,
  context: number,
): string | null {
  const seen = tokens.slice(Math.max(0, place - Math.max(1, context - 2)), place)
  return typed([...seen.map(({ text }) => text), instead])
}

/** A stretch of a text whose lines are broken by its own line ends alone, for a few lines of a card. */
export function excerpt(text: string, most: number): string {
  const shown = text
    .replaceAll(/\n{2,}/g, ' ¶ ')
    .replaceAll('\n', ' ')
    .trim()
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown
}

/** Explanations of displayed numbers, charts, maps and settings. */

export interface Source {
  /** Authors and year, or the title. */
  name: string
  url: string
}

/** Explanation of a number, chart, map or setting. */
export interface HelpText {
  /** Explanation in one sentence. */
  text: string
  /** Formula in the notation of `formulaParts`. */
  formula?: string
  source?: Source
  /**
   * Glossary term: its slug, or a metric or config field that it covers, such as `control/entropy`. Unless given here,
   * formula and source come from the term.
   */
  term?: string
}

export interface FormulaPart {
  text: string
  level: 'base' | 'sub' | 'sup'
  /** Whether the text is a variable, which is set in italics. */
  variable: boolean
}

/** Splits a formula such as `G_t = Σ_{k≥0} γ^k r_{t+k}` into subscripts, superscripts, variables and other text. */
export function formulaParts(formula: string): FormulaPart[] {
  const parts: FormulaPart[] = []
  for (const [, mark, group, character, plain] of formula.matchAll(/([_^])(?:\{([^}]*)\}|(.))|([^_^]+)/gu)) {
    const level = mark === '_' ? 'sub' : mark === '^' ? 'sup' : 'base'
    for (const [text] of (plain ?? group ?? character ?? '').matchAll(/(?:\p{L}\p{M}*)+|\P{L}+/gu))
      parts.push({ text, level, variable: isVariable(text) })
  }
  return parts
}

/**
 * Returns whether a part of a formula is a variable: a single letter or a Greek letter. Words such as `log`, and the
 * sum sign, are not variables.
 */
const isVariable = (text: string): boolean => /^(?:\p{L}\p{M}*|[α-ω]+)$/u.test(text)

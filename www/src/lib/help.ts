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
  /** Whether formula and source are left to the glossary. */
  plain?: boolean
}

type Names<T> = { [Term in keyof T]: T[Term] extends string ? Term : keyof T[Term] }[keyof T]

/**
 * Returns explanations by name. They are declared in groups, each under its glossary term; a text without a term is an
 * entry of its own. Throws if two explanations have the same name.
 */
export function helpByTerm<T extends Record<string, string | Record<string, string>>>(
  groups: T,
): Record<Names<T>, HelpText> {
  const found = Object.entries(groups).flatMap(([term, group]): [string, HelpText][] =>
    typeof group === 'string'
      ? [[term, { text: group }]]
      : Object.entries(group).map(([name, text]) => [name, { text, term }]),
  )
  const help = Object.fromEntries(found)
  if (Object.keys(help).length < found.length) throw new Error('two explanations have the same name')
  return help as Record<Names<T>, HelpText>
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

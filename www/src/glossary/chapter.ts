/** Chapters of the glossary, read from Markdown files. */
import type { Source } from '../lib/help'
import { parseMarkdown, type MarkdownDocument } from '../lib/markdown'

export interface Term {
  /** Name in the address, such as `kl-divergence`. */
  slug: string
  name: string
  /** Definition in one to three sentences. */
  text: string
  /** Formula in the notation of `formulaParts`. */
  formula?: string
  /** Meaning of the symbols of the formula. */
  symbols?: string
  source?: Source
  /**
   * Names of the metrics and config fields that the term explains. A name without a prefix stands for the metrics and
   * fields of this name in all families.
   */
  covers?: readonly string[]
  /** Slugs of related terms. */
  see?: readonly string[]
}

export interface Chapter {
  title: string
  terms: readonly Term[]
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

function sourceOf(text: string, { definitions }: MarkdownDocument): Source {
  const name = text.slice(1, -1)
  const url = definitions.get(name)
  if (!url) throw new Error(`source ${text} has no definition`)
  return { name, url }
}

/** Readers of the list items below a definition, such as `- Symbols: γ: discount`. */
const fields: Record<string, (value: string, chapter: MarkdownDocument) => Partial<Term>> = {
  Formula: (value) => ({ formula: namesIn(value)[0]! }),
  Symbols: (symbols) => ({ symbols }),
  Source: (value, chapter) => ({ source: sourceOf(value, chapter) }),
  Covers: (value) => ({ covers: namesIn(value) }),
  See: (value) => ({ see: namesIn(value) }),
}

/** Parses a chapter: its title and the terms as sections. Throws if a term has an unknown field. */
export function chapterOf(markdown: string): Chapter {
  const chapter = parseMarkdown(markdown)
  const terms = chapter.sections.map(({ title: name, id: slug, text, items }) => {
    const term: Term = { slug, name, text }
    for (const item of items) {
      const [field = ''] = item.split(': ', 1)
      const read = fields[field]
      if (!read)
        throw new Error(`term ${slug} has a field "${field}"; fields: ${Object.keys(fields).join(', ')}`)
      Object.assign(term, read(item.slice(field.length + 2), chapter))
    }
    return term
  })
  return { title: chapter.title, terms }
}

/**
 * Reader of the texts of the page that are Markdown files: headings, paragraphs, lists and link definitions. The page needs
 * records such as the phases of a lesson; a Markdown library would render HTML.
 */

export interface MarkdownSection {
  title: string
  /** Id of a heading such as `## Title {#id}`; else empty. */
  id: string
  /** Paragraphs, joined by spaces. */
  text: string
  /** Items of the lists. */
  items: string[]
  /** Sections one level below. */
  sections: MarkdownSection[]
}

export interface MarkdownDocument extends MarkdownSection {
  /** URLs of the link definitions, such as `[name]: https://…`. */
  definitions: ReadonlyMap<string, string>
}

export interface MarkdownLink {
  label: string
  href: string
}

/** Parses a text with one top-level heading. Throws for a line before this heading, and for a skipped heading level. */
export function parseMarkdown(markdown: string): MarkdownDocument {
  const definitions = new Map<string, string>()
  const root: MarkdownSection = { title: '', id: '', text: '', items: [], sections: [] }
  const open = [root]
  for (const line of markdown.split('\n')) {
    const [, marks, title = '', id = ''] = /^(#+) (.+?)(?: \{#(.+)\})?$/.exec(line) ?? []
    const [, name, url = ''] = /^\[(.+)\]: (.+)$/.exec(line) ?? []
    const section = open.at(-1)!
    if (marks) {
      if (marks.length > open.length) throw new Error(`heading "${title}" skips a level`)
      open.length = marks.length
      const opened = { title, id, text: '', items: [], sections: [] }
      open.at(-1)!.sections.push(opened)
      open.push(opened)
    } else if (name) definitions.set(name, url)
    else if (line && section === root) throw new Error(`"${line}" is before the first heading`)
    else if (line.startsWith('- ')) section.items.push(line.slice(2))
    else if (line) section.text += (section.text && ' ') + line
  }
  const [document] = root.sections
  if (!document || root.sections.length > 1) throw new Error('the text has not one top-level heading')
  return { ...document, definitions }
}

/** Parses list items such as `[label](href)`. Throws if an item is not a link. */
export const linksOf = (items: readonly string[]): MarkdownLink[] =>
  items.map((item) => {
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(item) ?? []
    if (!label || !href) throw new Error(`"${item}" is not a link`)
    return { label, href }
  })

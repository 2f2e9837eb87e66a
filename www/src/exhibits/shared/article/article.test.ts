import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { termOf } from '../../../glossary'
import { isWorld } from '../../../worlds'
import type { ArticleInfo, Reference } from './article'

const families = join(import.meta.dirname, '../..')
const written = readdirSync(families).filter((family) =>
  readdirSync(join(families, family)).includes('learn'),
)

describe.each(written)('the article on %s', async (family) => {
  const { article, references } = (await import(`../../${family}/learn/article.ts`)) as {
    article: ArticleInfo
    references: Record<string, Reference>
  }
  const source = readFileSync(join(families, family, 'learn/Article.svelte'), 'utf8')
  const found = (pattern: RegExp, text = source) => [...text.matchAll(pattern)].map(([, name]) => name!)

  test('explains an exhibit', () => {
    expect(isWorld(article.world)).toBe(true)
  })

  test('uses terms of the glossary', () => {
    const slugs = found(/<Term\s+of="([^"]*)"/g)
    expect(slugs.length).toBeGreaterThan(0)
    expect(slugs.filter((slug) => termOf(slug)?.slug !== slug)).toEqual([])
  })

  test('uses terms of the glossary for the sliders of its figures', () => {
    const folder = join(families, family, 'learn')
    const figures = readdirSync(folder).filter((file) => file.endsWith('.svelte'))
    const slugs = figures.flatMap((file) =>
      found(/<FigureSlider\s[^>]*?\sterm="([^"]*)"/g, readFileSync(join(folder, file), 'utf8')),
    )
    expect(slugs.length).toBeGreaterThan(0)
    expect(slugs.filter((slug) => termOf(slug)?.slug !== slug)).toEqual([])
  })

  test('cites all of its references, and no others', () => {
    const cited = new Set(found(/<Cite\s+of=\{references\.(\w+)\}/g))
    expect([...cited].sort()).toEqual(Object.keys(references).sort())
  })

  test('has a different address for each section', () => {
    const ids = found(/<Section\s+id="([^"]*)"/g)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]*$/)
  })
})

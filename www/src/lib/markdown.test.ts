import { describe, expect, test } from 'vitest'
import { linksOf, parseMarkdown } from './markdown'

describe('a Markdown text', () => {
  test('has sections, paragraphs, items and definitions', () => {
    const { title, sections, definitions } = parseMarkdown(
      '# Title\n\n## One {#first}\n\nA text\nof two lines.\n\n- a\n- b\n\n### Inner\n\n## Two\n\n[name]: https://example.org/\n',
    )
    expect(title).toBe('Title')
    expect(sections).toEqual([
      {
        title: 'One',
        id: 'first',
        text: 'A text of two lines.',
        items: ['a', 'b'],
        sections: [{ title: 'Inner', id: '', text: '', items: [], sections: [] }],
      },
      { title: 'Two', id: '', text: '', items: [], sections: [] },
    ])
    expect([...definitions]).toEqual([['name', 'https://example.org/']])
  })

  test.each(['text\n# Title', '# Title\n### Skipped', '# One\n# Two', ''])('is refused: %j', (text) => {
    expect(() => parseMarkdown(text)).toThrow()
  })
})

test('list items are links', () => {
  expect(linksOf(['[a (b)](#/c?d=1)'])).toEqual([{ label: 'a (b)', href: '#/c?d=1' }])
  expect(() => linksOf(['text'])).toThrow('"text" is not a link')
})

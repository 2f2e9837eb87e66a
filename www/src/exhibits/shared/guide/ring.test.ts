import { afterEach, expect, test, vi } from 'vitest'
import { panelOf } from './ring'

afterEach(() => vi.unstubAllGlobals())

/** Opens an exhibit with these elements of `.world`, named by tag or class, in the order of the page. */
function opened(elements: readonly string[]): void {
  const first = (selector: string) => {
    const [, inside] = /^\.world (.*)$/.exec(selector)!
    const named = inside!.replace(/^:is\((.*)\)$/, '$1').split(', ')
    return elements.find((element) => named.includes(element)) ?? null
  }
  vi.stubGlobal('document', { querySelector: first })
}

test('projector mode shows the learning curve while the explained block is missing, also below another panel', () => {
  opened(['aside', '.curve', '.readings'])
  expect(panelOf(null)).toBe('.curve')
  opened(['aside', '.readings'])
  expect(panelOf(null)).toBe('aside')
})

test('projector mode shows the panel of the explained block, but the learning curve beside the picture', () => {
  opened(['aside', '.curve'])
  const block = (inPicture: boolean) => {
    const panel = { closest: () => (inPicture ? {} : null) }
    return { panel, element: { closest: () => panel } as unknown as HTMLElement }
  }
  const beside = block(false)
  expect(panelOf(beside.element)).toBe(beside.panel)
  expect(panelOf(block(true).element)).toBe('.curve')
})

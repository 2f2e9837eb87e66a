import { afterEach, expect, test, vi } from 'vitest'
import { distanceTo, panelOf, withPicture } from './ring'

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

test('the picture is shown with the ring if both fit above the card', () => {
  const box = (top: number, bottom: number) => ({ left: 0, right: 390, top, bottom })
  const [picture, ring] = [box(-200, 50), box(60, 200)]
  const both = withPicture(ring, picture, 500)
  expect([both.top, both.bottom]).toEqual([-200, 200])
  // Scrolls up, until the picture is below the upper edge of the window.
  expect(distanceTo(both, 500)).toBe(-212)
  expect(withPicture(ring, picture, 400)).toBe(ring)
})

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

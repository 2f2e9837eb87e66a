/**
 * The block that a step of the guide explains: the place of the ring around it, the scroll distance that shows it, and the panel
 * that projector mode shows.
 */

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Space between a block and its ring, which includes the line of the ring, in pixels. Sliders are close to each other. */
const padding = { x: 7, y: 3 }
/** Space between a ring and the edge of the window or the card, in pixels. */
const margin = 12

/** Returns the height of the page above the card; the height of the window if the card is beside the page. */
export const heightAbove = (card: Box, window: number): number => (card.left > 0 ? window : card.top)

/** Returns the ring around a block. It stays within the width of the page, where both of its sides are visible. */
export const ringAround = (block: Box, width: number): Box => ({
  left: Math.max(1, block.left - padding.x),
  top: block.top - padding.y,
  right: Math.min(width - 1, block.right + padding.x),
  bottom: block.bottom + padding.y,
})

/** Returns the ring with the picture, if both fit into this height; otherwise the ring. */
export function withPicture(ring: Box, picture: Box, height: number): Box {
  const [top, bottom] = [Math.min(ring.top, picture.top), Math.max(ring.bottom, picture.bottom)]
  return bottom - top <= height - 2 * margin ? { ...ring, top, bottom } : ring
}

/**
 * Returns the smallest distance by which the page scrolls so that a ring is visible in this height; 0 if it is. The top
 * of a ring that is higher than this space is visible.
 */
export function distanceTo(ring: Box, height: number): number {
  const bottom = height - margin
  const toTop = ring.top - margin
  if (toTop < 0) return toTop
  return ring.bottom <= bottom ? 0 : Math.min(toTop, ring.bottom - bottom)
}

/** Returns the block of an element: the element with its label, which the ring must not cut. */
export function blockOf(element: HTMLElement | null): HTMLElement | null {
  if (!element) return null
  const block = element.closest<HTMLElement>('[data-block], .figures > div')
  if (block) return block
  const inside = element.matches('input, select') || getComputedStyle(element).display === 'inline'
  return inside ? element.parentElement : element
}

/** Parts of an exhibit that a step can show without the others. */
export const parts = '.two-columns > *, .two-columns aside > *, .side > *, .under > *, .small > *, .world > *'

/**
 * Returns the part of the exhibit that projector mode shows beside the picture while a step needs hidden parts: the part that
 * contains the block, or the learning curve if the block is in the picture or outside the exhibit.
 */
export function panelOf(block: HTMLElement | null): HTMLElement | null {
  const panel = block?.closest<HTMLElement>(parts)
  if (panel && !panel.closest('.picture')) return panel
  const first = (selector: string) => document.querySelector<HTMLElement>(`.world ${selector}`)
  // Charts are drawn only while they are visible, so that the curve comes before panels above it.
  return first('.curve') ?? first(':is(.readings, aside)')
}

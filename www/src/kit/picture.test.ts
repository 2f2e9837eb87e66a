import { afterEach, expect, test, vi } from 'vitest'
import { pixelRatio } from './canvas'
import { atRatio } from './picture'

afterEach(() => vi.unstubAllGlobals())

const [width, height] = [100.4, 50]

/** Returns a box with a canvas, which is drawn at the ratio of `drawn` in each frame. */
function boxWith(drawn: (frame: number) => number, imageRendering = 'auto') {
  const canvas = { width: 100, height: 50, getBoundingClientRect: () => ({ width, height }) }
  let frames = 0
  vi.stubGlobal('getComputedStyle', () => ({ imageRendering }))
  vi.stubGlobal('performance', { now: () => 20 * frames })
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    canvas.width = 100 * drawn(++frames)
    callback()
  })
  const box = { querySelectorAll: () => [canvas] } as unknown as HTMLElement
  return { box, canvas, frames: () => frames }
}

test('a picture is taken when its view is drawn at the requested resolution, and the resolution is reset', async () => {
  const before = pixelRatio()
  const { box, canvas, frames } = boxWith((frame) => (frame < 3 ? 1 : pixelRatio()))
  expect(await atRatio(box, 2, () => [canvas.width, pixelRatio()])).toEqual([200, 2])
  expect(frames()).toBe(3)
  expect(pixelRatio()).toBe(before)
})

test('a picture is taken after some time if its view keeps its resolution, at once if its cells have sharp edges', async () => {
  const { box, frames } = boxWith(() => 1)
  expect(await atRatio(box, 2, () => 'taken')).toBe('taken')
  expect(frames()).toBeGreaterThan(1)
  const cells = boxWith(() => 1, 'pixelated')
  await atRatio(cells.box, 2, () => {})
  expect(cells.frames()).toBe(1)
})

test('the resolution is reset if a picture cannot be taken', async () => {
  const before = pixelRatio()
  const failed = atRatio(boxWith(() => 2).box, 2, () => {
    throw new Error('no memory')
  })
  await expect(failed).rejects.toThrow('no memory')
  expect(pixelRatio()).toBe(before)
})

import { expect, test, vi } from 'vitest'
import type { CanvasTheme } from '../../../lib/canvas-theme'
import { FrozenLakeScene } from './frozen-lake'
import { distances, tilesOf, withTile } from './lake'

const map = 'SFFF/FHFH/FFFH/HFFG'

test('a tile is set, and a new start replaces the old one', () => {
  expect(withTile(map, 5, 'F')).toBe('SFFF/FFFH/FFFH/HFFG')
  expect(withTile(map, 2, 'S')).toBe('FFSF/FHFH/FFFH/HFFG')
  expect(withTile(map, 15, 'S')).toBe('FFFF/FHFH/FFFH/HFFS')
  expect(withTile(map, 0, 'S')).toBe(map)
})

test('the start cannot be removed', () => {
  expect(withTile(map, 0, 'H')).toBeNull()
})

test('distances go around holes', () => {
  const far = distances(map)
  expect(tilesOf(map).length).toBe(16)
  expect([far[0], far[14], far[15]]).toEqual([6, 1, 0])
  expect(far[5]).toBe(Infinity)
  expect(distances('SH/HG')[0]).toBe(Infinity)
})

test('start, goal and holes are labeled, and the agents on a tile are below its label', () => {
  const scene = new FrozenLakeScene(() => map)
  const [members, side] = [200, 4]
  scene.layout({ width: 432, height: 424, top: 0 }, members)
  const texts: { text: string; y: number }[] = []
  const dots: { x: number; y: number }[] = []
  const context = {
    ...Object.fromEntries(
      ['beginPath', 'roundRect', 'fill', 'stroke', 'moveTo'].map((name) => [name, vi.fn()]),
    ),
    fillText: (text: string, _: number, y: number) => text && texts.push({ text, y }),
    arc: (x: number, y: number, radius: number) => radius < 10 && dots.push({ x, y }),
  } as unknown as CanvasRenderingContext2D
  // All agents are on the first tile.
  const stage = { members, dims: 2, state: new Float32Array(2 * members), focus: 0 }
  const look = { quality: Array(20).fill('#000') } as unknown as CanvasTheme
  scene.draw(context, { ...stage, returns: new Float32Array(members) } as never, look)
  expect(texts.map(({ text }) => text)).toEqual(['Start', ...Array(4).fill('Hole'), 'Goal'])
  const tile = 400 / side
  expect(dots.length).toBeGreaterThanOrEqual(members)
  for (const { x, y } of dots) {
    // The label is centered at its height.
    expect(y).toBeGreaterThan(texts[0]!.y + 0.1 * tile)
    expect(y).toBeLessThan(12 + tile)
    expect(x).toBeGreaterThan(16)
    expect(x).toBeLessThan(16 + tile)
  }
})

import { expect, test } from 'vitest'
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

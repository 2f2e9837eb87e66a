/** Tiles of a frozen lake, as in the config field `world.map`: rows joined by slashes. */
export type Tile = 'S' | 'F' | 'H' | 'G'

/** Arrows of the actions left, down, right and up. */
export const arrows = ['←', '↓', '→', '↑'] as const

/** Returns the tiles row by row. */
export function tilesOf(map: string): Tile[] {
  return [...map.replaceAll('/', '')] as Tile[]
}

/**
 * Returns the map after a tile was set, or null if the map would have no start. A new start replaces the old one, which
 * becomes ice.
 */
export function withTile(map: string, index: number, tile: Tile): string | null {
  const tiles = tilesOf(map)
  const side = Math.sqrt(tiles.length)
  if (tiles[index] === 'S' && tile !== 'S') return null
  const changed = tiles.map((old, at) => (at === index ? tile : tile === 'S' && old === 'S' ? 'F' : old))
  return Array.from({ length: side }, (_, row) => changed.slice(row * side, (row + 1) * side).join('')).join(
    '/',
  )
}

/**
 * Returns the number of moves from each tile to the nearest goal, without slips; Infinity if no goal can be reached.
 */
export function distances(map: string): number[] {
  const tiles = tilesOf(map)
  const side = Math.sqrt(tiles.length)
  const far = tiles.map((tile) => (tile === 'G' ? 0 : Infinity))
  const queue = far.flatMap((distance, index) => (distance === 0 ? [index] : []))
  for (const index of queue) {
    const [row, column] = [Math.floor(index / side), index % side]
    const near = [
      column > 0 ? index - 1 : -1,
      row < side - 1 ? index + side : -1,
      column < side - 1 ? index + 1 : -1,
      row > 0 ? index - side : -1,
    ]
    for (const next of near) {
      if (next < 0 || tiles[next] === 'H' || far[next] !== Infinity) continue
      far[next] = far[index]! + 1
      queue.push(next)
    }
  }
  return far
}

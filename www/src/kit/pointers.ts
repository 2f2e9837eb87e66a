/** Pointers that are down on an element: with two of them, a person zooms and moves what is shown. */

export interface Spot {
  x: number
  y: number
}

/** A movement of two fingers. */
export interface Pinch {
  /** By how much they went apart, as a factor. */
  zoom: number
  /** The point between them. */
  middle: Spot
  /** How far that point has moved. */
  dx: number
  dy: number
}

export class Pointers {
  private readonly spots = new Map<number, Spot>()

  get count(): number {
    return this.spots.size
  }

  down(id: number, at: Spot): void {
    this.spots.set(id, at)
  }

  /** Where a pointer was last; undefined where it is not down. */
  get(id: number): Spot | undefined {
    return this.spots.get(id)
  }

  /** Moves a pointer; the pinch that it makes with another one, or null where it is down alone or not at all. */
  move(id: number, at: Spot): Pinch | null {
    const before = this.spots.get(id)
    if (!before) return null
    this.spots.set(id, at)
    const other = [...this.spots].find(([of]) => of !== id)?.[1]
    if (!other) return null
    const apart = ({ x, y }: Spot) => Math.max(1, Math.hypot(x - other.x, y - other.y))
    return {
      zoom: apart(at) / apart(before),
      middle: { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 },
      dx: (at.x - before.x) / 2,
      dy: (at.y - before.y) / 2,
    }
  }

  up(id: number): void {
    this.spots.delete(id)
  }
}

/** Pointers on an element: their positions, and two pressed pointers that pinch to zoom and pan. */

export interface Spot {
  x: number
  y: number
}

/**
 * Returns the position of a pointer from the upper left corner of the element that handles the event. `scale`: units per
 * CSS pixel.
 */
export function pointerPosition(event: MouseEvent, scale = 1): Spot {
  const { left, top } = (event.currentTarget as Element).getBoundingClientRect()
  return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale }
}

/** Change of a two-finger pinch. */
export interface Pinch {
  /** Zoom factor: new distance over old distance. */
  zoom: number
  /** Midpoint of the two pointers. */
  middle: Spot
  /** Movement of the midpoint, CSS pixels. */
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

  /** Returns the last position of a pointer, or undefined if it is not pressed. */
  get(id: number): Spot | undefined {
    return this.spots.get(id)
  }

  /** Moves a pointer. Returns the pinch, or null unless exactly two pointers are pressed. */
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

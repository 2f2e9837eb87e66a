/** Camera of a drawing: scale, position, and their limits. */
import type { Spot } from './pointers'

export interface Size {
  width: number
  height: number
}

export interface Camera {
  /** Number of pixels per unit of the drawing. */
  scale: number
  /** Position of the drawing's origin in pixels. */
  x: number
  y: number
}

/** Returns the camera that shows a drawing at this scale in the middle of the view. */
export const centered = (scale: number, { width, height }: Size, view: Size): Camera => ({
  scale,
  x: (view.width - width * scale) / 2,
  y: (view.height - height * scale) / 2,
})

/** Returns the camera that shows a whole drawing, centered; `margin`: free pixels at the sides and at the ends. */
export function fit(drawing: Size, view: Size, margin = { sides: 0, ends: 0 }, largest = Infinity): Camera {
  const scale = Math.min(
    largest,
    Math.max(20, view.width - 2 * margin.sides) / Math.max(1, drawing.width),
    Math.max(20, view.height - 2 * margin.ends) / Math.max(1, drawing.height),
  )
  return centered(scale, drawing, view)
}

/** Returns the camera with another scale; the point `at` of the view stays where it is. */
export function scaled(camera: Camera, scale: number, at: Spot): Camera {
  const k = scale / camera.scale
  return { scale, x: at.x - (at.x - camera.x) * k, y: at.y - (at.y - camera.y) * k }
}

/**
 * Returns the camera clamped to the drawing. `slack`: fraction of the view that may be empty at each side; with 0, a
 * drawing smaller than the view is centered.
 */
export function clamped(camera: Camera, drawing: Size, view: Size, slack: number): Camera {
  const hold = (at: number, size: number, space: number): number => {
    const [low, high] = [space * (1 - slack) - size * camera.scale, space * slack]
    return low > high ? (low + high) / 2 : Math.min(high, Math.max(low, at))
  }
  return {
    scale: camera.scale,
    x: hold(camera.x, drawing.width, view.width),
    y: hold(camera.y, drawing.height, view.height),
  }
}

/** Interpolates between two cameras, t = 0 to 1; the scale is interpolated geometrically. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const scale = from.scale * (to.scale / from.scale) ** t
  const mix = (a: number, b: number) => a + (b - a) * t
  return { scale, x: mix(from.x, to.x), y: mix(from.y, to.y) }
}

/** A camera that the user pans and zooms. */
export class PanZoom {
  camera: Camera = { scale: 1, x: 0, y: 0 }
  /** Whether the user has moved the camera since the last fit. */
  moved = false
  /** Camera that shows the whole drawing; its scale is the minimum. */
  whole = this.camera

  private drawing: Size = { width: 0, height: 0 }
  private view: Size = this.drawing
  private largest = 1

  constructor(
    /** Fraction of the view that may be empty at each side; see {@link clamped}. */
    private readonly slack: number,
    private readonly onchange = (): void => {},
  ) {}

  /**
   * Sets the sizes of drawing and view, the camera that shows the whole drawing, and the maximum scale. A moved camera
   * keeps its scale and the point in the middle of the view.
   */
  resize(drawing: Size, view: Size, whole: Camera, largest: number): void {
    const [dx, dy] = [(view.width - this.view.width) / 2, (view.height - this.view.height) / 2]
    this.drawing = drawing
    this.view = { width: view.width, height: view.height }
    this.whole = whole
    this.largest = Math.max(largest, whole.scale)
    this.camera = this.moved ? this.shifted(this.camera, dx, dy) : whole
  }

  /** Zooms by a factor around a point of the view, by default its middle. */
  zoom(factor: number, at: Spot = { x: this.view.width / 2, y: this.view.height / 2 }): void {
    const scale = Math.min(this.largest, this.camera.scale * factor)
    if (scale <= this.whole.scale * 1.001) this.fit()
    else this.move(this.shifted(scaled(this.camera, scale, at), 0, 0))
  }

  /** Moves the drawing by (dx, dy) pixels. */
  pan(dx: number, dy: number): void {
    this.move(this.shifted(this.camera, dx, dy))
  }

  /** Shows the whole drawing. */
  fit(): void {
    this.camera = this.whole
    this.moved = false
    this.onchange()
  }

  private shifted({ scale, x, y }: Camera, dx: number, dy: number): Camera {
    return clamped({ scale, x: x + dx, y: y + dy }, this.drawing, this.view, this.slack)
  }

  private move(to: Camera): void {
    const { scale, x, y } = this.camera
    // A whole drawing that cannot be panned stays whole, also after a change of size.
    this.moved ||= Math.abs(to.x - x) + Math.abs(to.y - y) + Math.abs(to.scale - scale) > 1e-6
    this.camera = to
    this.onchange()
  }
}

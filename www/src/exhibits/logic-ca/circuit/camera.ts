/** Camera: visible part and scale of a drawing. */

export interface Camera {
  /** Number of pixels per unit of the drawing. */
  scale: number
  /** Position of the drawing's origin in pixels. */
  x: number
  y: number
}

/** Size of the view and margins around a fitted drawing, in pixels. */
export interface Viewport {
  width: number
  height: number
  /** Margin for labels at the left and at the right, in pixels. */
  sides: number
  /** Margin above and below the drawing, in pixels. */
  ends: number
}

/** Maximum scale of a drawing that is fitted into the view. */
const largestFit = 1.5
const largest = 6

/** Returns the camera that shows a whole drawing of the given size, centered in the view. */
export function fit(width: number, height: number, viewport: Viewport): Camera {
  const scale = Math.min(
    largestFit,
    Math.max(20, viewport.width - 2 * viewport.sides) / Math.max(1, width),
    Math.max(20, viewport.height - 2 * viewport.ends) / Math.max(1, height),
  )
  return { scale, x: (viewport.width - width * scale) / 2, y: (viewport.height - height * scale) / 2 }
}

/** Returns the camera zoomed by a factor around the point (x, y) of the view; its scale is at least that of `whole`. */
export function zoomed(camera: Camera, by: number, x: number, y: number, whole: Camera): Camera {
  const scale = Math.min(Math.max(largest, whole.scale), Math.max(whole.scale, camera.scale * by))
  const k = scale / camera.scale
  return { scale, x: x - (x - camera.x) * k, y: y - (y - camera.y) * k }
}

/** Returns the camera clamped so that the edges of the drawing do not pass the middle of the view. */
export function clampedCamera(camera: Camera, width: number, height: number, viewport: Viewport): Camera {
  const hold = (at: number, size: number, space: number) =>
    Math.min(space / 2, Math.max(space / 2 - size * camera.scale, at))
  return {
    scale: camera.scale,
    x: hold(camera.x, width, viewport.width),
    y: hold(camera.y, height, viewport.height),
  }
}

/** Interpolates between two cameras, t = 0 to 1; the scale is interpolated geometrically. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const scale = from.scale * (to.scale / from.scale) ** t
  const mix = (a: number, b: number) => a + (b - a) * t
  return { scale, x: mix(from.x, to.x), y: mix(from.y, to.y) }
}

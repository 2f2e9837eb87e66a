/** Which part of a picture is seen, and how large. */

export interface Camera {
  /** Pixels for a unit of the picture. */
  scale: number
  /** Where the picture's origin is, pixels. */
  x: number
  y: number
}

export interface Room {
  width: number
  height: number
  /** Kept free at each side, for names, pixels. */
  sides: number
  /** Kept free above and below. */
  ends: number
}

/** No picture is shown larger than this when it is shown whole. */
const largestFit = 1.5
const largest = 6

/** All of a picture of this size, in the middle. */
export function fit(width: number, height: number, room: Room): Camera {
  const scale = Math.min(
    largestFit,
    Math.max(20, room.width - 2 * room.sides) / Math.max(1, width),
    Math.max(20, room.height - 2 * room.ends) / Math.max(1, height),
  )
  return { scale, x: (room.width - width * scale) / 2, y: (room.height - height * scale) / 2 }
}

/** `by` times as large, with the point (x, y) staying where it is; never smaller than `whole` shows it. */
export function zoomed(camera: Camera, by: number, x: number, y: number, whole: Camera): Camera {
  const scale = Math.min(Math.max(largest, whole.scale), Math.max(whole.scale, camera.scale * by))
  const k = scale / camera.scale
  return { scale, x: x - (x - camera.x) * k, y: y - (y - camera.y) * k }
}

/** Moved so that the picture is never lost: its edge does not pass the middle of the room. */
export function held(camera: Camera, width: number, height: number, room: Room): Camera {
  const hold = (at: number, size: number, space: number) =>
    Math.min(space / 2, Math.max(space / 2 - size * camera.scale, at))
  return {
    scale: camera.scale,
    x: hold(camera.x, width, room.width),
    y: hold(camera.y, height, room.height),
  }
}

/** Between two cameras, `t` from 0 to 1; sizes grow evenly to the eye. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const scale = from.scale * (to.scale / from.scale) ** t
  const mix = (a: number, b: number) => a + (b - a) * t
  return { scale, x: mix(from.x, to.x), y: mix(from.y, to.y) }
}

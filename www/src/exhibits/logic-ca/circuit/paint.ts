/** Rendering of circuit drawings on a canvas. */
import type { CanvasTheme } from '../../../lib/canvas-theme'
import type { Camera, Size } from '../../../kit/camera'
import type { Drawing, Group } from './drawing'

export interface Picture {
  now: Drawing
  /** Drawing with the signals before the current update; null if no update is animated. */
  before: Drawing | null
  /**
   * Horizontal position of the update front, in units of the drawing. Right of it the previous signals are displayed.
   */
  front: number
  /** Removed parts that fade out (null for none), opacity of removed parts, and opacity of new parts. */
  gone: Path2D | null
  goneAlpha: number
  freshAlpha: number
  /** Whether rendering the drawing takes longer than an animation frame. */
  heavy: boolean
}

interface Kept {
  drawing: Drawing
  camera: Camera
  /** Key of all other rendering parameters. */
  as: string
  surface: HTMLCanvasElement
  when: number
}

/**
 * Minimum interval between renderings of a heavy drawing while the camera moves, in milliseconds; in between the cached
 * image is transformed.
 */
const heavyInterval = 120

/** Length of the bright head of the update front, in units of the drawing. */
const head = 110

/**
 * Renders drawings on a canvas. Rendered drawings are cached as images, so that the animation of an update is cheap.
 */
export class Painter {
  /** Cached images of the last rendered drawings. */
  private kept: Kept[] = []

  constructor(private readonly context: CanvasRenderingContext2D) {}

  clear(): void {
    const { canvas } = this.context
    this.context.setTransform(1, 0, 0, 1, 0, 0)
    this.context.clearRect(0, 0, canvas.width, canvas.height)
  }

  /** Renders a picture. Returns false if a scaled cached image was drawn and another rendering should follow. */
  paint(
    ratio: number,
    camera: Camera,
    viewport: Size,
    picture: Picture,
    look: CanvasTheme,
    when: number,
  ): boolean {
    const { context } = this
    this.clear()
    const { now, before, front, gone } = picture
    if (gone && picture.goneAlpha > 0) {
      aim(context, ratio, camera)
      context.globalAlpha = 0.6 * picture.goneAlpha
      context.strokeStyle = look.lineStrong
      context.lineWidth = thin(camera) / camera.scale
      context.stroke(gone)
      context.globalAlpha = 1
    }
    if (picture.freshAlpha < 1) {
      // During a transition all parts move, so no image is cached.
      aim(context, ratio, camera)
      all(context, camera, now, picture, look)
      context.globalAlpha = 1
      return true
    }

    const kept = this.painted(now, ratio, camera, picture, look, when)
    const put = (one: Kept) => {
      const k = camera.scale / one.camera.scale
      const [x, y] = [camera.x - k * one.camera.x, camera.y - k * one.camera.y]
      context.setTransform(k, 0, 0, k, ratio * x, ratio * y)
      context.drawImage(one.surface, 0, 0)
    }
    if (!before) {
      put(kept)
      return kept.camera === camera
    }
    const at = Math.round(ratio * (front * camera.scale + camera.x))
    const { width, height } = context.canvas
    const from = this.painted(before, ratio, camera, picture, look, when)
    context.setTransform(1, 0, 0, 1, 0, 0)
    within(context, 0, 0, at, height, () => put(kept))
    within(context, at, 0, width - at, height, () => put(from))
    aim(context, ratio, camera)
    for (const length of picture.heavy ? [0.6 * head] : [head, 0.6 * head, 0.3 * head]) {
      const top = -camera.y / camera.scale
      within(context, front - length, top, length, viewport.height / camera.scale, () =>
        spark(context, camera, now, look),
      )
    }
    context.globalAlpha = 1
    return kept.camera === camera
  }

  /** Returns the cached image of a drawing; renders it in the size of the canvas if it is missing or outdated. */
  private painted(
    drawing: Drawing,
    ratio: number,
    camera: Camera,
    picture: Picture,
    look: CanvasTheme,
    when: number,
  ): Kept {
    const { width, height } = this.context.canvas
    const as = [width, height, ratio, look.theme, look.accent].join(' ')
    const known = this.kept.find((one) => one.drawing === drawing && one.as === as)
    if (known && (known.camera === camera || (picture.heavy && when - known.when < heavyInterval)))
      return known
    // At most two images are needed; the older one is reused.
    if (known) this.kept.splice(this.kept.indexOf(known), 1)
    const surface =
      known?.surface ?? (this.kept.length < 2 ? document.createElement('canvas') : this.kept.shift()!.surface)
    const context = surface.getContext('2d')!
    // Setting the size clears the canvas.
    surface.width = width
    surface.height = height
    aim(context, ratio, camera)
    all(context, camera, drawing, picture, look)
    const one = { drawing, camera, as, surface, when }
    this.kept.push(one)
    return one
  }
}

/** Sets the transform of the context so that coordinates are in units of the drawing. */
function aim(context: CanvasRenderingContext2D, ratio: number, { scale, x, y }: Camera): void {
  context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y)
  context.lineCap = 'round'
  context.lineJoin = 'round'
}

function within(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  draw: () => void,
): void {
  if (width <= 0) return
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  draw()
  context.restore()
}

/** Returns the width of a wire in pixels, which grows with the square root of the camera scale. */
function thin(camera: Camera): number {
  return Math.min(2, Math.max(0.55, 1.35 * Math.sqrt(camera.scale)))
}

function all(
  context: CanvasRenderingContext2D,
  camera: Camera,
  drawing: Drawing,
  picture: Picture,
  look: CanvasTheme,
): void {
  const unit = 1 / camera.scale
  const wire = thin(camera) * unit
  const dark = look.theme === 'dark'
  const alphaOf = (group: Group) => (group.aside ? 0.14 : 1) * (group.fresh ? picture.freshAlpha : 1)
  // Highlighted parts are drawn over all other parts, signals 1 over signals 0.
  const ranked = drawing.groups.toSorted(
    (p, q) => Number(q.aside) - Number(p.aside) || Number(p.lit) - Number(q.lit),
  )

  context.globalAlpha = 0.5
  context.strokeStyle = look.line
  context.lineWidth = Math.min(unit, 1)
  context.stroke(drawing.unread)

  for (const group of ranked) {
    context.globalAlpha = alphaOf(group) * (group.lit ? 1 : 0.55)
    context.fillStyle = group.lit ? look.accent : look.line
    context.fill(group.cells)
  }

  for (const group of ranked) {
    const alpha = alphaOf(group)
    if (group.lit && !group.aside) {
      context.strokeStyle = look.accent
      context.globalAlpha = alpha * (dark ? 0.16 : 0.1)
      context.lineWidth = wire * 4.5
      context.stroke(group.wires)
    }
    context.globalAlpha = alpha * (group.lit ? 1 : 0.8)
    context.strokeStyle = group.lit ? look.accent : look.lineStrong
    context.lineWidth = wire * (group.lit ? 1.15 : 0.9)
    context.stroke(group.wires)
  }

  for (const group of ranked) {
    const alpha = alphaOf(group)
    const stroke = group.lit ? look.accent : look.muted
    context.globalAlpha = alpha
    context.lineWidth = wire
    context.strokeStyle = group.lit ? look.accent : look.lineStrong
    context.stroke(group.lines)

    context.fillStyle = look.glass
    context.fill(group.bodies)
    if (group.lit) {
      context.globalAlpha = alpha * (dark ? 0.3 : 0.2)
      context.fillStyle = look.accent
      context.fill(group.bodies)
    }
    context.globalAlpha = alpha * (group.lit ? 1 : 0.85)
    context.strokeStyle = stroke
    context.lineWidth = wire * 1.05
    context.stroke(group.bodies)
  }

  // Over the cells of its board a wire has a halo and begins with a dot on its source cell.
  for (const group of ranked) {
    context.globalAlpha = alphaOf(group)
    context.strokeStyle = context.fillStyle = look.glass
    context.lineWidth = wire * 3.2
    context.stroke(group.pins)
    context.strokeStyle = context.fillStyle = group.lit ? look.accent : look.lineStrong
    context.lineWidth = wire
    context.stroke(group.pins)
    context.fill(group.pins)
  }
}

/** Draws the bright head of the update front on wires with signal 1. */
function spark(context: CanvasRenderingContext2D, camera: Camera, drawing: Drawing, look: CanvasTheme): void {
  const wire = thin(camera) / camera.scale
  for (const group of drawing.groups) {
    if (!group.lit || group.aside) continue
    context.globalAlpha = 0.08
    context.strokeStyle = look.accent
    context.lineWidth = wire * 7
    context.stroke(group.wires)
    context.globalAlpha = 0.45
    context.strokeStyle = look.theme === 'dark' ? look.ink : look.accent
    context.lineWidth = wire * 1.6
    context.stroke(group.wires)
  }
}

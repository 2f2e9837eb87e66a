/** Puts drawings of a circuit on a canvas. */
import type { Look } from '../../control/draw/look'
import type { Camera, Room } from './camera'
import type { Drawing, Group } from './drawing'

export interface Picture {
  now: Drawing
  /** The picture with the signals of one update earlier; null at rest. */
  before: Drawing | null
  /** How far the update has come, in units from the left; everything beyond still shows the signals before. */
  front: number
  /** What fades out, and how visible what is gone and what is new are. */
  gone: Path2D | null
  goneAlpha: number
  freshAlpha: number
}

/** Length of the bright head of an update, units. */
const head = 110

export function paint(
  context: CanvasRenderingContext2D,
  ratio: number,
  camera: Camera,
  room: Room,
  picture: Picture,
  look: Look,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, room.width, room.height)
  context.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, ratio * camera.x, ratio * camera.y)
  context.lineCap = 'round'
  context.lineJoin = 'round'

  if (picture.gone && picture.goneAlpha > 0) {
    context.globalAlpha = 0.6 * picture.goneAlpha
    context.strokeStyle = look.lineStrong
    context.lineWidth = thin(camera) / camera.scale
    context.stroke(picture.gone)
    context.globalAlpha = 1
  }

  const { before, front } = picture
  if (before) {
    const top = -camera.y / camera.scale
    const height = room.height / camera.scale
    const left = -camera.x / camera.scale
    const right = left + room.width / camera.scale
    within(context, left, top, front - left, height, () => all(context, camera, picture.now, picture, look))
    within(context, front, top, right - front, height, () => all(context, camera, before, picture, look))
    for (const length of [head, 0.6 * head, 0.3 * head]) {
      within(context, front - length, top, length, height, () => spark(context, camera, picture.now, look))
    }
  } else {
    all(context, camera, picture.now, picture, look)
  }
  context.globalAlpha = 1
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

/** Width of a wire, pixels: it grows more slowly than the picture. */
function thin(camera: Camera): number {
  return Math.min(2, Math.max(0.55, 1.35 * Math.sqrt(camera.scale)))
}

function all(
  context: CanvasRenderingContext2D,
  camera: Camera,
  drawing: Drawing,
  picture: Picture,
  look: Look,
): void {
  const unit = 1 / camera.scale
  const wire = thin(camera) * unit
  const dark = look.theme === 'dark'
  const alphaOf = (group: Group) => (group.aside ? 0.14 : 1) * (group.fresh ? picture.freshAlpha : 1)
  // What is in the light lies over what is not, what carries 1 over what carries 0.
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

  // Over the cells of its board a wire keeps clear of them, and begins with a dot on the cell that it comes from.
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

/** The bright head of an update on the wires that will carry 1. */
function spark(context: CanvasRenderingContext2D, camera: Camera, drawing: Drawing, look: Look): void {
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

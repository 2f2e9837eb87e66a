/** Names on the picture of a circuit; only as many as there is room for. */
import type { Look } from '../../control/draw/look'
import { canvasFont } from '../../control/draw/strokes'
import type { Camera, Room } from './camera'
import { gateFunctions, valueOf } from './functions'
import { gateHeight, outputSize } from './layers'
import type { Layout } from './layout'
import { channelName, type Netlist } from './netlist'
import type { Placement } from './placement'

/** From which size on gates carry their numbers. */
const numbered = 1.35

/** Height that a line of names takes, pixels. */
const line = 15

export function labels(
  context: CanvasRenderingContext2D,
  ratio: number,
  camera: Camera,
  room: Room,
  { net, layout }: { net: Netlist; layout: Layout },
  placement: Placement,
  names: readonly string[],
  look: Look,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.globalAlpha = 1
  context.font = canvasFont(12)
  context.fillStyle = look.muted
  context.textBaseline = 'middle'
  const { scale } = camera
  const down = (y: number) => y * scale + camera.y

  // Beside the boards if they leave room there; above them where the picture begins at the edge.
  const left = camera.x - 10
  const beside = left > 64
  // Of more names than can be read there is none, but how many channels there are.
  const crowded = (ys: Float32Array) => ys.length > 1 && (line * ys.length) / scale > layout.height
  let free = -Infinity
  if (crowded(placement.boardY)) {
    const text = `${placement.boardY.length} of ${net.channels} channels`
    context.textAlign = beside ? 'right' : 'left'
    context.fillText(text, beside ? left : camera.x, beside ? down(layout.height / 2) : down(0) - 10)
    free = Infinity
  }
  for (const [i, { channel, x }] of layout.boards.entries()) {
    const y = down(placement.boardY[i]!) - (beside ? 0 : 1.5 * layout.cell * scale + 9)
    if (y < free || y < -line || y > room.height + line) continue
    context.textAlign = beside ? 'right' : 'left'
    const text = channelName(channel, names)
    context.fillText(text, beside ? left : (x - 1.5 * layout.cell) * scale + camera.x, y)
    free = y + line
  }

  free = crowded(placement.outputY) ? Infinity : -Infinity
  const right = layout.width * scale + camera.x
  const beyond = room.width - right > 64
  if (free > 0) {
    const middle = beyond ? down(layout.height / 2) : down(0) - 10
    context.textAlign = beyond ? 'left' : 'right'
    context.fillText(`${net.channels} channels`, beyond ? right + 10 : right, middle)
  }
  const next = [...layout.outputs.entries()].sort(([i], [j]) => placement.outputY[i]! - placement.outputY[j]!)
  for (const [i, { channel }] of next) {
    const y = down(placement.outputY[i]!) - (beyond ? 0 : (outputSize / 2) * scale + 10)
    if (y < free || y < -line || y > room.height + line) continue
    context.textAlign = beyond ? 'left' : 'right'
    context.fillText(channelName(channel, names), beyond ? right + 10 : right, y)
    free = y + line
  }

  context.textAlign = 'center'
  if (scale * gateHeight > 14) {
    for (let g = 0; g < net.gates; g++) {
      if (gateFunctions[net.functions[g]!]!.outline !== 'constant' || Number.isNaN(placement.gateX[g]!))
        continue
      context.font = canvasFont(11 * Math.min(1.5, scale))
      const bit = String(valueOf(net.functions[g]!, 0, 0))
      context.fillText(bit, (placement.gateX[g]! + 2) * scale + camera.x, down(placement.gateY[g]!))
    }
  }
  if (scale < numbered) return
  context.font = canvasFont(11)
  for (let g = 0; g < net.gates; g++) {
    const x = placement.gateX[g]! * scale + camera.x
    const y = down(placement.gateY[g]! + gateHeight / 2 + 5)
    if (!(x > -40 && x < room.width + 40 && y > -line && y < room.height + line)) continue
    context.fillText(`g${g}`, x, y)
  }
}

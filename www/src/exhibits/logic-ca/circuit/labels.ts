/**
 * Labels of channels and gates in the drawing of a circuit; labels without enough space are shortened or omitted. The selected
 * gate has a circle.
 */
import { canvasFont, type CanvasTheme } from '../../../lib/canvas-theme'
import type { Camera, Size } from '../../../kit/camera'
import { gateFunctions, valueOf } from './functions'
import { gateHeight, gateWidth, outputSize } from './layers'
import type { Highlight } from './highlight'
import type { Layout } from './layout'
import { channelName, type Netlist } from './netlist'
import type { Placement } from './transition'

/** Minimum camera scale at which gates are labeled with their numbers. */
const numbered = 1.35

/** Radius of the circle around the selected gate, in units of the drawing. */
const circle = gateWidth / 2 + 4

/** Line height of labels in pixels. */
const line = 15

export function labels(
  context: CanvasRenderingContext2D,
  ratio: number,
  camera: Camera,
  viewport: Size,
  { net, layout }: { net: Netlist; layout: Layout },
  placement: Placement,
  names: readonly string[],
  light: Highlight | null,
  look: CanvasTheme,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.globalAlpha = 1
  context.font = canvasFont(12)
  context.fillStyle = look.muted
  context.textBaseline = 'middle'
  const { scale } = camera
  const down = (y: number) => y * scale + camera.y

  // Labels beside boards and outputs; they contain only the channel number if there is little space.
  const left = camera.x - 10
  const nameFor = (space: number, channel: number) => {
    const name = channelName(channel, names)
    return context.measureText(name).width < space - 6 ? name : String(channel)
  }

  // If the labels would overlap, only the number of channels is shown.
  const crowded = (ys: Float32Array) => ys.length > 1 && (line * ys.length) / scale > layout.height
  const middle = down(layout.height / 2)
  let free = -Infinity
  context.textAlign = 'right'
  if (crowded(placement.boardY)) {
    context.fillText(left > 64 ? `${placement.boardY.length} channels` : '', left, middle)
    free = Infinity
  }
  for (const [i, { channel }] of layout.boards.entries()) {
    const y = down(placement.boardY[i]!)
    if (y < free || y < -line || y > viewport.height + line) continue
    context.fillText(nameFor(left, channel), left, y)
    free = y + line
  }

  const right = ((placement.outputX[0] ?? layout.width) + outputSize / 2) * scale + camera.x + 10
  const beyond = viewport.width - right
  free = -Infinity
  context.textAlign = 'left'
  if (crowded(placement.outputY)) {
    context.fillText(beyond > 64 ? `${net.channels} channels` : '', right, middle)
    free = Infinity
  }
  const downwards = [...layout.outputs.entries()].sort(
    ([i], [j]) => placement.outputY[i]! - placement.outputY[j]!,
  )
  for (const [i, { channel }] of downwards) {
    const y = down(placement.outputY[i]!)
    if (y < free || y < -line || y > viewport.height + line) continue
    context.fillText(nameFor(beyond, channel), right, y)
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
  const own = light ? light.value - net.inputs : -1
  // The details of the selected gate name its inputs.
  const named = new Set(
    own < 0 ? [] : [own, ...[net.a[own]!, net.b[own]!].map((value) => value - net.inputs)],
  )
  for (let g = 0; g < net.gates; g++) {
    if (scale < numbered && !named.has(g)) continue
    const x = placement.gateX[g]! * scale + camera.x
    const below = g === own ? circle : gateHeight / 2
    const y = down(placement.gateY[g]! + below) + Math.max(9, 5 * scale)
    if (!(x > -40 && x < viewport.width + 40 && y > -line && y < viewport.height + line)) continue
    context.font = canvasFont(named.has(g) ? 12 : 11)
    context.fillStyle = named.has(g) ? look.ink : look.muted
    context.fillText(`g${g}`, x, y)
  }
  if (own < 0 || Number.isNaN(placement.gateX[own]!)) return
  context.beginPath()
  context.arc(
    placement.gateX[own]! * scale + camera.x,
    down(placement.gateY[own]!),
    circle * scale,
    0,
    2 * Math.PI,
  )
  context.strokeStyle = look.ink
  context.lineWidth = 1.5
  context.stroke()
}

/** Heat maps with the trajectory of the focused environment. */
import { fillWords } from '../../../charts/heat-map'
import { pixelRatio } from '../../../kit/canvas'
import type { DimensionInfo } from '../../../engine/page/session'
import type { ControlFrame } from './frame'
import type { CanvasTheme } from '../../../lib/canvas-theme'

/** Length of the trajectory, in frames. */
const trailLength = 48

/** Recent positions of an environment on a map, 0 to 1 on each axis, y upward. */
export class Trail {
  readonly points: { x: number; y: number; joined: boolean }[] = []
  private age = -1
  private member = -1

  constructor(
    private readonly xDim: number,
    private readonly yDim: number,
    private readonly xRange: Pick<DimensionInfo, 'low' | 'high' | 'angle'>,
    private readonly yRange: Pick<DimensionInfo, 'low' | 'high' | 'angle'>,
  ) {}

  follow(frame: Pick<ControlFrame, 'state' | 'dims' | 'ages'>, member: number): void {
    const restarted = member !== this.member || frame.ages[member]! < this.age
    this.member = member
    this.age = frame.ages[member]!
    if (restarted) this.points.length = 0
    const place = (dim: number, { low, high }: { low: number; high: number }) => {
      const value = frame.state[member * frame.dims + dim] ?? 0
      return Math.max(0, Math.min(1, (value - low) / (high - low)))
    }
    const [x, y] = [place(this.xDim, this.xRange), place(this.yDim, this.yRange)]
    const before = this.points.at(-1)
    // No line is drawn where an angle wraps around.
    const joined = before !== undefined && Math.abs(before.x - x) < 0.5 && Math.abs(before.y - y) < 0.5
    this.points.push({ x, y, joined })
    if (this.points.length > trailLength) this.points.shift()
  }
}

interface Buffer {
  small: HTMLCanvasElement
  image: ImageData
  words: Uint32Array
  /** Values that were painted last. */
  values: Float32Array | null
  colors: Uint32Array | null
}

const buffers = new WeakMap<CanvasRenderingContext2D, Buffer>()

/**
 * Returns the mean value of a map at its top and bottom edges (`ends`) and at its left and right edges (`sides`), each in the
 * middle third of the edge, without the corners.
 */
export function edgesOf(values: Float32Array, size: number): { ends: number; sides: number } {
  const [from, to] = [Math.floor(size / 3), Math.ceil((2 * size) / 3)]
  const sum = { ends: 0, sides: 0 }
  for (let i = from; i < to; i++) {
    sum.ends += values[i]! + values[(size - 1) * size + i]!
    sum.sides += values[i * size]! + values[i * size + size - 1]!
  }
  const count = 2 * (to - from)
  return { ends: sum.ends / count, sides: sum.sides / count }
}

/** Returns the differences between the mean values of opposite edges of a map: of bottom and top (`ends`), of left and right. */
export function slopesOf(values: Float32Array, size: number): { ends: number; sides: number } {
  const difference = { ends: 0, sides: 0 }
  for (let i = 0; i < size; i++) {
    difference.ends += values[(size - 1) * size + i]! - values[i]!
    difference.sides += values[i * size + size - 1]! - values[i * size]!
  }
  return { ends: Math.abs(difference.ends) / size, sides: Math.abs(difference.sides) / size }
}

/** Returns the mean probability of the preferred one of two actions. `values`: differences of their probabilities. */
export const certaintyOf = (values: Float32Array): number =>
  values.reduce((sum, value) => sum + (1 + Math.abs(value)) / 2, 0) / values.length

/** Paints a map and the trajectory. Rows are flipped, since row 0 of `values` has the lowest y. */
export function paintMap(
  context: CanvasRenderingContext2D,
  values: Float32Array,
  size: number,
  colors: Uint32Array,
  [low, high]: readonly [number, number],
  trail: Trail,
  look: CanvasTheme,
): void {
  const { canvas } = context
  const ratio = pixelRatio()
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio)
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio)

  const made = buffer(context, size)
  const { small } = made
  // The trajectory changes with every frame, the map does not.
  if (made.values !== values || made.colors !== colors) {
    fillWords(made.words, values, size, colors, low, high)
    small.getContext('2d')!.putImageData(made.image, 0, 0)
    made.values = values
    made.colors = colors
  }
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.imageSmoothingEnabled = true
  context.imageSmoothingQuality = 'high'
  context.drawImage(small, 0, 0, canvas.width, canvas.height)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  paintTrail(context, trail, width, height, look)
}

function buffer(context: CanvasRenderingContext2D, size: number): Buffer {
  let made = buffers.get(context)
  if (!made || made.image.width !== size) {
    const small = document.createElement('canvas')
    small.width = small.height = size
    const image = new ImageData(size, size)
    made = { small, image, words: new Uint32Array(image.data.buffer), values: null, colors: null }
    buffers.set(context, made)
  }
  return made
}

function paintTrail(
  context: CanvasRenderingContext2D,
  trail: Trail,
  width: number,
  height: number,
  look: CanvasTheme,
): void {
  const { points } = trail
  context.lineWidth = 1.5
  context.strokeStyle = look.ink
  context.lineCap = 'round'
  const parts = 4
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part / parts) * points.length)
    const to = Math.floor(((part + 1) / parts) * points.length)
    context.globalAlpha = 0.15 + (0.6 * part) / parts
    context.beginPath()
    for (let i = Math.max(1, from); i < to; i++) {
      if (!points[i]!.joined) continue
      context.moveTo(points[i - 1]!.x * width, (1 - points[i - 1]!.y) * height)
      context.lineTo(points[i]!.x * width, (1 - points[i]!.y) * height)
    }
    context.stroke()
  }
  context.globalAlpha = 1
  const here = points.at(-1)
  if (!here) return
  context.beginPath()
  context.arc(here.x * width, (1 - here.y) * height, 5, 0, 2 * Math.PI)
  context.fillStyle = look.glass
  context.fill()
  context.lineWidth = 2
  context.stroke()
}

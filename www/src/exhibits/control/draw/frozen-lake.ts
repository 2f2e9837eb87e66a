/** FrozenLake: one board with the agents of the preview on their tiles, brighter nearer to the goal. */
import { canvasFont, type CanvasTheme } from '../../../lib/canvas-theme'
import { random } from '../../../lib/random'
import { distances, tilesOf, type Tile } from './lake'
import { Places, type Bounds, type Scene, type Size, type Stage, type SceneOf } from './scene'
import { Buckets, dot, ring } from './strokes'

/** Label of each kind of tile, at the top of the tile; ice has none. */
const labels: Partial<Record<Tile, string>> = { S: 'Start', H: 'Hole', G: 'Goal' }

/** Part of a tile below its label, as fractions of the tile: the area of holes and agents. */
const below = { top: 0.3, height: 0.6 }

export class FrozenLakeScene implements Scene {
  private size: Size = { width: 1, height: 1, top: 0 }
  private places = new Places(1)
  /** Offset of each agent from the top left corner of its tile, as a fraction of the tile. */
  private offsets: { x: number; y: number }[] = []
  private readonly buckets = new Buckets()

  /** `map` returns the present map. */
  constructor(private readonly map: () => string) {}

  layout(size: Size, members: number): void {
    this.size = size
    this.places = new Places(members)
    const next = random(3)
    this.offsets = Array.from({ length: members }, () => ({
      x: 0.15 + 0.7 * next(),
      y: below.top + below.height * next(),
    }))
  }

  /** Returns the board's left and top edge and the width of a tile. */
  private board(side: number): { left: number; top: number; tile: number } {
    const { width, height, top } = this.size
    const whole = Math.min(width - 32, height - top - 24)
    return { left: (width - whole) / 2, top: top + (height - top - whole) / 2, tile: whole / side }
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const map = this.map()
    const tiles = tilesOf(map)
    const side = Math.sqrt(tiles.length)
    const { left, top, tile } = this.board(side)
    const gap = Math.max(1, tile * 0.03)
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.font = canvasFont(Math.max(10, tile * 0.18))
    for (const [index, kind] of tiles.entries()) {
      const [x, y] = [left + (index % side) * tile, top + Math.floor(index / side) * tile]
      context.beginPath()
      context.roundRect(x + gap, y + gap, tile - 2 * gap, tile - 2 * gap, tile * 0.08)
      context.fillStyle = look.glassFar
      context.fill()
      context.strokeStyle = kind === 'G' ? look.accent : look.line
      context.lineWidth = kind === 'G' ? 3 : 1
      context.stroke()
      if (kind === 'H') {
        context.beginPath()
        dot(context, x + tile / 2, y + (below.top + below.height / 2) * tile, (below.height / 2) * tile)
        context.fillStyle = look.lineStrong
        context.fill()
      }
      context.fillStyle = kind === 'G' ? look.accent : look.muted
      context.fillText(labels[kind] ?? '', x + tile / 2, y + tile * 0.16, tile * 0.8)
    }
    const far = distances(map)
    const most = Math.max(1, ...far.filter(Number.isFinite))
    const quality = new Float32Array(stage.members)
    for (let m = 0; m < stage.members; m++) {
      const [column, row] = [stage.state[m * stage.dims]!, stage.state[m * stage.dims + 1]!]
      const { x, y } = this.offsets[m]!
      this.places.xs[m] = left + (column + x) * tile
      this.places.ys[m] = top + (row + y) * tile
      const moves = far[Math.round(row) * side + Math.round(column)] ?? Infinity
      quality[m] = Math.max(0, 1 - moves / most)
    }
    const radius = Math.max(2, tile * 0.035)
    const { xs, ys } = this.places
    this.buckets.sort(quality)
    this.buckets.fill(context, look.quality, (m) => dot(context, xs[m]!, ys[m]!, radius))
    context.beginPath()
    dot(context, xs[stage.focus]!, ys[stage.focus]!, radius * 1.8)
    context.fillStyle = look.accent
    context.fill()
    ring(context, xs[stage.focus]!, ys[stage.focus]!, radius * 1.8 + 3, look.ink)
  }

  home(): number {
    return 0
  }

  pick(x: number, y: number): number | null {
    return this.places.nearest(x, y, 30)
  }

  neighbor(member: number, dx: number, dy: number): number {
    return this.places.neighbor(member, dx, dy)
  }

  /** Returns an empty area: nothing pushes an agent. */
  grip(): Bounds {
    return { x: -1, y: -1, width: 0, height: 0 }
  }

  pull(): number {
    return 0
  }
}

export const scene: SceneOf = (world) => new FrozenLakeScene(() => String(world('map') ?? 'S'))

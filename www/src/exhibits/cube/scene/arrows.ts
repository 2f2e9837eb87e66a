/** Arrows around the turnable faces; the width shows the network's value of the turn. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three'
import { faceFrames } from '../model/stickers'
import type { Turn } from '../model/turns'
import { half } from './ray'

export interface Arrow {
  turn: Turn
  /** Weight of the turn, 0 to 1, which determines the width of the arrow. */
  weight: number
  /** Whether this is the greedy move. */
  best: boolean
  /** Whether the arrow is highlighted. */
  pointed: boolean
}

export interface ArrowLook {
  best: string
  other: string
  /** Color of the outline. */
  rim: string
}

const pieces = 32
/** Vertices of an arrow: two for each step, and three of the head. */
const points = 2 * (pieces + 1) + 3
/** Radius of an arrow's arc, and height of the arrow above the face. */
const radius = 1
const height = 0.12
/** Width of the dark outline that separates an arrow from the colors below. */
const rim = 0.035
/** Start and end of the shaft of a clockwise arrow, in radians counter-clockwise from the right. */
const begin = 1.38
const end = -0.95

/**
 * Returns the vertices of an arrow on a face with normal z: a shaft that widens towards its head. Clockwise arrows
 * are on the right of the face, counter-clockwise ones on the left; both point down. `rim` enlarges the arrow on all
 * sides.
 */
export function arc(weight: number, clockwise: boolean, rim = 0): Float32Array {
  const width = 0.07 + 0.2 * weight
  const across = width / 2 + 0.07 + 0.11 * weight
  const head = 0.2 + 0.24 * weight
  const mirror = clockwise ? 1 : -1
  const out = new Float32Array(3 * points)
  const put = (i: number, angle: number, r: number) =>
    out.set([mirror * r * Math.cos(angle), r * Math.sin(angle), 0], 3 * i)
  for (let i = 0; i <= pieces; i++) {
    const t = i / pieces
    const angle = begin + rim + t * (end - begin - rim)
    const w = (width / 2) * (0.35 + 0.65 * t) + rim
    put(2 * i, angle, radius - w)
    put(2 * i + 1, angle, radius + w)
  }
  // The sides of the head are oblique, so its corners need a wider margin.
  put(points - 3, end + rim, radius - across - 2.2 * rim)
  put(points - 2, end + rim, radius + across + 2.2 * rim)
  put(points - 1, end - head - 1.9 * rim, radius)
  return out
}

const triangles = [
  ...Array.from({ length: pieces }, (_, i) => [0, 1, 2, 2, 1, 3].map((k) => 2 * i + k)).flat(),
  points - 3,
  points - 2,
  points - 1,
]

type Ribbon = Mesh<BufferGeometry, MeshBasicMaterial>

interface Drawn {
  ribbon: Ribbon
  rim: Ribbon
  weight: number
  wanted: number
  clockwise: boolean
}

export class Arrows {
  readonly root = new Group()
  private readonly drawn = new Map<string, Drawn>()
  private look: ArrowLook = { best: '#fff', other: '#888', rim: '#000' }
  private list: readonly Arrow[] = []

  get visible(): boolean {
    return this.root.visible
  }

  /** Hidden arrows grow from zero when they are shown again, so that no arrow of an earlier state fades out on a new one. */
  set visible(visible: boolean) {
    if (this.visible && !visible)
      for (const drawn of this.drawn.values()) {
        drawn.weight = 0
        this.place(drawn)
      }
    this.root.visible = visible
  }

  show(list: readonly Arrow[]): void {
    this.list = list
    for (const drawn of this.drawn.values()) drawn.wanted = 0
    for (const arrow of list) this.of(arrow.turn).wanted = arrow.weight
    this.color()
  }

  theme(look: ArrowLook): void {
    this.look = look
    this.color()
  }

  /** Animates the weights. Returns whether any arrow changed. `atOnce` skips the animation. */
  advance(seconds: number, atOnce: boolean): boolean {
    if (!this.visible) return false
    let moves = false
    for (const drawn of this.drawn.values()) {
      const far = drawn.wanted - drawn.weight
      if (far === 0) continue
      const near = Math.abs(far) < 0.004 || atOnce
      drawn.weight = near ? drawn.wanted : drawn.weight + far * (1 - Math.exp(-seconds * 12))
      moves = true
      this.place(drawn)
    }
    return moves
  }

  dispose(): void {
    for (const { ribbon, rim } of this.drawn.values())
      for (const { geometry, material } of [ribbon, rim]) {
        geometry.dispose()
        material.dispose()
      }
  }

  private of(turn: Turn): Drawn {
    const key = `${turn.face}${turn.quarters}`
    const known = this.drawn.get(key)
    if (known) return known
    const [below, above] = [ribbonOn(turn, height), ribbonOn(turn, height + 0.012)]
    this.root.add(below, above)
    const drawn = { rim: below, ribbon: above, weight: 0, wanted: 0, clockwise: turn.quarters !== 3 }
    below.renderOrder = 1
    above.renderOrder = 2
    this.drawn.set(key, drawn)
    this.place(drawn)
    return drawn
  }

  private place({ ribbon, rim: below, weight, clockwise }: Drawn): void {
    for (const [mesh, grown] of [
      [ribbon, 0],
      [below, rim],
    ] as const) {
      const position = mesh.geometry.getAttribute('position') as BufferAttribute
      position.copyArray(arc(weight, clockwise, grown))
      position.needsUpdate = true
      mesh.visible = weight > 0.001
    }
  }

  private color(): void {
    for (const { turn, weight, best, pointed } of this.list) {
      const { ribbon, rim } = this.of(turn)
      ribbon.material.color = new Color(best || pointed ? this.look.best : this.look.other)
      ribbon.material.opacity = best || pointed ? 1 : 0.5 + 0.45 * weight
      rim.material.color = new Color(this.look.rim)
      rim.material.opacity = best || pointed ? 0.9 : 0.3 + 0.5 * weight
    }
  }
}

function ribbonOn({ face }: Turn, high: number): Ribbon {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * points), 3))
  geometry.setIndex(triangles)
  const mesh = new Mesh(
    geometry,
    new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthWrite: false }),
  )
  mesh.frustumCulled = false
  mesh.matrixAutoUpdate = false
  const { right, down, normal } = faceFrames[face]
  const out = new Vector3(...normal)
  mesh.matrix
    .makeBasis(new Vector3(...right), new Vector3(...down).negate(), out)
    .setPosition(out.clone().multiplyScalar(half + high))
  return mesh
}

/** Pieces of the cube: bodies in fixed positions, and stickers that are recolored after every turn. */
import {
  CanvasTexture,
  ExtrudeGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  PlaneGeometry,
  Quaternion,
  Shape,
  SRGBColorSpace,
  Vector3,
  type BufferGeometry,
} from 'three'
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js'
import type { Theme } from '../../../lib/color'
import { faceFrames, inLayers, stickersOf, type Layers, type Vector } from '../model/stickers'
import { faces, isFace, type Face, type Size } from '../model/turns'
import { bare, body, colors, marks } from './colors'
import { side } from './ray'

/** Scale of a piece, which leaves a gap between layers. */
const snug = 0.985
/** Size and corner radius of a sticker as fractions of a piece's edge. */
const label = 0.82
const rounding = 0.14

interface Cubie {
  group: Group
  home: Vector3
  piece: Vector
}

export class Cubies {
  readonly root = new Group()
  private readonly cubies = new Map<string, Cubie>()
  private readonly stickers: Mesh<BufferGeometry, MeshLambertMaterial>[] = []
  private readonly marks: Mesh<BufferGeometry, MeshBasicMaterial>[] = []
  private readonly body = new MeshPhongMaterial({ specular: '#3d4648', shininess: 24 })
  private readonly paints: Record<string, MeshLambertMaterial> = {}
  private readonly signs: Record<string, MeshBasicMaterial> = {}
  private readonly geometries: BufferGeometry[]

  constructor(private readonly size: Size) {
    const edge = side(size)
    const box = new RoundedBoxGeometry(edge * snug, edge * snug, edge * snug, 3, edge * 0.1)
    const sticker = tile(edge * label, edge * rounding, edge * 0.02)
    const sign = new PlaneGeometry(edge * label, edge * label)
    this.geometries = [box, sticker, sign]
    for (const letter of [...faces, '-']) this.paints[letter] = paint(letter)
    for (const face of faces) this.signs[face] = signOf(face)

    for (const { piece, normal, face } of stickersOf(size)) {
      const { group } = this.cubie(piece, box)
      const out = new Vector3(...normal)
      const { right, down } = faceFrames[face]
      const upright = new Quaternion().setFromRotationMatrix(basis(right, down, normal))
      const mesh = new Mesh(sticker, this.paints['-'])
      mesh.quaternion.copy(upright)
      mesh.position.copy(out).multiplyScalar((edge * snug) / 2 - edge * 0.006)
      const mark = new Mesh(sign, this.signs.U)
      mark.quaternion.copy(upright)
      mark.position.copy(out).multiplyScalar((edge * snug) / 2 + edge * 0.03)
      mark.visible = false
      group.add(mesh, mark)
      this.stickers.push(mesh)
      this.marks.push(mark)
    }
  }

  /** Sets the colors by face letters; other characters mean no color. */
  paint(letters: string, marked: boolean): void {
    this.stickers.forEach((sticker, i) => {
      const letter = letters[i]
      sticker.material = this.paints[isFace(letter) ? letter : '-']!
      const mark = this.marks[i]!
      mark.visible = marked && isFace(letter)
      if (isFace(letter)) mark.material = this.signs[letter]!
    })
  }

  /** Rotates layers by an angle in radians counter-clockwise; resets all others. */
  layer(layer: Layers | null, angle: number): void {
    const about = new Vector3(...(layer?.axis ?? [0, 1, 0]))
    for (const { group, home, piece } of this.cubies.values()) {
      const on = layer !== null && inLayers(piece, layer)
      group.quaternion.setFromAxisAngle(about, on ? angle : 0)
      group.position.copy(home).applyQuaternion(group.quaternion)
    }
  }

  theme(theme: Theme): void {
    this.body.color.set(body[theme])
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry.dispose()
    for (const material of [this.body, ...Object.values(this.paints)]) material.dispose()
    for (const sign of Object.values(this.signs)) {
      sign.map?.dispose()
      sign.dispose()
    }
  }

  private cubie(piece: Vector, box: BufferGeometry): Cubie {
    const known = this.cubies.get(piece.join())
    if (known) return known
    const home = new Vector3(...piece).multiplyScalar(side(this.size) / 2)
    const cubie = { group: new Group(), home, piece }
    cubie.group.add(new Mesh(box, this.body))
    cubie.group.position.copy(home)
    this.cubies.set(piece.join(), cubie)
    this.root.add(cubie.group)
    return cubie
  }
}

/** Returns the rotation that maps the xy plane to a face. */
function basis(right: Vector, down: Vector, normal: Vector): Matrix4 {
  const up = new Vector3(...down).negate()
  return new Matrix4().makeBasis(new Vector3(...right), up, new Vector3(...normal))
}

/** Returns a flat tile with rounded corners and a beveled edge. */
function tile(width: number, radius: number, thick: number): BufferGeometry {
  const [w, r] = [width / 2, radius]
  const shape = new Shape()
  shape.moveTo(-w + r, -w)
  shape.lineTo(w - r, -w)
  shape.absarc(w - r, -w + r, r, -Math.PI / 2, 0)
  shape.lineTo(w, w - r)
  shape.absarc(w - r, w - r, r, 0, Math.PI / 2)
  shape.lineTo(-w + r, w)
  shape.absarc(-w + r, w - r, r, Math.PI / 2, Math.PI)
  shape.lineTo(-w, -w + r)
  shape.absarc(-w + r, -w + r, r, Math.PI, 1.5 * Math.PI)
  const bevel = thick * 0.6
  return new ExtrudeGeometry(shape, {
    depth: thick * 0.4,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelSegments: 2,
    curveSegments: 5,
  })
}

function paint(letter: string): MeshLambertMaterial {
  const color = isFace(letter) ? colors[letter].fill : bare
  return new MeshLambertMaterial({ color })
}

function signOf(face: Face): MeshBasicMaterial {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const context = canvas.getContext('2d')!
  context.setTransform(64, 0, 0, 64, 64, 64)
  context.fillStyle = colors[face].mark
  context.fill(new Path2D(marks[face]))
  const map = new CanvasTexture(canvas)
  map.colorSpace = SRGBColorSpace
  map.anisotropy = 4
  return new MeshBasicMaterial({ map, transparent: true, depthWrite: false })
}

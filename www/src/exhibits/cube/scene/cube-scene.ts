/** WebGL scene of the cube, rendered on demand. */
import { pixelRatio } from '../../../kit/canvas'
import {
  AmbientLight,
  CanvasTexture,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Theme } from '../../../lib/color'
import { faceFrames, stickersOf, type Layers, type Vector } from '../model/stickers'
import type { Size } from '../model/turns'
import { Arrows, type Arrow, type ArrowLook } from './arrows'
import { Cubies } from './cubies'
import { meet } from './ray'

/** View angles in radians: about the vertical axis and about the horizontal screen axis. */
export interface View {
  yaw: number
  pitch: number
}

export const home: View = { yaw: -0.62, pitch: 0.5 }
/** Maximum pitch; below 90° so that left and right never swap. */
const steepest = 1.35

export class CubeScene {
  view: View = { ...home }
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly camera = new PerspectiveCamera(26, 1, 1, 60)
  private readonly held = new Group()
  private readonly cubies: Cubies
  private readonly arrows = new Arrows()
  private readonly shadow: Mesh<PlaneGeometry, MeshBasicMaterial>
  private width = 1
  private height = 1

  /** Throws if WebGL is not available. */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly size: Size,
  ) {
    // The buffer is preserved because the export reads it between two renderings.
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true })
    this.cubies = new Cubies(size)
    this.held.add(this.cubies.root, this.arrows.root)
    this.shadow = shadow()
    const key = new DirectionalLight('#fffaf2', 2)
    key.position.set(-3, 5.5, 7)
    const rim = new DirectionalLight('#e4edff', 1.1)
    rim.position.set(7, 1.5, 4)
    this.scene.add(
      new HemisphereLight('#ffffff', '#a9b2b4', 1),
      new AmbientLight('#ffffff', 0.75),
      key,
      rim,
      this.held,
      this.shadow,
    )
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width)
    this.height = Math.max(1, height)
    this.renderer.setPixelRatio(pixelRatio())
    this.renderer.setSize(this.width, this.height, false)
    this.camera.aspect = this.width / this.height
    // The cube and its arrows fit in any rotation.
    const reach = 2.72
    const tight = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect)
    this.camera.position.set(0, 0.1, reach / tight)
    this.camera.lookAt(0, -0.06, 0)
    this.camera.updateProjectionMatrix()
  }

  theme(theme: Theme, look: ArrowLook): void {
    this.cubies.theme(theme)
    this.arrows.theme(look)
    this.shadow.material.opacity = theme === 'dark' ? 0.62 : 0.3
  }

  paint(letters: string, marked: boolean): void {
    this.cubies.paint(letters, marked)
  }

  /** Rotates layers by an angle in radians counter-clockwise; null resets all layers. */
  layer(layer: Layers | null, angle: number): void {
    this.cubies.layer(layer, angle)
  }

  /** Resets the camera. */
  home(): void {
    this.view = { ...home }
  }

  /** Whether the view differs from the initial one. */
  get away(): boolean {
    const { yaw, pitch } = this.view
    return Math.hypot(yaw - home.yaw, pitch - home.pitch) > 0.02
  }

  orbit(right: number, down: number): void {
    const reach = Math.min(this.width, this.height)
    const turn = 2 * Math.PI
    this.view.yaw = (this.view.yaw + (right / reach) * 2.6) % turn
    this.view.pitch = Math.max(-steepest, Math.min(steepest, this.view.pitch + (down / reach) * 2.6))
  }

  show(arrows: readonly Arrow[]): void {
    this.arrows.show(arrows)
  }

  /** Shows or hides the arrows. */
  showArrows(visible: boolean): void {
    this.arrows.visible = visible
  }

  /** Advances the arrows. Returns whether anything changed. */
  advance(seconds: number, atOnce: boolean): boolean {
    return this.arrows.advance(seconds, atOnce)
  }

  render(): void {
    this.place()
    this.renderer.render(this.scene, this.camera)
  }

  /** Returns the index of the sticker at a point of the canvas, and the position on the cube. */
  sticker(x: number, y: number): { sticker: number; at: Vector } | null {
    this.place()
    this.camera.updateMatrixWorld()
    const to = new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5).unproject(this.camera)
    const from = this.held.worldToLocal(this.camera.position.clone())
    const direction = this.held.worldToLocal(to).sub(from)
    return meet(this.size, from.toArray(), direction.toArray())
  }

  /** Returns the projection of a unit step in a direction from a position on the cube, in pixels. */
  picture(at: Vector, direction: Vector): [number, number] {
    this.place()
    const small = 0.05
    const on = (step: number) => {
      const moved = new Vector3(...at).addScaledVector(new Vector3(...direction), step)
      const { x, y } = this.held.localToWorld(moved).project(this.camera)
      return [(x * this.width) / 2, (-y * this.height) / 2] as const
    }
    const [a, b] = [on(-small), on(small)]
    return [(b[0] - a[0]) / (2 * small), (b[1] - a[1]) / (2 * small)]
  }

  /** Returns the center of a sticker on the canvas, and whether the sticker faces the viewer. */
  middle(sticker: number): { x: number; y: number; seen: boolean } {
    const { piece, normal } = stickersOf(this.size)[sticker]!
    const unit = 1.5 / this.size
    const at = new Vector3(...piece).multiplyScalar(unit).addScaledVector(new Vector3(...normal), unit)
    this.place()
    const world = this.held.localToWorld(at.clone())
    const out = new Vector3(...normal).applyQuaternion(this.held.quaternion)
    const seen = out.dot(this.camera.position.clone().sub(world)) > 0
    const { x, y } = world.project(this.camera)
    return { x: ((x + 1) * this.width) / 2, y: ((1 - y) * this.height) / 2, seen }
  }

  dispose(): void {
    this.cubies.dispose()
    this.arrows.dispose()
    this.shadow.geometry.dispose()
    this.shadow.material.map?.dispose()
    this.shadow.material.dispose()
    this.renderer.dispose()
  }

  private place(): void {
    const about = (axis: Vector, angle: number) =>
      new Quaternion().setFromAxisAngle(new Vector3(...axis), angle)
    this.held.quaternion
      .copy(about(faceFrames.R.normal, this.view.pitch))
      .multiply(about(faceFrames.U.normal, this.view.yaw))
    this.held.updateMatrixWorld()
  }
}

/** Creates the shadow below the cube. */
function shadow(): Mesh<PlaneGeometry, MeshBasicMaterial> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const context = canvas.getContext('2d')!
  const shade = context.createRadialGradient(64, 64, 4, 64, 64, 64)
  for (const [at, alpha] of [
    [0, 0.95],
    [0.35, 0.7],
    [0.7, 0.2],
    [1, 0],
  ] as const)
    shade.addColorStop(at, `rgb(0 0 0 / ${alpha})`)
  context.fillStyle = shade
  context.fillRect(0, 0, 128, 128)
  const material = new MeshBasicMaterial({
    map: new CanvasTexture(canvas),
    transparent: true,
    depthWrite: false,
  })
  const mesh = new Mesh(new PlaneGeometry(6.4, 1.5), material)
  mesh.position.set(0, -2.5, -0.4)
  mesh.renderOrder = -1
  return mesh
}

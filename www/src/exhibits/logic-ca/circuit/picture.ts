/** Export of the drawn circuit as PNG. */
import type { CanvasTheme } from '../../../lib/canvas-theme'
import type { Camera, Size } from '../../../kit/camera'
import { detailAt, drawing } from './drawing'
import { labels } from './labels'
import type { Highlight } from './highlight'
import { Painter } from './paint'
import { restPlacement } from './transition'
import type { CircuitScene } from './circuit-scene'

/** Width of the image in pixels, enough for print. */
const width = 2560

export interface View {
  shown: CircuitScene
  signals: Uint8Array | null
  light: Highlight | null
  camera: Camera
  viewport: Size
  look: CanvasTheme
  channelNames: readonly string[]
}

/** Renders the visible part as a PNG file; null if the browser cannot encode it. */
export async function png(view: View): Promise<Uint8Array<ArrayBuffer> | null> {
  const { shown, signals, light, camera, viewport, look } = view
  const { net, layout } = shown
  const ratio = width / viewport.width
  const surface = () => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = Math.round(viewport.height * ratio)
    return canvas.getContext('2d')!
  }
  const [front, back] = [surface(), surface()]
  const placement = restPlacement(layout)
  const now = drawing({ net, layout, placement, signals, light }, detailAt(camera.scale * ratio, layout))
  const picture = { now, before: null, front: 0, gone: null, goneAlpha: 0, freshAlpha: 1, heavy: false }
  new Painter(front).paint(ratio, camera, viewport, picture, look, 0)
  labels(front, ratio, camera, viewport, shown, placement, view.channelNames, light, look)
  back.fillStyle = look.glass
  back.fillRect(0, 0, back.canvas.width, back.canvas.height)
  back.drawImage(front.canvas, 0, 0)
  const blob = await new Promise<Blob | null>((done) => back.canvas.toBlob(done, 'image/png'))
  return blob && new Uint8Array(await blob.arrayBuffer())
}

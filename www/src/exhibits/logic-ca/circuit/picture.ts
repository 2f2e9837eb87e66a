/** A circuit as a picture file. */
import type { Look } from '../../../lib/look'
import type { Camera, Room } from './camera'
import { detailAt, drawing } from './drawing'
import { labels } from './labels'
import type { Light } from './light'
import { Painter } from './paint'
import { atRest } from './placement'
import type { Shown } from './shown'

/** Pixels across: enough to print. */
const width = 2560

export interface View {
  shown: Shown
  signals: Uint8Array | null
  light: Light | null
  camera: Camera
  room: Room
  look: Look
  channelNames: readonly string[]
}

/** What is in view, as a PNG file; null where the browser makes none. */
export async function png(view: View): Promise<Uint8Array<ArrayBuffer> | null> {
  const { shown, signals, light, camera, room, look } = view
  const { net, layout } = shown
  const ratio = width / room.width
  const surface = () => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = Math.round(room.height * ratio)
    return canvas.getContext('2d')!
  }
  const [front, back] = [surface(), surface()]
  const placement = atRest(layout)
  const now = drawing({ net, layout, placement, signals, light }, detailAt(camera.scale * ratio, layout))
  const picture = { now, before: null, front: 0, gone: null, goneAlpha: 0, freshAlpha: 1, heavy: false }
  new Painter(front).paint(ratio, camera, room, picture, look, 0)
  labels(front, ratio, camera, room, shown, placement, view.channelNames, look)
  back.fillStyle = look.glass
  back.fillRect(0, 0, back.canvas.width, back.canvas.height)
  back.drawImage(front.canvas, 0, 0)
  const blob = await new Promise<Blob | null>((done) => back.canvas.toBlob(done, 'image/png'))
  return blob && new Uint8Array(await blob.arrayBuffer())
}

/** Recording of a live view, or of an SVG drawing, as a video. */
import { svgImage, type SvgPicture } from '../../../charts/snapshot'
import { everyFrame } from '../../../kit/canvas'
import { toasts } from '../../../state/toasts.svelte'
import { seekable } from './webm'

/** A file format of videos. */
export interface VideoType {
  /** Name of the format, such as “WebM”. */
  name: string
  /** MIME type with the codec, as MediaRecorder requires it. */
  mime: string
  /** Ending of the file name. */
  ending: string
}

const types: readonly VideoType[] = [
  { name: 'WebM', mime: 'video/webm;codecs=vp9', ending: 'webm' },
  { name: 'WebM', mime: 'video/webm;codecs=vp8', ending: 'webm' },
  { name: 'MP4', mime: 'video/mp4', ending: 'mp4' },
]

/** Returns the first format that the browser can record; undefined if there is none. */
export function videoType(): VideoType | undefined {
  if (typeof MediaRecorder === 'undefined' || !('captureStream' in HTMLCanvasElement.prototype)) return
  return types.find(({ mime }) => MediaRecorder.isTypeSupported(mime))
}

/** Frames per second. */
const rate = 30
/** Bit rate of a video per pixel. */
const bitsPerPixel = 8
/** Time between key frames in milliseconds. Players seek to key frames. Some browsers ignore it. */
const keyFrameInterval = 2000
/** Maximum length in seconds, since the browser holds the recording in memory. */
const longest = 600

let active = false

/** Returns whether a recording is in progress. */
export const isRecording = (): boolean => active

/** Formats a time in seconds as `1:05`. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/**
 * Records a canvas until the visitor stops it, until `during` ends, or until `paint` returns false. `paint` draws a
 * frame. Interrupts the recording while the tab is hidden, since nothing is drawn then. Returns the file; null if
 * nothing was recorded.
 */
export async function recordVideo(
  canvas: HTMLCanvasElement,
  paint: () => boolean,
  { mime, ending }: VideoType,
  during?: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // Encoders of MP4 require even sizes.
  canvas.width -= canvas.width % 2
  canvas.height -= canvas.height % 2
  if (!paint()) return null
  const stream = canvas.captureStream(rate)
  const options = {
    mimeType: mime,
    videoBitsPerSecond: bitsPerPixel * canvas.width * canvas.height,
    videoKeyFrameIntervalDuration: keyFrameInterval,
  }
  const recorder = new MediaRecorder(stream, options)
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => void parts.push(data)
  const ended = new Promise<void>((resolve, reject) => {
    recorder.onstop = () => resolve()
    recorder.onerror = (event) => reject((event as ErrorEvent).error ?? new Error('The recording failed.'))
  })
  const stop = () => recorder.state !== 'inactive' && recorder.stop()
  const toast = toasts.activity('recording', 'Recording', { label: 'Stop', run: stop })
  let seconds = 0
  const show = () => (toast.hint = clock(seconds))
  show()
  const end = everyFrame((_, passed) => {
    seconds += passed
    show()
    if (!paint() || seconds >= longest) stop()
  })
  const visibility = () => {
    if (recorder.state === 'inactive') return
    if (document.visibilityState === 'hidden') recorder.pause()
    else recorder.resume()
  }
  document.addEventListener('visibilitychange', visibility)
  active = true
  try {
    recorder.start(1000)
    during?.().then(stop, stop)
    await ended
  } finally {
    active = false
    end()
    document.removeEventListener('visibilitychange', visibility)
    for (const track of stream.getTracks()) track.stop()
    toast.close()
  }
  const file = new Uint8Array(await new Blob(parts).arrayBuffer())
  if (file.length === 0) return null
  return ending === 'webm' ? seekable(file) : file
}

/**
 * Records an SVG drawing until the visitor stops it, or until `draw` returns null. `draw` returns the drawing as it is now, `ground`
 * the color around a drawing of another size. `ratio`: device pixels per pixel of the drawing.
 */
export async function recordDrawing(
  draw: () => Promise<SvgPicture> | null,
  ground: () => string,
  ratio: number,
  type: VideoType,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let drawing = await draw()
  if (!drawing) return null
  let image = await svgImage(drawing)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(drawing.width * ratio)
  canvas.height = Math.round(drawing.height * ratio)
  const pen = canvas.getContext('2d')!
  /** Whether the next drawing is being decoded; the last one is shown until then. */
  let isPending = false
  /** Error of a drawing, which ends the recording. */
  let problem: unknown = null
  async function update(next: Promise<SvgPicture>): Promise<void> {
    isPending = true
    try {
      const made = await next
      if (made.text === drawing?.text) return
      image = await svgImage(made)
      drawing = made
    } finally {
      isPending = false
    }
  }
  const paint = () => {
    if (problem !== null) return false
    if (!isPending) {
      const next = draw()
      if (!next) return false
      update(next).catch((error: unknown) => (problem = error))
    }
    pen.fillStyle = ground()
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(image, 0, 0, drawing!.width * ratio, drawing!.height * ratio)
    return true
  }
  const file = await recordVideo(canvas, paint, type)
  if (problem !== null) throw problem
  return file
}

// Records a region of the page as an animated WebP file.
import sharp from 'sharp'

/** Maximum size of an animated picture, bytes. */
const maxBytes = 1_500_000
/** WebP qualities, tried from the best to the smallest file. */
const qualities = [72, 60, 50, 40, 30, 20]

/** Takes `count` screenshots of the region `clip`, one every `interval` ms. Returns PNG buffers. */
export async function capture(page, clip, { count, interval }) {
  const frames = []
  for (let i = 0; i < count; i++) {
    const start = Date.now()
    frames.push(await page.screenshot({ clip, animations: 'allow' }))
    await page.waitForTimeout(Math.max(0, interval - (Date.now() - start)))
  }
  return frames
}

/**
 * Encodes PNG frames, or their part `region`, as one animated WebP of at most 1.5 MB. `delay`: ms per frame; the last frame stays for
 * two seconds. Throws if the smallest quality is still too large.
 */
export async function animate(frames, { width, delay, region }) {
  const cut = (frame) => (region ? sharp(frame).extract(region) : sharp(frame))
  const resized = await Promise.all(frames.map((frame) => cut(frame).resize({ width }).png().toBuffer()))
  const delays = resized.map((_, i) => (i === resized.length - 1 ? 2000 : delay))
  for (const quality of qualities) {
    const webp = await sharp(resized, { join: { animated: true } })
      .webp({ quality, effort: 4, delay: delays, loop: 0, minSize: true })
      .toBuffer()
    if (webp.length <= maxBytes) return webp
  }
  throw new Error(`an animation of ${frames.length} frames exceeds ${maxBytes} bytes; reduce its frames`)
}

/** A JPEG poster of exactly `width` × `height` pixels, cut from the top. */
export const poster = (png, width, height) =>
  sharp(png).resize({ width, height, fit: 'cover', position: 'top' }).jpeg({ quality: 82 }).toBuffer()

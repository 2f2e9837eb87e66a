// Records regions of the page, and encodes them as animated WebP files.
import sharp from 'sharp'

/** Maximum number of frames of a picture. Longer recordings are thinned. */
const maxFrames = 40
/** Maximum size of an animated picture, bytes. */
const maxBytes = 1_500_000
/** WebP qualities in the order of trial, from the largest file to the smallest. */
const qualities = [72, 60, 50, 40, 30, 20]
/** Style that hides elements at the lower edge of the window: the timeline and the panel at the end of a run. */
const style = '[data-testid=timeline], [data-testid=ending] { visibility: hidden }'
/** Duration of the last frame of an animation, ms. */
const pause = 2500

/** Returns the rectangle in CSS pixels of the first element that matches a selector. */
async function rectangle(page, selector) {
  const box = await page.locator(selector).first().boundingBox()
  return Object.fromEntries(Object.entries(box).map(([key, value]) => [key, Math.round(value)]))
}

/** Returns the rectangle of the element `region`, down to the end of the element `last`, with a margin. */
async function clipOf(page, { region, last = region, margin = 0 }) {
  const [from, to] = [await rectangle(page, region), await rectangle(page, last)]
  return {
    x: from.x - margin,
    y: from.y - margin,
    width: from.width + 2 * margin,
    height: to.y + to.height - from.y + 2 * margin,
  }
}

/** Returns `count` elements of a list at equal distances, including the first and the last. */
export const spread = (list, count) =>
  Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / Math.max(1, count - 1))])

/**
 * Plays a scene when the element `ready` has appeared, and takes screenshots in each of the `themes`. Returns the PNG
 * frames by theme, and the rectangle of the first glass box (framed live view) within them.
 */
export async function record(chrome, address, scene, themes) {
  // The page's Content-Security-Policy would block the style of the screenshots.
  const context = await chrome.newContext({
    viewport: scene.size,
    colorScheme: themes[0],
    bypassCSP: true,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(180_000)
  // The pictures show all parts of an exhibit.
  await page.addInitScript(() =>
    localStorage.setItem(`vivarium:${location.pathname.replace(/[^/]*$/, '')}controls`, 'all'),
  )
  await page.goto(address + scene.path)
  await page.getByTestId(scene.ready).waitFor()
  const frames = Object.fromEntries(themes.map((theme) => [theme, []]))
  let size, clip
  for await (const _ of scene.play({ page, at: (id) => page.getByTestId(id) })) {
    // A click scrolls the page, and the pointer over the page may open details.
    await page.mouse.move(0, 0)
    await page.evaluate(() => scrollTo(0, 0))
    // The region may move, but all frames have the same size.
    clip = await clipOf(page, scene)
    size ??= { width: clip.width, height: clip.height }
    for (const theme of themes) {
      if (themes.length > 1) await page.emulateMedia({ colorScheme: theme })
      frames[theme].push(await page.screenshot({ clip: { ...clip, ...size }, style }))
    }
  }
  const { x, y, width, height } = await rectangle(page, 'main .box .inside')
  await context.close()
  for (const theme of themes) frames[theme] = spread(frames[theme], Math.min(maxFrames, frames[theme].length))
  return { frames, box: { left: x - clip.x, top: y - clip.y, width, height } }
}

/** Moves the first half of the frames to the end, so that a loop starts and a still picture shows the middle of a run. */
export function fromMiddle({ frames, delays }) {
  const half = frames.length >> 1
  const turn = (list) => [...list.slice(half), ...list.slice(0, half)]
  return { frames: turn(frames), delays: turn(delays) }
}

/** Cuts a region from each frame and scales it to a width. The last frame is displayed longer than `delay` ms. */
export async function film(frames, { width, delay, region = null }) {
  const cut = (frame) => (region ? sharp(frame).extract(region) : sharp(frame))
  return {
    frames: await Promise.all(frames.map((frame) => cut(frame).resize({ width }).png().toBuffer())),
    delays: frames.map((_, i) => (i === frames.length - 1 ? pause : delay)),
  }
}

/** Encodes a film as one animated WebP of at most 1.5 MB. Throws if the smallest quality is still too large. */
export async function encode({ frames, delays }) {
  for (const quality of qualities) {
    const webp = await sharp(frames, { join: { animated: true } })
      .webp({ quality, effort: 4, delay: delays, loop: 0, minSize: true })
      .toBuffer()
    if (webp.length <= maxBytes) return webp
  }
  throw new Error(`an animation of ${frames.length} frames exceeds ${maxBytes} bytes; reduce its frames`)
}

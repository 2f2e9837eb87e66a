// The icons of the web app manifest, drawn from the icon in www/head.html.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { icons } from '../hosting/manifest.mjs'
import { root } from '../run.mjs'

/** Scale of the picture of a maskable icon: its corners are inside the safe zone, a circle of 80 % of the width. */
const maskableScale = 0.7

/** Returns the SVG of the page's icon. */
function pageIcon() {
  const [, url] = readFileSync(join(root, 'www/head.html'), 'utf8').match(/"data:image\/svg\+xml,([^"]+)"/)
  return decodeURIComponent(url)
}

/** Returns the SVG of a maskable icon: the page's icon on a background that fills the square. */
function maskable(svg) {
  const [, fill] = svg.match(/fill='(#\w+)'/)
  const [, content] = svg.match(/^<svg[^>]*>(.*)<\/svg>$/s)
  const background = `<rect width='32' height='32' fill='${fill}'/>`
  const small = `<g transform='translate(16 16) scale(${maskableScale}) translate(-16 -16)'>${content}</g>`
  return `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${background}${small}</svg>`
}

/** Draws the icons. `save(path, data)` writes a file; the path is relative to the root. */
export async function writeIcons(save) {
  const svg = pageIcon()
  for (const { file, size, purpose } of icons) {
    const picture = Buffer.from(purpose === 'maskable' ? maskable(svg) : svg)
    // At 72 dpi, the default of sharp, an SVG of 32 units has 32 pixels.
    const drawn = sharp(picture, { density: (72 * size) / 32 }).resize(size, size)
    save(file, await drawn.png({ compressionLevel: 9, palette: true }).toBuffer())
  }
}

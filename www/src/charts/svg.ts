/** SVG text of a figure. Attributes only, which vector editors and LaTeX converters read. */
import { areaOpacity, figureFont, type Colors, type Figure, type Mark } from './figure'
import { imageCanvas } from './paint'

/**
 * Number of pixels of an embedded image per row and per column of the mark. Many programs smooth an image that they enlarge, within
 * one pixel of the image.
 */
const sharpness = 8

export function figureSvg({ points, title, description, marks, ...size }: Figure, colors: Colors): string {
  const [width, height] = [size.width, size.height].map(hundredth) as [number, number]
  const length = (units: number) => (points === null ? units : `${hundredth(units * points)}pt`)
  return svgFile(
    { width, height, length, title, description, ground: colors.ground },
    marks.map((mark) => element(mark, colors)),
  )
}

interface SvgFile {
  width: number
  height: number
  /** Returns a length in units as an attribute; by default CSS pixels. */
  length?: (units: number) => string | number
  title: string
  description: string
  /** Color of the background. */
  ground: string
}

/** Returns the text of an SVG file with elements on a background. */
export function svgFile(
  { width, height, length = (units) => units, title, description, ground }: SvgFile,
  elements: readonly string[],
): string {
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length(width)}" height="${length(height)}" viewBox="0 0 ${width} ${height}" font-family="${escaped(figureFont)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${ground}"/>`,
    ...elements,
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

/** Returns an SVG element. `content`: its text. */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? hundredth(value) : escaped(value)}"`,
  )
  const start = `<${name}${written.join('')}`
  return content === '' ? `${start}/>` : `${start}>${escaped(content)}</${name}>`
}

function element(mark: Mark, colors: Colors): string {
  if (mark.kind === 'image') {
    const [x, y] = mark.at.map(hundredth)
    const source = imageCanvas(mark.pixels, sharpness).toDataURL('image/png')
    return `<image x="${x}" y="${y}" width="${mark.width}" height="${mark.height}" preserveAspectRatio="none" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${source}"/>`
  }
  if (mark.kind === 'ground') {
    const [x, y, width, height] = [...mark.at, mark.width, mark.height].map(hundredth)
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colors.ground}"/>`
  }
  const color = colors[mark.tone]
  switch (mark.kind) {
    case 'line': {
      const points = mark.points.map(([x, y]) => `${hundredth(x)},${hundredth(y)}`).join(' ')
      const dash = mark.dash ? ` stroke-dasharray="${mark.dash.join(' ')}"` : ''
      return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="${mark.width}" stroke-linejoin="round"${dash}/>`
    }
    case 'area': {
      const points = mark.points.map(([x, y]) => `${hundredth(x)},${hundredth(y)}`).join(' ')
      return `<polygon points="${points}" fill="${color}" fill-opacity="${areaOpacity}"/>`
    }
    case 'dot':
      return `<circle cx="${hundredth(mark.at[0])}" cy="${hundredth(mark.at[1])}" r="${mark.radius}" fill="${color}"/>`
    case 'text': {
      const [x, y] = mark.at.map(hundredth)
      const turn = mark.upward ? ` transform="rotate(-90 ${x} ${y})"` : ''
      const weight = mark.bold ? ' font-weight="600"' : ''
      const place = `x="${x}" y="${y}" font-size="${mark.size}" text-anchor="${mark.align}"${weight}${turn}`
      return `<text ${place} fill="${color}">${escaped(mark.text)}</text>`
    }
  }
}

const hundredth = (value: number): number => Math.round(100 * value) / 100

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML, and drops control characters, which XML forbids. */
const escaped = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (c) => entities[c]!)

/** Copies SVG drawings of the page into standalone files: the styles of the page become attributes of the copy. */
import { figureFont } from './figure'

/** The style properties that affect the picture. */
const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'visibility',
  'display',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

/** Elements of the page that have SVG drawings to be exported; the attribute is the title. */
const attribute = 'data-figure'

/** Text of an SVG file, and its size in CSS pixels. */
export interface SvgPicture {
  text: string
  width: number
  height: number
}

export interface Drawing {
  title: string
  svg: SVGSVGElement
}

/** Returns the drawings of the page with a title, in the order of the page. */
export function drawings(): Drawing[] {
  const found = [...document.querySelectorAll<SVGSVGElement>(`main svg[${attribute}]`)]
  return found.map((svg) => ({ title: svg.getAttribute(attribute)!, svg }))
}

/** Returns a drawing as the text of an SVG file and its size, on the background `ground`, a CSS color. */
export function snapshot({ svg, title }: Drawing, ground: string): SvgPicture {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll('*')
  for (const [i, element] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[i]!)
    for (const property of properties) {
      const value = style.getPropertyValue(property)
      if (!value) continue
      const plain = property === 'fill' || property === 'stroke' ? sRgb(value) : { color: value, alpha: 1 }
      element.setAttribute(property, plain.color)
      if (plain.alpha < 1) element.setAttribute(`${property}-opacity`, String(plain.alpha))
    }
    for (const name of ['class', 'style', 'data-testid']) element.removeAttribute(name)
  }
  const { width, height } = svg.getBoundingClientRect()
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.setAttribute('font-family', figureFont)
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const make = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name)
  const back = make('rect')
  for (const [name, value] of Object.entries({ width, height, fill: sRgb(ground).color }))
    back.setAttribute(name, String(value))
  const named = make('title')
  named.textContent = title
  copy.prepend(named, back)
  // Svelte's placeholders.
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT)
  const placeholders: Node[] = []
  while (comments.nextNode()) placeholders.push(comments.currentNode)
  for (const comment of placeholders) comment.parentNode!.removeChild(comment)
  return { text: new XMLSerializer().serializeToString(copy), width, height }
}

/** Returns an SVG file as a decoded image. */
export async function svgImage({ text }: SvgPicture): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  return image
}

/** Returns an SVG file as a canvas with `ratio` device pixels per pixel of the drawing. */
export async function rasterize(picture: SvgPicture, ratio: number): Promise<HTMLCanvasElement> {
  const { width, height } = picture
  const image = await svgImage(picture)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Returns the colors of CSS variables within an element, in sRGB. The colors are opaque. */
export function palette<Name extends string>(
  element: Element,
  variables: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const within = document.createElement('i')
  within.hidden = true
  element.append(within)
  const style = getComputedStyle(within)
  const colors = Object.entries<string>(variables).map(([name, variable]) => {
    within.style.color = `var(${variable})`
    return [name, sRgb(style.color).color]
  })
  within.remove()
  return Object.fromEntries(colors) as Record<Name, string>
}

let probe: CanvasRenderingContext2D | null = null

/** Color in sRGB and its opacity, 0 to 1. */
interface SrgbColor {
  color: string
  alpha: number
}

/** Converted colors: reading a pixel takes long, and the frames of a video have equal colors. */
const converted = new Map<string, SrgbColor>()

/** Converts a CSS color, such as `oklch(…)`, to sRGB, which all SVG programs read. Other paints stay as they are. */
function sRgb(color: string): SrgbColor {
  if (!/^[a-z]+\(/.test(color) || color.startsWith('url(')) return { color, alpha: 1 }
  const known = converted.get(color) ?? convert(color)
  converted.set(color, known)
  return known
}

function convert(color: string): SrgbColor {
  probe ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }) as never
  probe!.clearRect(0, 0, 1, 1)
  probe!.fillStyle = color
  probe!.fillRect(0, 0, 1, 1)
  const [r, g, b, a] = probe!.getImageData(0, 0, 1, 1).data
  const hex = [r, g, b].map((byte) => byte!.toString(16).padStart(2, '0')).join('')
  return { color: `#${hex}`, alpha: Math.round((a! / 255) * 1000) / 1000 }
}

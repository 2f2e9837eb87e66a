/** Conversion of SVG drawings to PDF. The libraries and the font are loaded at the first request. */
import fontUrl from '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf?url'
import { StartError } from '../engine/page/error'

/** The embedded font. Its letters have the widths of Arial, the font of the SVG files. */
const font = 'Arimo'

/** Points per CSS pixel. */
const pointsPerPixel = 72 / 96

async function load() {
  const file = async () => {
    const response = await fetch(fontUrl)
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
    return new Uint8Array(await response.arrayBuffer())
  }
  try {
    const [{ jsPDF }, { svg2pdf }, bytes] = await Promise.all([import('jspdf'), import('svg2pdf.js'), file()])
    return { jsPDF, svg2pdf, bytes }
  } catch {
    throw new StartError({
      message: 'The PDF exporter could not be loaded.',
      hint: 'Check the connection, and try again.',
    })
  }
}

/** Returns a page with the drawing of an SVG file: vector graphics of the same size, with the used letters of the font. */
export async function svgPdf(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { jsPDF, svg2pdf, bytes } = await load()
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [width, height] = (['width', 'height'] as const).map((side) =>
    points(drawing.getAttribute(side)!),
  ) as [number, number]
  const pdf = new jsPDF({
    ...{ unit: 'pt', format: [width, height], orientation: width > height ? 'landscape' : 'portrait' },
    ...{ compress: true, putOnlyUsedFonts: true },
  })
  pdf.setProperties({ title: drawing.querySelector('title')?.textContent ?? '', creator: 'Vivarium' })
  pdf.addFileToVFS(font, binary(bytes))
  pdf.addFont(font, font, 'normal')
  pdf.setFont(font)
  drawing.setAttribute('font-family', font)
  for (const bold of drawing.querySelectorAll('[font-weight]')) bold.removeAttribute('font-weight')
  await svg2pdf(drawing, pdf, { width, height })
  return new Uint8Array(pdf.output('arraybuffer'))
}

/** Returns a length of an SVG file, such as `237.6pt` or `640`, in points. */
const points = (length: string): number =>
  length.endsWith('pt') ? parseFloat(length) : pointsPerPixel * parseFloat(length)

/** Returns bytes as a string with a character per byte, in which jsPDF reads files. */
const binary = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

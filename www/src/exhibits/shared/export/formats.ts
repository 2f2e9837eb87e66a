/** The rows of the export menu, and files in the formats that several kinds of export have. */
import { svgPdf } from '../../../charts/pdf'
import { rasterize, type SvgPicture } from '../../../charts/snapshot'
import type { ToolPhase } from '../../../engine/page/tools'
import { pixelRatio } from '../../../kit/canvas'
import { canvasTheme } from '../../../lib/canvas-theme'
import { png } from '../../../lib/files'
import type { Lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { worldCard, type World } from '../../../worlds'

/** A file to be downloaded. */
export interface ExportFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  mime: string
  /** Note on the contents; by default the size. */
  note?: string
}

export interface FileFormat {
  /** Name of the format, such as “PNG”. */
  name: string
  testid: string
  /** Whether this is the chosen one of the row; absent for a file. */
  checked?: boolean
  /**
   * Returns the file; null if an error was already shown, if there is nothing to save, or after a text was copied. `busy`
   * shows a message about work that takes longer than a moment, instead of the last one.
   */
  make: (busy: (message: string) => void) => Promise<ExportFile | null>
}

/** A row of the menu. */
export interface ExportRow {
  label: string
  detail: string
  formats: readonly FileFormat[]
}

/** A kind of export: returns its rows for the current state of the exhibit. */
export type ExportKind = (lab: Lab) => readonly ExportRow[]

/** Loads the kinds of export of a family. */
export type LoadExports = () => Promise<{ exports: readonly ExportKind[] }>

/** Returns a function that shows the phase of a request to the exporters. */
export const exporterPhase = (busy: (message: string) => void) => (phase: ToolPhase) =>
  busy(phase === 'loading' ? 'Loading the exporter …' : 'Writing the file …')

/** Returns a text in UTF-8. */
export const text = (content: string) => new TextEncoder().encode(content)

/** Device pixels per pixel of a figure or picture: the ratio of the screen, at least 2, since figures are printed. */
export const figureRatio = () => Math.max(2, pixelRatio())

export const hueOf = (lab: Lab) => worldCard(lab.info!.name as World).hue

/** Returns the background of the live view. */
export const glassOf = (lab: Lab) => canvasTheme(hueOf(lab), theme.now).glass

/**
 * Returns the vector formats of a drawing. `stem`: returns the file name without its ending when the file is made; `svg`: returns the
 * text of the SVG file.
 */
export const vectorFormats = (
  stem: () => string,
  name: string,
  svg: () => string | Promise<string>,
): FileFormat[] => [
  {
    name: 'PDF',
    testid: `export-pdf-${name}`,
    async make(busy) {
      busy('Writing the file …')
      return {
        name: `${stem()}.pdf`,
        bytes: await svgPdf(await svg()),
        mime: 'application/pdf',
      }
    },
  },
  {
    name: 'SVG',
    testid: `export-svg-${name}`,
    make: async () => ({
      name: `${stem()}.svg`,
      bytes: text(await svg()),
      mime: 'image/svg+xml',
    }),
  },
]

/** Returns the formats of an SVG drawing. `stem`: returns the file name without its ending when the file is made. */
export const drawingFormats = (
  stem: () => string,
  name: string,
  svg: () => SvgPicture | Promise<SvgPicture>,
): FileFormat[] => [
  ...vectorFormats(stem, name, async () => (await svg()).text),
  {
    name: 'PNG',
    testid: `export-png-${name}`,
    make: async () => pngFile(stem(), await rasterize(await svg(), figureRatio())),
  },
]

/** Returns a CSV file. `stem`: file name without its ending. */
export const csvFile = (stem: string, content: string): ExportFile => ({
  name: `${stem}.csv`,
  bytes: text(content),
  mime: 'text/csv',
})

/** Returns a canvas as a PNG file. `stem`: file name without its ending. */
export const pngFile = async (stem: string, canvas: HTMLCanvasElement): Promise<ExportFile> => ({
  name: `${stem}.png`,
  bytes: await png(canvas),
  mime: 'image/png',
})

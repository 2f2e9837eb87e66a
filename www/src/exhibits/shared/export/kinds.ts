/** The files that the page exports. Each kind is declared once, in `exportKinds`. */
import { comparisonOf, groupName } from '../../../charts/comparison.svelte'
import { displayedChartsOf } from '../../../charts/displayed'
import { chartFigure, runTones, type ChartData, type Colors } from '../../../charts/figure'
import { figureCanvas } from '../../../charts/paint'
import { drawings, rasterize, snapshot, type Drawing } from '../../../charts/snapshot'
import { figureSvg } from '../../../charts/svg'
import { pixelRatio } from '../../../kit/canvas'
import { pictureOf } from '../../../kit/picture'
import { canvasTheme } from '../../../lib/canvas-theme'
import { metricsCsv, runsCsv } from '../../../lib/csv'
import { oklchToRgb } from '../../../lib/color'
import { png } from '../../../lib/files'
import type { Lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { worldCard, type World } from '../../../worlds'
import { savedAs } from './saved'

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
  /** Returns the file; null if an error was already shown. */
  make: () => Promise<ExportFile | null>
}

/** A row of the menu. */
export interface ExportRow {
  label: string
  detail: string
  formats: readonly FileFormat[]
}

/** A kind of export: returns its rows for the current state of the exhibit. */
export type ExportKind = (lab: Lab) => readonly ExportRow[]

const text = (content: string) => new TextEncoder().encode(content)

/** Device pixels per pixel of a chart: the ratio of the screen, at least 2, since figures are printed. */
const figureRatio = () => Math.max(2, pixelRatio())

const svgFile = (lab: Lab, name: string, content: string): ExportFile => ({
  name: `${lab.exportName()}-${name}.svg`,
  bytes: text(content),
  mime: 'image/svg+xml',
})

const pngFile = async (lab: Lab, name: string, canvas: HTMLCanvasElement): Promise<ExportFile> => ({
  name: `${lab.exportName()}-${name}.png`,
  bytes: await png(canvas),
  mime: 'image/png',
})

const checkpoint: ExportKind = (lab) => [
  {
    label: 'Checkpoint',
    detail: 'Opens in this page and in the native program',
    formats: [
      {
        name: 'safetensors',
        testid: 'save',
        async make() {
          const bytes = await lab.save()
          if (!bytes) return null
          const shown = lab.running === 'running' ? null : lab.progress.steps
          const note = savedAs(bytes, shown, lab.info?.readings.unit ?? 'steps')
          return { name: lab.fileName(bytes), bytes, mime: 'application/octet-stream', note }
        },
      },
    ],
  },
]

/** Returns the metrics of the run as CSV, together with the compared runs if there are any. */
function csvOf(lab: Lab): string {
  const metrics = lab.history.dump()
  const { runs, ownName } = comparisonOf(lab)
  if (runs.length === 0) return metricsCsv(metrics)
  const others = runs.map((run) => [groupName(lab.info!, [run]), run.curves] as const)
  return runsCsv([[ownName, metrics], ...others])
}

const metrics: ExportKind = (lab) =>
  lab.history.length === 0
    ? []
    : [
        {
          label: 'Metrics',
          detail: comparisonOf(lab).runs.length
            ? 'A row for each run and step, a column for each metric'
            : 'A row for each step, a column for each metric',
          formats: [
            {
              name: 'CSV',
              testid: 'export-csv',
              make: async () => ({
                name: `${lab.exportName()}.csv`,
                bytes: text(csvOf(lab)),
                mime: 'text/csv',
              }),
            },
          ],
        },
      ]

/** Returns the box of the exhibit's main picture, or of a live view if the main picture has no canvas. */
function pictureBox(): HTMLElement | null {
  const boxes = document.querySelectorAll<HTMLElement>(
    'main .picture .inside, main [data-testid="living-view"]',
  )
  return [...boxes].find((box) => box.querySelector('canvas')) ?? null
}

const picture: ExportKind = (lab) => {
  const box = pictureBox()
  if (!box) return []
  return [
    {
      label: 'Picture',
      detail: 'The live view at this moment',
      formats: [
        {
          name: 'PNG',
          testid: 'export-picture',
          async make() {
            const { glass } = canvasTheme(hueOf(lab), theme.now)
            const canvas = pictureOf(box, glass)
            return canvas && pngFile(lab, 'picture', canvas)
          },
        },
      ],
    },
  ]
}

const hueOf = (lab: Lab) => worldCard(lab.info!.name as World).hue

const hex = (rgb: readonly number[]) => `#${rgb.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Colors of a chart on white paper, independent of the theme of the page. */
export const figureColors = (hue: number): Colors => ({
  ground: '#ffffff',
  ink: '#16211e',
  muted: '#5a6864',
  grid: '#e0e6e3',
  accent: hex(oklchToRgb([0.495, 0.14, hue - 18])),
  ...(Object.fromEntries(
    runTones.map((tone, i) => [tone, hex(oklchToRgb([0.5, 0.12, hue + 72 * (i + 1)]))]),
  ) as Record<(typeof runTones)[number], string>),
})

/** Returns the description of a run below the title of a chart. */
function sourceOf(lab: Lab): string {
  const preset = lab.info?.presets.find(({ name }) => name === lab.preset)?.label ?? 'custom settings'
  return `${worldCard(lab.info!.name as World).title}, ${preset}, seed ${lab.seed}`
}

const charts: ExportKind = (lab) =>
  displayedChartsOf(lab)
    .list()
    .map((chart: ChartData) => {
      const figure = () => chartFigure(chart, sourceOf(lab))
      const colors = () => figureColors(hueOf(lab))
      return {
        label: chart.title,
        detail: '',
        formats: [
          {
            name: 'SVG',
            testid: `export-svg-${chart.name}`,
            make: async () => svgFile(lab, chart.name, figureSvg(figure(), colors())),
          },
          {
            name: 'PNG',
            testid: `export-png-${chart.name}`,
            make: async () => pngFile(lab, chart.name, figureCanvas(figure(), colors(), figureRatio())),
          },
        ],
      }
    })

const nameOf = ({ title }: Drawing) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** SVG drawings with axes of their own, such as the results against reference players, in the colors of the page. */
const plots: ExportKind = (lab) =>
  drawings().map((drawing) => {
    const copy = () => snapshot(drawing, getComputedStyle(document.documentElement).backgroundColor)
    return {
      label: drawing.title,
      detail: '',
      formats: [
        {
          name: 'SVG',
          testid: `export-svg-${nameOf(drawing)}`,
          make: async () => svgFile(lab, nameOf(drawing), copy().text),
        },
        {
          name: 'PNG',
          testid: `export-png-${nameOf(drawing)}`,
          make: async () => pngFile(lab, nameOf(drawing), await rasterize(copy(), figureRatio())),
        },
      ],
    }
  })

export const exportKinds: readonly ExportKind[] = [checkpoint, metrics, picture, charts, plots]

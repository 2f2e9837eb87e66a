/**
 * What the page exports. Kinds of all exhibits are listed in `exportRows`, kinds of a family in its `exhibit.ts`
 * (`exports`).
 */
import {
  compareMetrics,
  comparisonLatex,
  comparisonMarkdown,
  comparisonTable,
} from '../../../charts/compared-metrics'
import { chartCaption } from '../../../charts/caption'
import { comparisonOf, groupName } from '../../../charts/comparison.svelte'
import { displayedChartsOf } from '../../../charts/displayed'
import {
  chartFigure,
  figureFont,
  runTones,
  withoutOwnLine,
  type ChartData,
  type Colors,
  type Figure,
} from '../../../charts/figure'
import { heatMapFigure } from '../../../charts/heat-map'
import { mapsOf } from '../../../charts/maps'
import { figureCanvas } from '../../../charts/paint'
import { solvedJson, solvedTable } from '../../../charts/solved'
import { drawings, snapshot, type Drawing } from '../../../charts/snapshot'
import { figureSvg } from '../../../charts/svg'
import { tools, type ToolPhase } from '../../../engine/page/tools'
import type { Family } from '../../../engine/shared/family'
import { atRatio, canvasFor, captioned, paintPicture } from '../../../kit/picture'
import { metricsCsv, runsCsv, tableCsv, type Table } from '../../../lib/csv'
import { oklchToRgb } from '../../../lib/color'
import { stepsIn } from '../../../lib/files'
import { copy } from '../../../shell/clipboard'
import { settingsText } from '../../../state/config'
import type { Lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { figureScale, figureSize, legend, ownLine } from './choices'
import {
  csvFile,
  drawingFormats,
  exporterPhase,
  figureRatio,
  glassOf,
  hueOf,
  pngFile,
  text,
  vectorFormats,
  type ExportFile,
  type ExportKind,
  type ExportRow,
  type FileFormat,
} from './formats'
import { savedAs } from './saved'
import { sourceOf, titleOf } from './source'
import { isRecording, recordVideo, videoType } from './video'

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

/** A file with the trained network of a run, which a tool writes from a checkpoint. */
interface NetworkFile {
  label: string
  detail: string
  format: string
  testid: string
  /** Ending of the file name. */
  ending: string
  /** Returns whether the file exists for the runs of a family. */
  of: (family: Family) => boolean
  /** `name`: name of the file without its ending. */
  write: (
    checkpoint: Uint8Array<ArrayBuffer>,
    name: string,
    phase: (phase: ToolPhase) => void,
  ) => Promise<Uint8Array<ArrayBuffer>>
}

const networkFiles: readonly NetworkFile[] = [
  {
    label: 'Trained network',
    detail: 'For ONNX Runtime and other programs',
    format: 'ONNX',
    testid: 'export-onnx',
    ending: '.onnx',
    // A logic automaton has no neural network.
    of: (family) => family !== 'logic_ca',
    write: (checkpoint, _, phase) => tools.ask('onnx', { checkpoint }, phase),
  },
  {
    label: 'Hugging Face folder',
    detail: 'A GPT-2 model for the Python library transformers',
    format: 'ZIP',
    testid: 'export-huggingface',
    ending: '-huggingface.zip',
    of: (family) => family === 'language',
    write: (checkpoint, name, phase) => tools.ask('huggingFace', { checkpoint, folder: name }, phase),
  },
  {
    label: 'Weights only',
    detail: 'The network without the optimizer, for the native program',
    format: 'safetensors',
    testid: 'export-weights',
    ending: '-weights.safetensors',
    of: (family) => ['games', 'cube', 'language'].includes(family),
    write: (checkpoint, _, phase) => tools.ask('weights', { checkpoint }, phase),
  },
]

const network: ExportKind = (lab) =>
  networkFiles
    .filter(({ of }) => of(lab.info!.world.kind))
    .map(({ label, detail, format, testid, ending, write }) => ({
      label,
      detail,
      formats: [
        {
          name: format,
          testid,
          async make(busy) {
            const checkpoint = await lab.save()
            if (!checkpoint) return null
            const name = lab.exportName(stepsIn(checkpoint) ?? undefined)
            const bytes = await write(checkpoint, name, exporterPhase(busy))
            return { name: name + ending, bytes, mime: 'application/octet-stream' }
          },
        },
      ],
    }))

/** Returns the metrics of the run as CSV, together with the compared runs if there are any. */
function csvOf(lab: Lab): string {
  const metrics = lab.history.dump()
  const { runs, own, ownName } = comparisonOf(lab)
  if (runs.length === 0) return metricsCsv(metrics)
  const info = lab.info!
  const others = runs.map((run) => ({ name: groupName(info, [run]), ...run, metrics: run.curves }))
  return runsCsv(
    [{ name: ownName, ...own, metrics }, ...others].map(({ config, ...run }) => ({
      ...run,
      // Readers of CSV take an empty cell for a missing value.
      settings: settingsText(info, config) || 'defaults',
    })),
  )
}

const metrics: ExportKind = (lab) =>
  lab.history.length === 0
    ? []
    : [
        {
          label: 'Metrics',
          detail: comparisonOf(lab).runs.length
            ? 'A row for each run and step, a column for each metric; in long runs, means over 1/256 of the steps'
            : 'A row for each step, a column for each metric; in long runs, means over 1/256 of the steps',
          formats: [
            {
              name: 'CSV',
              testid: 'export-csv',
              make: async () => csvFile(lab.exportName(), csvOf(lab)),
            },
          ],
        },
      ]

/** The table of the comparison with the baseline. */
const comparisonTables: ExportKind = (lab) => {
  const { sides } = comparisonOf(lab)
  if (!sides) return []
  const info = lab.info!
  const compared = () => compareMetrics(info, lab.config, sides.own, sides.baseline)
  const copied = (name: string, testid: string, write: typeof comparisonLatex): FileFormat => ({
    ...{ name, testid },
    async make() {
      await copy(write(compared(), titleOf(lab), info.readings.unit), `Table copied as ${name}`, '')
      return null
    },
  })
  return [
    {
      label: 'Comparison',
      detail: 'Means with intervals, differences; text is copied',
      formats: [
        {
          name: 'CSV',
          testid: 'export-csv-comparison',
          make: async () => csvFile(`${lab.exportName()}-comparison`, tableCsv(comparisonTable(compared()))),
        },
        copied('LaTeX', 'copy-latex-comparison', comparisonLatex),
        copied('Markdown', 'copy-markdown-comparison', comparisonMarkdown),
      ],
    },
  ]
}

/** Steps and training times until the drawn runs were solved. */
const timesToSolve: ExportKind = (lab) => {
  const { compared, runs } = comparisonOf(lab)
  const info = lab.info!
  if (!info.readings.solved || runs.length === 0) return []
  const name = `${lab.exportName()}-solved`
  return [
    {
      label: 'Time until solved',
      detail: 'A row for each drawn run; JSON has the means of the groups with intervals, too',
      formats: [
        {
          name: 'CSV',
          testid: 'export-csv-solved',
          make: async () => csvFile(name, tableCsv(solvedTable(info, compared))),
        },
        {
          name: 'JSON',
          testid: 'export-json-solved',
          make: async () => ({
            name: `${name}.json`,
            bytes: text(solvedJson(info, compared)),
            mime: 'application/json',
          }),
        },
      ],
    },
  ]
}

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
        { name: 'PNG', testid: 'export-picture', make: () => pictureOf(lab, box, 'picture', sourceOf(lab)) },
      ],
    },
  ]
}

/** Returns the canvases of a box with a caption, at the resolution of figures; null if none is visible. */
async function pictureOf(
  lab: Lab,
  box: HTMLElement,
  name: string,
  caption: string,
): Promise<ExportFile | null> {
  const canvas = await atRatio(box, figureRatio(), () => {
    const made = canvasFor(box, figureRatio())
    return made && paintPicture(box, glassOf(lab), made) ? made : null
  })
  if (!canvas) return null
  const { color } = getComputedStyle(document.documentElement)
  const ratio = canvas.width / box.clientWidth
  const look = { ratio, ground: glassOf(lab), ink: color, font: figureFont }
  return pngFile(`${lab.exportName()}-${name}`, captioned(canvas, caption, look))
}

const tableFormat = (lab: Lab, name: string, table: Table): FileFormat => ({
  name: 'CSV',
  testid: `export-csv-${name}`,
  make: async () => csvFile(`${lab.exportName()}-${name}`, tableCsv(table)),
})

/** The numbers behind the maps, and their figures, or pictures of the maps without axes. */
const maps: ExportKind = (lab) =>
  mapsOf(lab)
    .list()
    // The numbers behind a drawing are in the row of the drawing.
    .filter(({ map }) => !drawings().some(({ svg }) => map.element.contains(svg)))
    .map(({ map: { name, title, element, heat }, table }) => {
      const heatMap = heat?.()
      const images = heatMap
        ? figureFormats(lab, name, () => heatMapFigure(heatMap, sourceOf(lab), figureSize.value))
        : element.querySelector('canvas')
          ? [
              {
                name: 'PNG',
                testid: `export-map-${name}`,
                make: () => pictureOf(lab, element, name, `${title}. ${sourceOf(lab)}`),
              },
            ]
          : []
      return { label: title, detail: '', formats: [tableFormat(lab, name, table), ...images] }
    })

/** Videos of the main picture, if the browser can record them. */
const video: ExportKind = (lab) => {
  const type = videoType()
  if (!type || isRecording() || !pictureBox()) return []
  const world = lab.exhibit
  async function make(during?: () => Promise<void>): Promise<ExportFile | null> {
    const canvas = canvasFor(pictureBox()!)
    let ground = { theme: theme.now, color: glassOf(lab) }
    const paint = () => {
      if (lab.exhibit !== world) return false
      if (ground.theme !== theme.now) ground = { theme: theme.now, color: glassOf(lab) }
      // The last picture stays while another view replaces the present one.
      const box = pictureBox()
      if (box) paintPicture(box, ground.color, canvas!)
      return true
    }
    const bytes = canvas && (await recordVideo(canvas, paint, type!, during))
    return bytes && { name: `${lab.exportName()}-video.${type!.ending}`, bytes, mime: type!.mime }
  }
  /** Shows each snapshot from the first one on. */
  async function film(): Promise<ExportFile | null> {
    const { timeline } = lab
    await timeline.show(timeline.steps[0]!)
    try {
      return await make(() => timeline.play(true))
    } finally {
      timeline.present()
    }
  }
  const live = {
    label: 'Video',
    detail: 'Records the live view until you stop it',
    formats: [{ name: type.name, testid: 'record-video', make: () => make() }],
  }
  const ofRun = {
    label: 'Video of the run',
    detail: 'Plays the timeline and records it',
    formats: [{ name: type.name, testid: 'record-run', make: film }],
  }
  return lab.timeline.steps.length > 1 ? [live, ofRun] : [live]
}

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

/** Returns the formats of a figure. */
const figureFormats = (lab: Lab, name: string, figure: () => Figure): FileFormat[] => [
  ...vectorFormats(
    () => `${lab.exportName()}-${name}`,
    name,
    () => figureSvg(figure(), figureColors(hueOf(lab))),
  ),
  {
    name: 'PNG',
    testid: `export-png-${name}`,
    make: async () =>
      pngFile(
        `${lab.exportName()}-${name}`,
        figureCanvas(figure(), figureColors(hueOf(lab)), figureScale(figureRatio())),
      ),
  },
]

const charts: ExportKind = (lab) => {
  const { drawnRuns, compared, own, isInBand } = comparisonOf(lab)
  const source = `${titleOf(lab)}, ${drawnRuns}`
  const caption = { info: lab.info!, source, groups: compared, own }
  return displayedChartsOf(lab)
    .list()
    .map((chart) => {
      const isDrawnTwice = isInBand && chart.series.filter(({ positions }) => !positions).length === 1
      return isDrawnTwice && !ownLine.value ? withoutOwnLine(chart) : chart
    })
    .map((chart: ChartData) => ({
      label: chart.title,
      detail: '',
      formats: [
        ...figureFormats(lab, chart.name, () => chartFigure(chart, source, figureSize.value, legend.value)),
        {
          name: 'Caption',
          testid: `copy-caption-${chart.name}`,
          make: async () => {
            await copy(chartCaption(chart, caption), 'Caption copied', '')
            return null
          },
        },
      ],
    }))
}

const nameOf = ({ title }: Drawing) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** SVG drawings with axes of their own, such as the results against reference players, in the colors of the page. */
const plots: ExportKind = (lab) =>
  drawings().map((drawing) => {
    const known = mapsOf(lab)
      .list()
      .find(({ map }) => map.element.contains(drawing.svg))
    const copy = () => snapshot(drawing, getComputedStyle(document.documentElement).backgroundColor)
    return {
      label: drawing.title,
      detail: '',
      formats: [
        ...(known ? [tableFormat(lab, known.map.name, known.table)] : []),
        ...drawingFormats(() => `${lab.exportName()}-${nameOf(drawing)}`, nameOf(drawing), copy),
      ],
    }
  })

/** Figures of the chosen size. */
const figures: ExportKind = (lab) => {
  const rows = [...maps(lab), ...charts(lab)]
  const { runs, isInBand } = comparisonOf(lab)
  const choices = [
    figureSize.row(),
    ...(runs.length > 0 ? [legend.row()] : []),
    ...(isInBand ? [ownLine.row()] : []),
  ]
  return rows.length > 0 ? [...choices, ...rows] : []
}

/** Returns the rows of the menu. `own`: the kinds of the exhibit's family. */
export const exportRows = (lab: Lab, own: readonly ExportKind[]): ExportRow[] =>
  [
    checkpoint,
    network,
    ...own,
    metrics,
    comparisonTables,
    timesToSolve,
    picture,
    video,
    figures,
    plots,
  ].flatMap((kind) => kind(lab))

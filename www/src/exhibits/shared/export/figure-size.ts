/** Choice of the size of exported charts and heat maps, and of the legend of charts. */
import { printSize, screenSize } from '../../../charts/figure'

const sizes = [
  { name: 'Screen', testid: 'export-width-screen', size: screenSize },
  { name: '3.3\u00a0in', testid: 'export-width-column', size: printSize(3.3) },
  { name: '6.9\u00a0in', testid: 'export-width-page', size: printSize(6.9) },
] as const

let chosen: (typeof sizes)[number] = sizes[0]

/** Returns the chosen size. */
export const figureSize = () => chosen.size

/** Resolution of pictures of figures in print, dots per inch. */
const printResolution = 600

/** Returns the device pixels per unit of a figure of the chosen size. `onScreen`: device pixels per pixel of the screen. */
export const figureScale = (onScreen: number): number => {
  const { points } = chosen.size
  return points === null ? onScreen : (printResolution * points) / 72
}

const legends = [
  { name: 'With legend', testid: 'export-legend-with', isShown: true },
  { name: 'Without', testid: 'export-legend-without', isShown: false },
] as const

let legend: (typeof legends)[number] = legends[0]

/** Returns whether charts of several runs have a legend. */
export const hasLegend = (): boolean => legend.isShown

/** Returns the row of the menu in which the legend is chosen. */
export const legendRow = () => ({
  label: 'Legend of charts',
  detail: 'A caption, which is copied as text, names the lines, the bands and the settings that differ',
  formats: legends.map((one) => ({
    name: one.name,
    testid: one.testid,
    checked: one === legend,
    make: async () => {
      legend = one
      return null
    },
  })),
})

const ownLines = [
  { name: 'In its band', testid: 'export-own-band', isShown: false },
  { name: 'Own line', testid: 'export-own-line', isShown: true },
] as const

let ownLine: (typeof ownLines)[number] = ownLines[0]

/** Returns whether this run has its own line in a chart in which a band contains the run. */
export const hasOwnLine = (): boolean => ownLine.isShown

/** Returns the row of the menu in which the own line of this run is chosen. */
export const ownLineRow = () => ({
  label: 'This run in charts',
  detail: 'The band of its settings contains this run',
  formats: ownLines.map((one) => ({
    name: one.name,
    testid: one.testid,
    checked: one === ownLine,
    make: async () => {
      ownLine = one
      return null
    },
  })),
})

/** Returns the row of the menu in which the size is chosen. */
export const figureSizeRow = () => ({
  label: 'Width of figures',
  detail: 'In print: one or two columns, text of 8\u00a0pt, no title',
  formats: sizes.map((one) => ({
    name: one.name,
    testid: one.testid,
    checked: one === chosen,
    make: async () => {
      chosen = one
      return null
    },
  })),
})

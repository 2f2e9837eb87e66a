/** Choices of the export menu: size of charts and heat maps, legend and own line of charts, plays on boards. */
import { printSize, screenSize } from '../../../charts/figure'

interface Option<Value> {
  name: string
  testid: string
  value: Value
}

/** A choice, which applies until the page is reloaded. The first option is the default. */
class Choice<Value> {
  #chosen: Option<Value>

  constructor(
    private readonly label: string,
    private readonly detail: string,
    private readonly options: readonly [Option<Value>, ...Option<Value>[]],
  ) {
    this.#chosen = options[0]
  }

  get value(): Value {
    return this.#chosen.value
  }

  /** Returns the row of the menu. */
  row() {
    const { label, detail } = this
    const formats = this.options.map((option) => ({
      name: option.name,
      testid: option.testid,
      checked: option === this.#chosen,
      make: async () => {
        this.#chosen = option
        return null
      },
    }))
    return { label, detail, formats }
  }
}

/** Size of charts and heat maps. */
export const figureSize = new Choice(
  'Width of figures',
  'In print: one or two columns, text of 8\u00a0pt, no title',
  [
    { name: 'Screen', testid: 'export-width-screen', value: screenSize },
    { name: '3.3\u00a0in', testid: 'export-width-column', value: printSize(3.3) },
    { name: '6.9\u00a0in', testid: 'export-width-page', value: printSize(6.9) },
  ],
)

/** Resolution of pictures of figures in print, dots per inch. */
const printResolution = 600

/** Returns the device pixels per unit of a figure of the chosen size. `onScreen`: device pixels per pixel of the screen. */
export const figureScale = (onScreen: number): number => {
  const { points } = figureSize.value
  return points === null ? onScreen : (printResolution * points) / 72
}

/** Whether charts of several runs have a legend. */
export const legend = new Choice(
  'Legend of charts',
  'A caption, which is copied as text, names the lines, the bands and the settings that differ',
  [
    { name: 'With legend', testid: 'export-legend-with', value: true },
    { name: 'Without', testid: 'export-legend-without', value: false },
  ],
)

/** Whether this run has its own line in a chart in which a band contains the run. */
export const ownLine = new Choice('This run in charts', 'The band of its settings contains this run', [
  { name: 'In its band', testid: 'export-own-band', value: false },
  { name: 'Own line', testid: 'export-own-line', value: true },
])

/** Whether pictures of a board have the plays that the board shows. */
export const boardPlays = new Choice('Plays on the board', 'Arrows and marks of the hints or the analysis', [
  { name: 'Shown', testid: 'export-plays-with', value: true },
  { name: 'Hidden', testid: 'export-plays-without', value: false },
])

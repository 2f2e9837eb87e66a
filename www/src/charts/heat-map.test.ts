import { afterEach, expect, test, vi } from 'vitest'
import { signedStops } from '../lib/color'
import { printSize } from './figure'
import { fillWords, heatMapFigure, type HeatMap } from './heat-map'
import { figureSvg } from './svg'

afterEach(() => vi.unstubAllGlobals())

const map: HeatMap = {
  title: 'Policy <now>',
  size: 2,
  values: Float32Array.of(-1, 0, 0, 1),
  x: { label: 'Cart position (m)', ticks: ['−2.4', '0', '2.4'] },
  y: { label: 'Angle & velocity (°/s)', ticks: ['−12', '12'] },
  scale: { range: [-1, 1], ends: ['100 % left', '100 % right'], stops: signedStops(170, 'light') },
  note: '',
}
const runColors = { 'run-1': '#010', 'run-2': '#020', 'run-3': '#030', 'run-4': '#040' }
const colors = { ground: '#fff', ink: '#000', muted: '#666', grid: '#ddd', accent: '#a00', ...runColors }

/** Returns the marks of a kind. */
const marksOf = <Kind extends string>(kind: Kind, of = map) =>
  heatMapFigure(of, 'CartPole, seed 1').marks.flatMap((mark) =>
    mark.kind === kind ? [mark as Extract<typeof mark, { kind: Kind }>] : [],
  )

test('the ticks are evenly spaced between the ends of their axes, which are the edges of the cells', () => {
  const [cells] = marksOf('image')
  const place = (text: string) => marksOf('text').find((mark) => mark.text === text)!.at
  const [left, top] = cells!.at
  expect(map.x.ticks.map((tick) => place(tick)[0] - left)).toEqual([0, cells!.width / 2, cells!.width])
  const [low, high] = map.y.ticks.map((tick) => place(tick)[1] - 4 - top)
  expect([low, high]).toEqual([cells!.height, 0])
})

test('the cells have the colors of the scale, whose upper end is its highest value', () => {
  const [cells, scale] = marksOf('image').map(({ pixels }) => pixels)
  expect(cells).toMatchObject({ columns: 2, rows: 2 })
  const [top, bottom] = [scale!.words[0], scale!.words.at(-1)]
  // The first row of an image is the upper one.
  expect(cells!.words[1]).toBe(top)
  expect(cells!.words[2]).toBe(bottom)
  expect(top).not.toBe(bottom)
  const heightOf = (text: string) => marksOf('text').find((mark) => mark.text === text)!.at[1]
  expect(heightOf('100 % right')).toBeLessThan(heightOf('100 % left'))
})

test('a note is below the map, inside the figure, and in the description', () => {
  const { height, description } = heatMapFigure({ ...map, note: 'Other dimensions: 0.' }, 'CartPole')
  expect(height).toBeGreaterThan(heatMapFigure(map, 'CartPole').height)
  expect(description).toBe('CartPole; Other dimensions: 0.')
  const note = marksOf('text', { ...map, note: 'Other dimensions: 0.' }).at(-1)!
  expect(note).toMatchObject({ text: 'Other dimensions: 0.' })
  expect(note.at[1]).toBeLessThan(height)
})

test('the SVG text embeds the cells, enlarged with sharp edges, and escapes its labels', () => {
  const drawn: { width: number; height: number; words: Uint32Array }[] = []
  vi.stubGlobal('document', {
    createElement: () => {
      const canvas = {
        width: 0,
        height: 0,
        getContext: () => pen,
        toDataURL: () => 'data:image/png;base64,AA==',
      }
      const pen = {
        createImageData: (width: number, height: number) => ({
          ...{ width, height, data: new Uint8ClampedArray(4 * width * height) },
        }),
        putImageData: ({ width, height, data }: ImageData) =>
          drawn.push({ width, height, words: new Uint32Array(data.buffer) }),
      }
      return canvas
    },
  })
  const svg = figureSvg(heatMapFigure(map, 'CartPole, seed 1'), colors)
  expect(svg.match(/<image [^>]*xlink:href="data:image\/png;base64,AA=="\/>/g)).toHaveLength(2)
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  for (const text of [
    ...['Policy &lt;now&gt;', 'CartPole, seed 1', 'Cart position (m)', 'Angle &amp; velocity (°/s)'],
    ...['−2.4', '2.4', '−12', '12', '100 % left', '100 % right'],
  ])
    expect(texts).toContain(text)
  expect(svg).not.toMatch(/NaN|undefined/)
  const [{ width, words }] = drawn as [(typeof drawn)[number]]
  const side = width / 2
  expect(side).toBeGreaterThan(1)
  const { pixels } = marksOf('image')[0]!
  const at = (x: number, y: number) => words[y * width + x]
  expect([at(0, 0), at(side - 1, side - 1)]).toEqual([pixels.words[0], pixels.words[0]])
  expect([at(side, 0), at(side - 1, side)]).toEqual([pixels.words[1], pixels.words[2]])
})

test('row 0 of the values is drawn at the bottom', () => {
  const words = new Uint32Array(4)
  fillWords(words, Float32Array.of(0, 1, 2, 3), 2, Uint32Array.of(10, 11, 12, 13), 0, 3)
  expect([...words]).toEqual([12, 13, 10, 11])
})

test('values out of range and NaN get an end of the color ramp', () => {
  const words = new Uint32Array(4)
  fillWords(words, Float32Array.of(-9, 9, NaN, Infinity), 2, Uint32Array.of(10, 11), 0, 1)
  expect([...words]).toEqual([10, 11, 10, 11])
})

test('a heat map for print has the width of a column, and no title', () => {
  const { width, height, points, marks } = heatMapFigure(map, 'CartPole, seed 1', printSize(3.3))
  expect(width * points!).toBeCloseTo(72 * 3.3)
  expect(marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))).not.toContain(map.title)
  const bottoms = marks.map((mark) => (mark.kind === 'image' ? mark.at[1] + mark.height : 0))
  expect(Math.max(...bottoms)).toBeLessThan(height)
})

import { expect, test } from 'vitest'
import { lineLabelPlace, type Point } from './line-label'

const plot = { left: 0, right: 300, top: 0, bottom: 200 }
const size = { width: 60, height: 16 }
const at = (y: number, ...curves: Point[][]) => lineLabelPlace(plot, y, size, curves)

test('the label of a line is below its right end if no curve is there', () => {
  expect(at(100)).toEqual({ left: 240, top: 103 })
  expect(
    at(100, [
      [0, 200],
      [100, 90],
      [300, 80],
    ]),
  ).toEqual({ left: 240, top: 103 })
})

test('the label is at another place if a curve crosses the first one, and inside the plot', () => {
  // A curve that falls below the line at its end.
  const end: Point[] = [
    [0, 90],
    [250, 90],
    [300, 180],
  ]
  expect(at(100, end)).toEqual({ left: 120, top: 103 })
  // A curve closely below the whole line.
  expect(
    at(100, [
      [0, 106],
      [300, 106],
    ]),
  ).toEqual({ left: 240, top: 81 })
  // No room above the line.
  const places = [
    [],
    end,
    [
      [0, 12],
      [300, 12],
    ] as Point[],
  ].map((curve) => at(5, curve))
  for (const { top } of places) expect(top).toBe(8)
})

test('if curves cross all places, the place with the fewest crossings is used', () => {
  const dense: Point[] = Array.from({ length: 61 }, (_, i) => [5 * i, i % 2 === 0 ? 0 : 200])
  const sparse = dense.filter(([x]) => x < 120 || x > 190)
  expect(at(100, sparse).left).toBe(120)
})

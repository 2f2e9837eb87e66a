/** Place of the label of a horizontal reference line, where the fewest curves cross the label. */

/** Position in pixels. */
export type Point = readonly [x: number, y: number]

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Distance of the label from the line, in pixels. */
const gap = 3

/** Returns whether a segment from left to right crosses a box. */
function crosses([x1, y1]: Point, [x2, y2]: Point, { left, right, top, bottom }: Box): boolean {
  if (x2 < left || x1 > right) return false
  const at = (x: number) => (x2 > x1 ? y1 + ((y2 - y1) * (x - x1)) / (x2 - x1) : y1)
  const ends = x2 > x1 ? [at(Math.max(left, x1)), at(Math.min(right, x2))] : [y1, y2]
  return Math.max(...ends) >= top && Math.min(...ends) <= bottom
}

/**
 * Returns the top left corner of the label of a line at height `y`, inside `plot`: the first place that no curve crosses, or the
 * place that the fewest segments cross. The places are below and above the line, each at the right end, in the middle and at the left
 * end. `curves`: points from left to right.
 */
export function lineLabelPlace(
  plot: Box,
  y: number,
  { width, height }: { width: number; height: number },
  curves: readonly (readonly Point[])[],
): { left: number; top: number } {
  const tops = [y + gap, y - gap - height].filter((top) => top >= plot.top && top + height <= plot.bottom)
  const lefts = [plot.right - width, (plot.left + plot.right - width) / 2, plot.left]
  const places = tops.flatMap((top) => lefts.map((left) => ({ left, top })))
  let best = { left: lefts[0]!, top: y + gap }
  let fewest = Infinity
  for (const place of places) {
    const box = { ...place, right: place.left + width, bottom: place.top + height }
    const count = curves.reduce(
      (sum, points) =>
        sum + points.filter((point, i) => crosses(points[Math.max(0, i - 1)]!, point, box)).length,
      0,
    )
    if (count < fewest) [best, fewest] = [place, count]
    if (count === 0) break
  }
  return best
}

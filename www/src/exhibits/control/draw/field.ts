/** Layout of environments in rows that recede to a horizon. */
import { Places } from './scene'

export interface Field {
  places: Places
  /** Width of an environment in the front row, in pixels. */
  cell: number
  /** Rows from front to back: y of the ground line, scale, index of the first environment, number of environments. */
  rows: { y: number; scale: number; first: number; count: number }[]
}

/** Distance between rows, in units of the distance to the first row. */
const recession = 0.17

/** Preferred distance of the first two rows, as a fraction of an environment's width. */
const rowShare = 0.6

/**
 * Places `count` environments between the ground lines of the front row (`bottom`) and the last row (`top`), front row
 * first. Widths and row distances shrink with the distance; the number of rows is chosen to approximate `rowShare`.
 */
export function field(count: number, width: number, top: number, bottom: number): Field {
  let best = arrange(1, count, width, top, bottom)
  for (let rows = 2; rows <= 40; rows++) {
    const next = arrange(rows, count, width, top, bottom)
    if (next.miss < best.miss) best = next
  }
  return best
}

function arrange(
  rowCount: number,
  count: number,
  width: number,
  top: number,
  bottom: number,
): Field & { miss: number } {
  const scales = Array.from({ length: rowCount }, (_, i) => 1 / (1 + recession * i))
  const weights = scales.map((s) => 1 / s)
  const total = weights.reduce((a, b) => a + b, 0)
  const last = scales.at(-1)!
  const places = new Places(count)
  const rows: Field['rows'] = []
  let before = 0
  let placed = 0
  for (const [i, scale] of scales.entries()) {
    before += weights[i]!
    const upTo = i === rowCount - 1 ? count : Math.round((before / total) * count)
    const y = rowCount === 1 ? bottom : top + ((bottom - top) * (scale - last)) / (1 - last)
    const n = upTo - placed
    rows.push({ y, scale, first: placed, count: n })
    for (let k = 0; k < n; k++) {
      places.xs[placed + k] = ((k + 0.5) / n) * width
      places.ys[placed + k] = y
      places.scales[placed + k] = scale
    }
    placed = upTo
  }
  const cell = (width / count) * total
  const spacing = rowCount === 1 ? bottom - top : rows[0]!.y - rows[1]!.y
  return { places, rows, cell, miss: Math.abs(spacing - rowShare * cell) }
}

/** Keyboard navigation of a menu. */

/** Position of an item: row and column. */
export type ItemPosition = readonly [row: number, column: number]

/**
 * Returns the item that a key moves the focus to, or null for other keys. Rows are cyclic. `columns`: number of items in
 * each row.
 */
export function nextItem(
  key: string,
  [row, column]: ItemPosition,
  columns: readonly number[],
): ItemPosition | null {
  const rows = columns.length
  const inRow = (row: number): ItemPosition => [row, Math.min(column, columns[row]! - 1)]
  switch (key) {
    case 'ArrowDown':
      return inRow((row + 1) % rows)
    case 'ArrowUp':
      return inRow((row + rows - 1) % rows)
    case 'Home':
      return [0, 0]
    case 'End':
      return inRow(rows - 1)
    case 'ArrowLeft':
      return [row, Math.max(0, column - 1)]
    case 'ArrowRight':
      return [row, Math.min(columns[row]! - 1, column + 1)]
    default:
      return null
  }
}

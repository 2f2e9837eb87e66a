/** Conway's Game of Life: the rule, and its violations by a circuit. */
import type { CircuitFrame } from './circuit/netlist'
import type { Board } from './draw/board'

/** Number of 3×3 neighborhoods. Bit i of a neighborhood is the cell at position i, 0 to 8, row by row (4 = center). */
export const cases = 512

export function rule(neighborhood: number): boolean {
  let alive = 0
  for (let place = 0; place < 9; place++) if (place !== 4) alive += (neighborhood >> place) & 1
  return alive === 3 || (alive === 2 && ((neighborhood >> 4) & 1) === 1)
}

/** Number of neighborhoods whose middle cell is alive after one step. */
export const livingNeighborhoods = Array.from({ length: cases }, (_, n) => rule(n)).filter(Boolean).length

/**
 * Returns the neighborhood number of a cell in channel 0. Cells beyond an edge are the cells at the opposite edge if
 * `periodic`, else 0.
 */
export function neighborhoodAt(board: Board, column: number, row: number, periodic: boolean): number {
  const { width, height, channels, data } = board
  let bits = 0
  for (let place = 0; place < 9; place++) {
    let x = column + (place % 3) - 1
    let y = row + Math.floor(place / 3) - 1
    if (periodic) [x, y] = [(x + width) % width, (y + height) % height]
    else if (x < 0 || y < 0 || x >= width || y >= height) continue
    if (data[(y * width + x) * channels]! > 127) bits |= 1 << place
  }
  return bits
}

/** Returns the output (0 or 1) of channel 0 of a circuit for each neighborhood, [512]; all other channels are 0. */
export function nextCells({ gates, outputs }: CircuitFrame): Uint8Array {
  const inputs = 9 * outputs.length
  const count = gates.length / 4
  // Bit-sliced evaluation: 32 neighborhoods per word.
  const words = cases / 32
  const values = new Int32Array((inputs + count) * words)
  for (let place = 0; place < 9; place++) {
    for (let n = 0; n < cases; n++) {
      if ((n >> place) & 1) values[place * words + (n >> 5)]! |= 1 << (n & 31)
    }
  }
  for (let gate = 0; gate < count; gate++) {
    const [f, a, b] = [gates[4 * gate]!, gates[4 * gate + 1]!, gates[4 * gate + 2]!]
    for (let w = 0; w < words; w++) {
      values[(inputs + gate) * words + w] = apply(f, values[a * words + w]!, values[b * words + w]!)
    }
  }
  const output = outputs[0]!
  return Uint8Array.from({ length: cases }, (_, n) => (values[output * words + (n >> 5)]! >>> (n & 31)) & 1)
}

/** Evaluates gate function `f` bitwise for 32 input pairs. */
function apply(f: number, a: number, b: number): number {
  const both = (bit: number, word: number) => (f & bit ? word : 0)
  // The function number is the truth table: bit 0 for (1, 1), bit 1 for (1, 0), bit 2 for (0, 1), bit 3 for (0, 0).
  return both(1, a & b) | both(2, a & ~b) | both(4, ~a & b) | both(8, ~a & ~b)
}

/** Returns an array [512] with 1 for each neighborhood for which the output differs from the rule, else 0. */
export function ruleViolations(nextCells: Uint8Array): Uint8Array {
  return nextCells.map((answer, n) => Number(answer !== Number(rule(n))))
}

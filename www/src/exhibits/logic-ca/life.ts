/** Conway's rule, and where a circuit breaks it. */
import type { CircuitFrame } from './circuit/netlist'
import type { Board } from './draw/board'

/** Neighborhoods of 3×3 cells; bit i of a number is the cell at place i, row by row, the center being 4. */
export const cases = 512

export function rule(neighborhood: number): boolean {
  let alive = 0
  for (let place = 0; place < 9; place++) if (place !== 4) alive += (neighborhood >> place) & 1
  return alive === 3 || (alive === 2 && ((neighborhood >> 4) & 1) === 1)
}

/** The neighborhood of a cell of a board of one channel. Beyond the edges is the other side, or nothing. */
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

/** What a circuit makes of each neighborhood, 0 or 1; its other channels are all off. */
export function answers({ gates, outputs }: CircuitFrame): Uint8Array {
  const inputs = 9 * outputs.length
  const count = gates.length / 4
  // A bit a case, 32 of them a word.
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

/** The sixteen functions of two bits, by number. */
function apply(f: number, a: number, b: number): number {
  const both = (bit: number, word: number) => (f & bit ? word : 0)
  // In the order of the publication, the function's number in binary is its table: 1 for both on, 2 for the first
  // alone, 4 for the second alone, 8 for neither.
  return both(1, a & b) | both(2, a & ~b) | both(4, ~a & b) | both(8, ~a & ~b)
}

/** For each neighborhood, 1 where these answers break the rule. */
export function breaks(answers: Uint8Array): Uint8Array {
  return answers.map((answer, n) => Number(answer !== Number(rule(n))))
}

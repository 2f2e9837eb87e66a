/** Faces and rolling animation of dice. */
import { random } from '../../../lib/random'

const [near, middle, far] = [24, 50, 76]

/** Pip positions of each face, in percent. */
export const faces: readonly (readonly (readonly [x: number, y: number])[])[] = [
  [],
  [[middle, middle]],
  [
    [near, far],
    [far, near],
  ],
  [
    [near, far],
    [middle, middle],
    [far, near],
  ],
  [
    [near, near],
    [near, far],
    [far, near],
    [far, far],
  ],
  [
    [near, near],
    [near, far],
    [middle, middle],
    [far, near],
    [far, far],
  ],
  [
    [near, near],
    [near, middle],
    [near, far],
    [far, near],
    [far, middle],
    [far, far],
  ],
]

/** Returns the `count` faces of a rolling animation. Consecutive faces differ; the last face is `final`. */
export function tumble(final: number, seed: number, count: number): number[] {
  const next = random(seed)
  const shown = [final]
  while (shown.length < count) {
    const other = 1 + Math.floor(next() * 5)
    shown.unshift(other >= shown[0]! ? other + 1 : other)
  }
  return shown
}

/** Rolls whose animation has been shown by each die of a board. */
export class ShownRolls {
  readonly #shown: number[] = []

  /** Returns whether a die has not shown a roll or a later one yet, and stores that the die shows the roll. `order`: index of the die. */
  begin(order: number, roll: number): boolean {
    if (roll <= (this.#shown[order] ?? 0)) return false
    this.#shown[order] = roll
    return true
  }
}

export interface ShownDie {
  value: number
  spent: boolean
}

/** Returns the dice of a roll with their played state; a double has four. */
export function shownDice(roll: readonly [number, number], left: readonly number[] | null): ShownDie[] {
  const [a, b] = roll
  const all = a === b ? [a, a, a, a] : [a, b]
  if (left === null) return all.map((value) => ({ value, spent: false }))
  const unplayed = [...left]
  // Of equal dice, the left ones are played first.
  return all
    .reverse()
    .map((value) => {
      const at = unplayed.indexOf(value)
      if (at >= 0) unplayed.splice(at, 1)
      return { value, spent: at < 0 }
    })
    .reverse()
}

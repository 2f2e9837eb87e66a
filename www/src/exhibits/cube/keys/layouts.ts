/** Keyboard layouts: the move of each key. */
import { hasLayers, readMove } from '../model/layer-move'
import type { KeyBinding, KeyGroup } from '../../../kit/keys'
import type { Size } from '../model/turns'

export type KeyLayout = 'letters' | 'cstimer'

/** Letters of the notation: clockwise, and counter-clockwise with Shift. */
const letters = ['U', 'R', 'F', 'D', 'L', 'B', 'x', 'y', 'z', 'M', 'E', 'S']

/**
 * Keys of the virtual cube of csTimer (`generateCubeKeyMapping` in
 * https://github.com/cs0x7f/cstimer/blob/master/src/js/twisty/twistynnn.js).
 */
export const cstimer: Readonly<Record<string, string>> = {
  i: 'R',
  k: "R'",
  j: 'U',
  f: "U'",
  h: 'F',
  g: "F'",
  d: 'L',
  e: "L'",
  s: 'D',
  l: "D'",
  w: 'B',
  o: "B'",
  ';': 'y',
  a: "y'",
  y: 'x',
  t: 'x',
  n: "x'",
  b: "x'",
  p: 'z',
  q: "z'",
  u: 'Rw',
  m: "Rw'",
  v: 'Lw',
  r: "Lw'",
  ',': 'Uw',
  c: "Uw'",
  z: 'Dw',
  '/': "Dw'",
  '5': 'M',
  '6': 'M',
  x: "M'",
  '.': "M'",
  '2': 'E',
  '9': "E'",
  '0': 'S',
  '1': "S'",
}

/** Keys of the cube that make no move. */
export const cubeKeys = {
  solve: { keys: ['Enter'], label: 'Solve or stop' },
  back: { keys: ['ArrowLeft'], label: 'Back' },
  forward: { keys: ['ArrowRight'], label: 'Forward' },
} satisfies Record<string, KeyBinding>

/** Keys that act only with the focus on the cube: Home scrolls the page. */
export const focusKeys = {
  home: { keys: ['Home'], label: 'Reset the view, with the focus on the cube' },
} satisfies Record<string, KeyBinding>

/** Further keys of the cube, see {@link historyKey}, with all that make no move. */
export const otherKeys: readonly KeyBinding[] = [
  { keys: ['Backspace', 'Ctrl+Z'], label: 'Undo' },
  { keys: ['Ctrl+Shift+Z'], label: 'Redo' },
  ...Object.values(cubeKeys),
  ...Object.values(focusKeys),
]

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** Returns the move of a key in standard notation, such as `R'`; null if the key makes no move. */
export function moveOfKey(layout: KeyLayout, { key, code, shiftKey }: Pressed): string | null {
  const small = key.toLowerCase()
  // Keyboards of other languages have the semicolon elsewhere.
  if (layout === 'cstimer') return cstimer[small] ?? (code === 'Semicolon' ? cstimer[';']! : null)
  const name = letters.find((letter) => letter.toLowerCase() === small)
  return name === undefined ? null : shiftKey ? `${name}'` : name
}

export type HistoryKey = 'undo' | 'redo'

/** Returns whether a key undoes or redoes: Backspace, Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, on macOS with Cmd. */
export function historyKey(
  event: Omit<Pressed, 'code'> & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>,
): HistoryKey | null {
  const { key, shiftKey, altKey } = event
  const control = event.ctrlKey || event.metaKey
  if (altKey) return null
  if (key === 'Backspace' && !control) return shiftKey ? 'redo' : 'undo'
  if (!control) return null
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo'
  return key.toLowerCase() === 'y' ? 'redo' : null
}

export interface KeyRow {
  move: string
  /** Keys of the clockwise move, separated by spaces. */
  clockwise: string
  counterClockwise: string
}

/** Returns the moves of a cube with their keys, for display. */
export function keyTable(layout: KeyLayout, size: Size): KeyRow[] {
  const keysOf = (move: string) =>
    Object.keys(cstimer)
      .filter((key) => cstimer[key] === move)
      .map((key) => key.toUpperCase())
      .join(' ')
  const named = layout === 'cstimer' ? [...letters, 'Rw', 'Lw', 'Uw', 'Dw'] : letters
  return named
    .filter((name) => hasLayers(size, readMove(name)!))
    .map((move) => {
      if (layout === 'cstimer') return { move, clockwise: keysOf(move), counterClockwise: keysOf(`${move}'`) }
      const key = move.toUpperCase()
      return { move, clockwise: key, counterClockwise: `Shift ${key}` }
    })
}

/** Returns the keys of a column of {@link keyTable}, as of a {@link KeyBinding}. */
const keyValues = (column: string): string[] =>
  column.startsWith('Shift ') ? [column.replace(' ', '+')] : column.toLowerCase().split(' ')

/** Returns the list of the keys of a cube. */
export const keyGroups = (layout: KeyLayout, size: Size): KeyGroup[] => [
  {
    title: 'Cube: clockwise, counter-clockwise',
    bindings: keyTable(layout, size).map(({ move, clockwise, counterClockwise }) => ({
      keys: [...keyValues(clockwise), ...keyValues(counterClockwise)],
      label: move,
    })),
  },
  { title: 'Cube', bindings: otherKeys },
  {
    title: 'Speedcubing, while its panel is open',
    bindings: [
      { keys: [' '], label: 'Next scramble, inspection, timer of the physical cube' },
      { keys: ['Escape'], label: 'Cancel the inspection, or end the solve as DNF' },
    ],
  },
]

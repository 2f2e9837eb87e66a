/** The colors of cells: one channel as an ember that is out, glows, or burns; three as red, green and blue light. */
import { oklchToRgb, pixels, ramp, type Oklch, type Rgb, type Theme } from '../../../lib/color'

/** Colors of cell values as the little-endian RGBA words of an `ImageData`. */
export interface Palette {
  /** Of one channel, by value 0 to 255. */
  ember: Uint32Array
  /** Corners of the color cube, `red + 2·green + 4·blue`. */
  corners: readonly Rgb[]
  /** Behind the cells. */
  ground: Rgb
}

/** Value 0 is a cell that is there and off: it stands out a little from the ground. */
function emberStops(hue: number, theme: Theme): Oklch[] {
  return theme === 'dark'
    ? [
        [0.205, 0.018, hue - 40],
        [0.33, 0.075, hue - 26],
        [0.5, 0.14, hue - 8],
        [0.69, 0.165, hue + 6],
        [0.88, 0.1, hue + 10],
      ]
    : [
        [0.955, 0.008, hue - 10],
        [0.88, 0.045, hue + 6],
        [0.76, 0.105, hue + 4],
        [0.62, 0.15, hue - 8],
        [0.47, 0.15, hue - 18],
      ]
}

// Light adds up on a dark ground, so colored cells have one in daylight as well. The corners are a little softer than
// the screen's own primaries, which do not go together.
const cornerColors: readonly Oklch[] = [
  [0.215, 0.012, 300],
  [0.65, 0.2, 24],
  [0.79, 0.18, 146],
  [0.9, 0.155, 98],
  [0.6, 0.185, 264],
  [0.69, 0.21, 338],
  [0.85, 0.12, 205],
  [0.97, 0.004, 300],
]

/** The eight colors that three channels have, by `red + 2·green + 4·blue`. */
export const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

export function palette(hue: number, theme: Theme, channels: number): Palette {
  const dark = theme === 'dark' || channels === 3
  return {
    ember: pixels(ramp(emberStops(hue, theme), 256)),
    corners: cornerColors.map(oklchToRgb),
    ground: oklchToRgb(dark ? [0.155, 0.012, 300] : [0.985, 0.003, 160]),
  }
}

/** Red, green and blue, 0 to 255 each, between the corners (trilinear). */
export function mix(corners: readonly Rgb[], red: number, green: number, blue: number): number {
  const [r, g, b] = [red / 255, green / 255, blue / 255]
  const part = (channel: 0 | 1 | 2) => {
    const c = (i: number) => corners[i]![channel]
    const low = (c(0) * (1 - r) + c(1) * r) * (1 - g) + (c(2) * (1 - r) + c(3) * r) * g
    const high = (c(4) * (1 - r) + c(5) * r) * (1 - g) + (c(6) * (1 - r) + c(7) * r) * g
    return Math.round(low * (1 - b) + high * b)
  }
  return ((255 << 24) | (part(2) << 16) | (part(1) << 8) | part(0)) >>> 0
}

/** Coarser than a byte, as no eye tells more shades of three channels apart. */
const levels = 16

/** Words of the colors of three channels, `levels` values of each. */
function cube(corners: readonly Rgb[]): Uint32Array {
  const step = 255 / (levels - 1)
  return Uint32Array.from({ length: levels ** 3 }, (_, i) =>
    mix(
      corners,
      (i % levels) * step,
      (Math.floor(i / levels) % levels) * step,
      Math.floor(i / levels ** 2) * step,
    ),
  )
}

const cubes = new WeakMap<readonly Rgb[], Uint32Array>()

/** Fills `out` with the colors of cells; `cells` holds `channels` bytes (1 or 3) of each. */
export function color(cells: Uint8Array, channels: number, palette: Palette, out: Uint32Array): void {
  if (channels === 3) {
    let table = cubes.get(palette.corners)
    if (!table) cubes.set(palette.corners, (table = cube(palette.corners)))
    for (let i = 0, at = 0; i < out.length; i++, at += 3) {
      // The upper four bits of each byte.
      out[i] = table[(cells[at]! >> 4) | (cells[at + 1]! & 0xf0) | ((cells[at + 2]! & 0xf0) << 4)]!
    }
  } else {
    // Of two channels, the first is the one to see.
    const { ember } = palette
    for (let i = 0, at = 0; i < out.length; i++, at += channels) out[i] = ember[cells[at]!]!
  }
}

export const word = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0

export const cssOf = (word: number): string => `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`

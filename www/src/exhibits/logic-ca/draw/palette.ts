/** Colors of cells: a heat ramp for one channel, additive red, green and blue for three. */
import { oklchToRgb, pixels, ramp, type Oklch, type Rgb, type Theme } from '../../../lib/color'

/** Colors of cell values as little-endian RGBA words, as in `ImageData`. */
export interface Palette {
  /** [256] colors of the values of a single channel. */
  ember: Uint32Array
  /** [8] colors of the corners of the color cube, by `red + 2·green + 4·blue`. */
  corners: readonly Rgb[]
  /** Background color, behind the cells. */
  ground: Rgb
}

/** Returns the stops of the color ramp; the color of value 0 is slightly lighter or darker than the background. */
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

// Colored cells have a dark background in both themes. The corners are less saturated than the sRGB primaries.
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

/** Names of the eight colors of three channels, by `red + 2·green + 4·blue`. */
export const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

export function palette(hue: number, theme: Theme, channels: number): Palette {
  const dark = theme === 'dark' || channels === 3
  return {
    ember: pixels(ramp(emberStops(hue, theme), 256)),
    corners: cornerColors.map(oklchToRgb),
    ground: oklchToRgb(dark ? [0.155, 0.012, 300] : [0.985, 0.003, 160]),
  }
}

/** Returns the trilinear interpolation between the corners of the color cube; red, green and blue are 0 to 255. */
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

/** Number of levels per channel in the color table. */
const levels = 16

/** Returns the color table of three channels, [levels, levels, levels]; red varies fastest. */
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

/** Writes the colors of cells to `out`; `cells` has `channels` bytes per cell. */
export function color(cells: Uint8Array, channels: number, palette: Palette, out: Uint32Array): void {
  if (channels === 3) {
    let table = cubes.get(palette.corners)
    if (!table) cubes.set(palette.corners, (table = cube(palette.corners)))
    for (let i = 0, at = 0; i < out.length; i++, at += 3) {
      // The upper four bits of each byte.
      out[i] = table[(cells[at]! >> 4) | (cells[at + 1]! & 0xf0) | ((cells[at + 2]! & 0xf0) << 4)]!
    }
  } else {
    // Only the first channel is displayed.
    const { ember } = palette
    for (let i = 0, at = 0; i < out.length; i++, at += channels) out[i] = ember[cells[at]!]!
  }
}

export const word = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0

export const cssOf = (word: number): string => `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`

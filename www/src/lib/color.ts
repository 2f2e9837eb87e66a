/**
 * Color in OKLab, a perceptually uniform space (Björn Ottosson, "A perceptual color space for image processing", 2020).
 * Ramps are interpolated in it, so that lightness rises evenly and they are readable without hue.
 */

export type Oklch = readonly [lightness: number, chroma: number, hueDegrees: number]
export type Rgb = readonly [red: number, green: number, blue: number]
export type Theme = 'dark' | 'light'

type Lab = readonly [number, number, number]

function toLab([l, c, h]: Oklch): Lab {
  const angle = (h * Math.PI) / 180
  return [l, c * Math.cos(angle), c * Math.sin(angle)]
}

function gamma(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
}

function labToRgb([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channel = (v: number) => Math.round(255 * gamma(Math.min(1, Math.max(0, v))))
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** Converts an OKLCH color to sRGB bytes; colors outside sRGB are clipped by channel. */
export function oklchToRgb(color: Oklch): Rgb {
  return labToRgb(toLab(color))
}

/** Returns the relative luminance (WCAG 2.2) of sRGB bytes, 0 for black to 1 for white. */
export function luminance([r, g, b]: Rgb): number {
  const linear = (byte: number) => {
    const v = byte / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** Returns the WCAG contrast ratio of two colors, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [la, lb] = [luminance(a), luminance(b)]
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05)
}

/** Returns `count` colors, evenly spaced in OKLab over evenly spaced stops. */
export function ramp(stops: readonly Oklch[], count: number): Rgb[] {
  const labs = stops.map(toLab)
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 0 : (i / (count - 1)) * (labs.length - 1)
    const k = Math.min(labs.length - 2, Math.floor(at))
    const [from, to] = [labs[k]!, labs[k + 1]!]
    const t = at - k
    return labToRgb([0, 1, 2].map((d) => from[d]! + t * (to[d]! - from[d]!)) as unknown as Lab)
  })
}

/** Returns color stops from low quality (close to the background) to high quality (the environment's accent). */
export function qualityStops(hue: number, theme: Theme): Oklch[] {
  return theme === 'dark'
    ? [
        [0.42, 0.022, 190],
        [0.64, 0.115, hue - 10],
        [0.87, 0.15, hue + 6],
      ]
    : [
        [0.8, 0.015, 185],
        [0.66, 0.11, hue + 2],
        [0.52, 0.16, hue - 16],
      ]
}

/** Returns the color stops of heat maps from low (close to the background) to high values. */
export function valueStops(hue: number, theme: Theme): Oklch[] {
  return theme === 'dark'
    ? [
        [0.22, 0.015, 190],
        [0.5, 0.09, hue - 12],
        [0.87, 0.14, hue],
      ]
    : [
        [0.95, 0.01, 185],
        [0.72, 0.11, hue + 8],
        [0.48, 0.135, hue - 6],
      ]
}

/** Returns color stops from −1 to 1 with a neutral middle: complementary hue below, accent above. */
export function signedStops(hue: number, theme: Theme): Oklch[] {
  return theme === 'dark'
    ? [
        [0.74, 0.11, hue + 165],
        [0.26, 0.012, 185],
        [0.8, 0.14, hue],
      ]
    : [
        [0.52, 0.11, hue + 165],
        [0.95, 0.008, 185],
        [0.55, 0.15, hue - 6],
      ]
}

export function css([r, g, b]: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${r} ${g} ${b})` : `rgb(${r} ${g} ${b} / ${alpha})`
}

/** Returns a ramp as little-endian RGBA words for an `ImageData`. */
export function pixels(colors: readonly Rgb[]): Uint32Array {
  return Uint32Array.from(colors, ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0)
}

/** Returns the index of a value among `buckets` equal parts of [0, 1]; NaN counts as 0. */
export function bucket(value: number, buckets: number): number {
  const i = Math.floor(value * buckets)
  return i > 0 ? Math.min(i, buckets - 1) : 0
}

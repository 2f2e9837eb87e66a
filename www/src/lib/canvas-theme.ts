/** Colors and font of canvases, from the page's CSS variables and the environment's hue. */
import {
  css,
  qualityStops,
  oklchToRgb,
  pixels,
  ramp,
  signedStops,
  valueStops,
  type Rgb,
  type Theme,
} from './color'

/** Number of quality colors in previews, which are drawn one color after the other. */
export const qualityColors = 20

export interface CanvasTheme {
  theme: Theme
  /** Colors from low to high quality of an agent. */
  quality: string[]
  ink: string
  muted: string
  line: string
  lineStrong: string
  glass: string
  glassFar: string
  accent: string
  /** Complementary color of the accent, for the user's external force. */
  counter: string
  value: Uint32Array
  signed: Uint32Array
  qualityGradient: string
  valueGradient: string
  signedGradient: string
}

export function canvasTheme(hue: number, theme: Theme): CanvasTheme {
  const token = resolver()
  const value = ramp(valueStops(hue, theme), 256)
  const signed = ramp(signedStops(hue, theme), 256)
  return {
    theme,
    quality: ramp(qualityStops(hue, theme), qualityColors).map((rgb) => css(rgb)),
    ink: token('--ink'),
    muted: token('--muted'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
    glass: token('--glass'),
    glassFar: token('--glass-far'),
    accent: css(oklchToRgb(theme === 'dark' ? [0.82, 0.135, hue] : [0.495, 0.14, hue - 18])),
    counter: css(oklchToRgb(theme === 'dark' ? [0.82, 0.09, hue + 165] : [0.5, 0.1, hue + 165])),
    value: pixels(value),
    signed: pixels(signed),
    qualityGradient: gradient(ramp(qualityStops(hue, theme), 33)),
    valueGradient: gradient(value),
    signedGradient: gradient(signed),
  }
}

function gradient(colors: readonly Rgb[]): string {
  const some = colors.filter((_, i) => i % 32 === 0 || i === colors.length - 1)
  return `linear-gradient(to right, ${some.map((c) => css(c)).join(', ')})`
}

/** Returns the size of the page's type relative to its default. Canvas text has no relative sizes; projector mode has larger type. */
export const typeScale = () =>
  typeof document === 'undefined' ? 1 : parseFloat(getComputedStyle(document.documentElement).fontSize) / 15

/** Returns the page's font as a canvas font string. */
export const canvasFont = (size: number) => `${size}px 'Hanken Grotesk', system-ui, sans-serif`

/** Resolves CSS variables, which may use `light-dark()`, to colors through the computed style of an element. */
function resolver(): (token: string) => string {
  const style = getComputedStyle(probe())
  return (token) => {
    probe().style.color = `var(${token})`
    return style.color
  }
}

let element: HTMLElement | null = null

function probe(): HTMLElement {
  if (!element) {
    element = document.createElement('i')
    element.hidden = true
    document.body.append(element)
  }
  return element
}

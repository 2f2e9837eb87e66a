/** The colors and the typeface for canvases: from the page's tokens and the world's hue. */
import {
  css,
  doingStops,
  oklchToRgb,
  pixels,
  ramp,
  signedStops,
  valueStops,
  type Rgb,
  type Theme,
} from './color'

/** Previews are drawn one color after the other; more colors than these cannot be told apart. */
export const doingColors = 20

export interface Look {
  theme: Theme
  /** From doing badly to doing well. */
  doing: string[]
  ink: string
  muted: string
  line: string
  lineStrong: string
  glass: string
  glassFar: string
  accent: string
  /** The hue opposite to the accent: a person's own push. */
  counter: string
  value: Uint32Array
  signed: Uint32Array
  doingGradient: string
  valueGradient: string
  signedGradient: string
}

export function look(hue: number, theme: Theme): Look {
  const token = resolver()
  const value = ramp(valueStops(hue, theme), 256)
  const signed = ramp(signedStops(hue, theme), 256)
  return {
    theme,
    doing: ramp(doingStops(hue, theme), doingColors).map((rgb) => css(rgb)),
    ink: token('--ink'),
    muted: token('--muted'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
    glass: token('--glass'),
    glassFar: token('--glass-far'),
    accent: css(oklchToRgb(theme === 'dark' ? [0.82, 0.135, hue] : [0.51, 0.14, hue - 18])),
    counter: css(oklchToRgb(theme === 'dark' ? [0.82, 0.09, hue + 165] : [0.5, 0.1, hue + 165])),
    value: pixels(value),
    signed: pixels(signed),
    doingGradient: gradient(ramp(doingStops(hue, theme), 33)),
    valueGradient: gradient(value),
    signedGradient: gradient(signed),
  }
}

function gradient(colors: readonly Rgb[]): string {
  const some = colors.filter((_, i) => i % 32 === 0 || i === colors.length - 1)
  return `linear-gradient(to right, ${some.map((c) => css(c)).join(', ')})`
}

/** The page's type in a size, as a canvas takes it. */
export const canvasFont = (size: number) => `${size}px 'Hanken Grotesk', system-ui, sans-serif`

/** A token may be written with `light-dark()`; only a real property's computed value is a plain color. */
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

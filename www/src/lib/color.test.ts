import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { worlds } from '../worlds'
import {
  bucket,
  contrast,
  qualityStops,
  luminance,
  oklchToRgb,
  pixels,
  ramp,
  signedStops,
  valueStops,
} from './color'

const hues = worlds.map((world) => world.hue)

describe('color', () => {
  test('OKLCH converts to known sRGB colors', () => {
    expect(oklchToRgb([1, 0, 0])).toEqual([255, 255, 255])
    expect(oklchToRgb([0, 0, 0])).toEqual([0, 0, 0])
    // Red and blue of sRGB, from the table in Ottosson's article.
    expect(oklchToRgb([0.62796, 0.25768, 29.234])).toEqual([255, 0, 0])
    expect(oklchToRgb([0.45201, 0.31321, 264.052])).toEqual([0, 0, 255])
  })

  test.each(hues)('at hue %d lightness is monotonic', (hue) => {
    for (const theme of ['dark', 'light'] as const) {
      for (const stops of [qualityStops(hue, theme), valueStops(hue, theme)]) {
        const light = ramp(stops, 32).map(luminance)
        const way = theme === 'dark' ? 1 : -1
        for (let i = 1; i < light.length; i++) expect((light[i]! - light[i - 1]!) * way).toBeGreaterThan(0)
      }
    }
  })

  test.each(hues)('at hue %d both ends of a signed map have similar contrast', (hue) => {
    for (const theme of ['dark', 'light'] as const) {
      const colors = ramp(signedStops(hue, theme), 255)
      const middle = colors[127]!
      const [low, high] = [contrast(colors[0]!, middle), contrast(colors[254]!, middle)]
      expect(Math.min(low, high)).toBeGreaterThan(2.5)
      expect(low / high).toBeGreaterThan(0.6)
      expect(low / high).toBeLessThan(1.7)
    }
  })

  test('the accent of every hue is readable on all backgrounds', () => {
    const styles = readFileSync(join(import.meta.dirname, '../assets/base.css'), 'utf8')
    /** Returns lightness and chroma of a token in the light and the dark theme. */
    const token = (name: string) =>
      [
        ...styles
          .split(`--${name}:`)[1]!
          .split(';')[0]!
          .matchAll(/oklch\(([\d.]+) ([\d.]+)/g),
      ].map(([, lightness, chroma]) => [Number(lightness), Number(chroma)] as const)
    const [accent, ...grounds] = ['accent', 'ground', 'raised', 'glass', 'glass-far'].map(token)
    for (let hue = 0; hue < 360; hue++) {
      for (const [theme, shift, groundHue] of [
        [0, -18, 155],
        [1, 0, 182],
      ] as const) {
        for (const ground of grounds) {
          const ratio = contrast(
            oklchToRgb([...accent![theme]!, hue + shift]),
            oklchToRgb([...ground[theme]!, groundHue]),
          )
          expect(ratio, `hue ${hue}, theme ${theme}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  test('muted text is readable on all backgrounds', () => {
    for (const ground of [0.178, 0.228, 0.205]) {
      expect(contrast(oklchToRgb([0.735, 0.013, 172]), oklchToRgb([ground, 0.013, 182]))).toBeGreaterThan(4.5)
    }
    for (const ground of [0.963, 0.995, 0.952]) {
      expect(contrast(oklchToRgb([0.47, 0.016, 175]), oklchToRgb([ground, 0.004, 155]))).toBeGreaterThan(4.5)
    }
  })

  test('buckets clamp values', () => {
    expect([-1, 0, 0.499, 0.5, 1, 7, NaN].map((v) => bucket(v, 2))).toEqual([0, 0, 0, 1, 1, 1, 0])
  })

  test('pixels are opaque, red in the lowest byte', () => {
    expect(pixels([[1, 2, 3]])[0]).toBe(0xff030201)
  })
})

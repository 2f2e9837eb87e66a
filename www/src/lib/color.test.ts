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

  test.each(hues)('the accent at hue %d is readable on the background', (hue) => {
    // As in assets/base.css.
    expect(contrast(oklchToRgb([0.82, 0.135, hue]), oklchToRgb([0.178, 0.012, 182]))).toBeGreaterThan(4.5)
    expect(contrast(oklchToRgb([0.51, 0.14, hue - 18]), oklchToRgb([0.963, 0.004, 155]))).toBeGreaterThan(4.5)
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

import { afterEach, expect, it, vi } from 'vitest'
import { repairLanguage } from './language'

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['C', 'en'],
  ['', 'en'],
  ['de-CH', 'de-CH'],
])('of a browser with the language “%s” is “%s”', (given, expected) => {
  vi.stubGlobal('navigator', { language: given })
  repairLanguage()
  expect(navigator.language).toBe(expected)
  expect(() => new Intl.NumberFormat(navigator.language)).not.toThrow()
})

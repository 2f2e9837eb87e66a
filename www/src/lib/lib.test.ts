import { describe, expect, test } from 'vitest'
import { checkpointOf, fileWith } from '../../../tests/fixtures/checkpoint'
import { stepsIn } from './files'
import { ago, bytes, compact, duration, number, short, withoutBreaks, withUnit } from './format'
import { inFile } from './problem'
import { random } from './random'

test('a problem with a file names the file', () => {
  const cause = { code: 'checkpoint', defect: 'it has no header' } as const
  const problem = { message: 'This checkpoint cannot be opened.', hint: 'Open another.', cause }
  expect(inFile('a.txt', problem)).toEqual({
    message: 'a.txt cannot be opened: it has no header.',
    hint: 'Open another.',
  })
  expect(inFile('a.json', new Error('gates: 3 are missing')).message).toBe('a.json: gates: 3 are missing')
})

describe('formatted numbers', () => {
  test.each([
    [487.26, 1, '487.3'],
    [-110, 0, '−110'],
    [1234567, 0, '1,234,567'],
    [-0.04, 1, '0.0'],
    [NaN, 1, '–'],
  ])('number %d with %d digits is %s', (value, digits, text) => expect(number(value, digits)).toBe(text))

  test.each([
    [999, '999'],
    [999.6, '1.00\u00a0k'],
    [412_345, '412\u00a0k'],
    [1_204_113, '1.20\u00a0M'],
    [999_700, '1.00\u00a0M'],
    [3.2e9, '3.20\u00a0G'],
    [0.5, '0.50'],
  ])('compact %d is %s', (value, text) => expect(compact(value)).toBe(text))

  test.each([
    [0, '0'],
    [-0.20944, '−0.209'],
    [9.8, '9.8'],
    [200_000, '200k'],
    [50_000, '50k'],
    [-1_250_000, '−1.25M'],
    [0.00025, '0.00025'],
    [0.000025, '2.5e−5'],
    [-0.000612, '−0.00061'],
    [-0.0000061, '−6.1e−6'],
    [-1200, '−1200'],
  ])('short %d is %s', (value, text) => expect(short(value)).toBe(text))

  test('short shows zeros if they fit', () => {
    expect([0.0005, 0.00005, 0.00015].map((value) => short(value, 6))).toEqual(['0.0005', '5e−5', '1.5e−4'])
  })

  test('numbers stay in one line with their units and suffixes', () => {
    const nbsp = '\u00a0'
    expect(withoutBreaks('Up to 37 % of 2.05 k games in 3 s: 5 m/s².')).toBe(
      `Up to 37${nbsp}% of 2.05${nbsp}k games in 3${nbsp}s: 5${nbsp}m/s².`,
    )
    expect(withoutBreaks('After 8 steps 4 moves and 6 more')).toBe('After 8 steps 4 moves and 6 more')
  })

  test('durations, sizes and units', () => {
    expect([4.24, 42, 185, 4320].map(duration)).toEqual([
      '4.2\u00a0s',
      '42\u00a0s',
      '3\u00a0min 05\u00a0s',
      '1\u00a0h 12\u00a0min',
    ])
    expect([200, 12_345, 1_400_000].map(bytes)).toEqual(['1\u00a0KB', '12\u00a0KB', '1.4\u00a0MB'])
    expect([withUnit('3', ''), withUnit('3', 'm')]).toEqual(['3', '3\u00a0m'])
  })
})

test('random numbers are deterministic', () => {
  const [a, b] = [random(4), random(4)]
  const numbers = Array.from({ length: 100 }, () => a())
  expect(numbers).toEqual(Array.from({ length: 100 }, () => b()))
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
})

describe('the header of a checkpoint', () => {
  test('contains the number of environment steps', () => {
    expect(stepsIn(checkpointOf({ steps: 8192 }))).toBe(8192)
  })

  test.each(['', '{}', 'no JSON', '{"__metadata__":{"vivarium":"{}"}}'])('is null for %j', (header) => {
    expect(stepsIn(fileWith(header))).toBeNull()
    expect(stepsIn(new Uint8Array(3))).toBeNull()
  })
})

test('relative times', () => {
  const now = Date.UTC(2026, 10, 22, 12)
  const seconds = [-3, 20, 61, 7200, 86_400, 3 * 86_400]
  expect(seconds.map((seconds) => ago(now - 1000 * seconds, now))).toEqual([
    'just now',
    '20 seconds ago',
    '1 minute ago',
    '2 hours ago',
    'yesterday',
    '3 days ago',
  ])
  expect(ago(now - 90 * 86_400_000, now)).toMatch(/2026$/)
})

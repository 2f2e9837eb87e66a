import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Figure } from '../engine/page/session'
import { termOf } from '../glossary'
import { asJson, asText, comparison, describeFigure, recordedGroups } from './bench-figures'
import recorded from './browser-comparison.json'

test('every benchmark of the page has a label, an explanation and a term', () => {
  const folder = join(import.meta.dirname, '../../../crates/web/src/bench')
  const source = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const families = 'control|logic-ca|backgammon|cube2|language|gpu'
  const names = source
    .flatMap((text) => [...text.matchAll(new RegExp(`"((?:${families})/[\\w/-]*[\\w])"`, 'g'))])
    .map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(20)
  for (const name of [...names, 'kernels/gemm/64x128x128', 'gpu/gemm/1024']) {
    const about = describeFigure(name)
    expect([name, about?.label]).toEqual([name, expect.stringMatching(/^\S.*[^/]$/)])
    expect(about!.help.text).toContain(name)
    expect([name, termOf(about!.help.term!)?.slug]).toEqual([name, about!.help.term])
  }
  expect(describeFigure('unknown/figure')).toBeNull()
})

const figure = (some: Partial<Figure>): Figure => ({
  name: 'gpu/gemm/256',
  value: 30,
  unit: 'GFLOP/s',
  ...some,
})

test('a figure is compared with its reference', () => {
  const cpu = { name: 'CPU, 2 threads', value: 10 }
  expect(comparison(figure({}))).toBeNull()
  expect(comparison(figure({ rival: cpu }))).toEqual({
    share: 1,
    mark: 1 / 3,
    text: '3.00× CPU, 2 threads, 10',
  })
  // A shorter time is faster.
  expect(comparison(figure({ value: 5, unit: 'ms', rival: cpu }))!.text).toMatch(/^2.00×/)
  const peak = { name: 'multiply-add peak', value: 40 }
  expect(comparison(figure({ rival: peak }))).toEqual({
    share: 0.75,
    mark: 1,
    text: '75 % of the multiply-add peak',
  })
})

test('every recorded figure has a group, a label and a rival', () => {
  const grouped = recordedGroups(recorded).flatMap(({ figures }) => figures)
  expect(grouped.length).toBeGreaterThan(10)
  expect(new Set(grouped)).toEqual(new Set(recorded.figures))
  for (const one of grouped) {
    const about = describeFigure(one.name)
    expect([one.name, termOf(about!.help.term!)?.slug]).toEqual([one.name, about!.help.term])
    expect(comparison(one)!.text).toMatch(/^[\d.,]+× \S+ \d+\.\d+\.\d+, /)
  }
  expect(recorded.date).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('results are copied as text and as JSON', () => {
  const figures = [
    figure({ rival: { name: 'CPU, 2 threads', value: 10 } }),
    figure({ name: 'a', threads: 1 }),
  ]
  expect(asText([['Browser', 'Test 1']], figures)).toBe(
    'Browser: Test 1\n\ngpu/gemm/256  30 GFLOP/s            3.00× CPU, 2 threads, 10\na             30 GFLOP/s  1 thread\n',
  )
  expect(JSON.parse(asJson([['Browser', 'Test 1']], figures))).toEqual({
    machine: { Browser: 'Test 1' },
    figures,
  })
})

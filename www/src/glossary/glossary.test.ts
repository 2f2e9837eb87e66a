import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import { helpOf } from '../exhibits/shared/readings'
import { smallCurves } from '../state/main-metrics'
import { formulaParts, helpByTerm, type HelpText } from '../lib/help'
import experiments from '../protocol/experiments.json'
import { helpOfField, helpOfMetric } from '../state/help'
import { chapters, termOf } from '.'
import { chapterOf } from './chapter'

const registry = experiments as unknown as ExperimentInfo[]
const terms = chapters.flatMap((chapter) => chapter.terms)
const declared = import.meta.glob<Record<string, HelpText>>(
  ['../exhibits/*/help/texts.ts', '../exhibits/shared/help.ts'],
  {
    eager: true,
    import: 'help',
  },
)

const source = join(import.meta.dirname, '..')
const components = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.svelte'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const isSentence = expect.stringMatching(/^\S.*[.)]$/s)

describe('an explanation', () => {
  test('exists for every metric and every setting', () => {
    for (const info of registry) {
      for (const { name } of info.metrics)
        expect([info.name, name, helpOfMetric(info, name)?.text]).toEqual([info.name, name, isSentence])
      for (const field of info.fields)
        expect([field.path, helpOfField(field).text]).toEqual([field.path, isSentence])
    }
  })

  test('exists for every displayed value and every chart', () => {
    for (const info of registry) {
      const { headline, figures, large, small } = info.readings
      for (const figure of [...(headline ? [headline] : []), ...figures.flat()])
        expect([info.name, figure.name, helpOf(figure, info)?.text ?? '']).toEqual([
          info.name,
          figure.name,
          expect.stringMatching(/.{12,}/),
        ])
      for (const metric of [...large, ...small.flatMap(({ metrics }) => metrics), ...smallCurves(info, {})])
        expect(helpOfMetric(info, metric)?.text).toBeTruthy()
    }
  })

  test('is a sentence, shown in a component of its folder', () => {
    expect(Object.keys(declared).length).toBe(6)
    for (const [path, texts] of Object.entries(declared)) {
      const folder = path.replace('../', '').replace(/help(\/texts)?.ts$/, '')
      const shown = components.filter(({ file }) => file.startsWith(folder)).map(({ text }) => text)
      for (const [name, { text }] of Object.entries(texts)) {
        expect([path, name, text]).toEqual([path, name, isSentence])
        if (!shown.some((component) => component.includes(`help.${name}`))) expect.fail(`${path}: ${name}`)
      }
    }
  })

  test('is declared under its term', () => {
    expect(helpByTerm({ gate: { one: 'One.', two: 'Two.' }, three: 'Three.' })).toEqual({
      one: { text: 'One.', term: 'gate' },
      two: { text: 'Two.', term: 'gate' },
      three: { text: 'Three.' },
    })
    expect(() => helpByTerm({ gate: { one: 'One.' }, token: { one: 'Other.' } })).toThrow('the same name')
  })

  test('is never only a tooltip', () => {
    // A tooltip is not reachable by touch and keyboard. The tooltip of an icon button repeats the accessible name,
    // and the title of a frame is its accessible name.
    const allowed = ['kit/Button.svelte', 'shell/EnginePopover.svelte']
    const tooltips = components.filter(
      ({ file, text }) =>
        !allowed.includes(file) &&
        /<(?!iframe\b)(?:[a-z]\w*|Button)\b[^<]*?(?:\stitle=|^\s*\{title\}$)/ms.test(text),
    )
    expect(tooltips.map(({ file }) => file)).toEqual([])
  })
})

describe('the glossary', () => {
  test('has each term once, as a sentence', () => {
    expect(new Set(terms.map(({ slug }) => slug)).size).toBe(terms.length)
    for (const { slug, text } of terms) {
      expect(slug).toMatch(/^[a-z][a-z-]*$/)
      expect([slug, text]).toEqual([slug, isSentence])
    }
  })

  test('refuses an unknown field and a source without a definition', () => {
    expect(chapterOf('# A\n## B {#b}\nText.\n- See: `c`')).toEqual({
      title: 'A',
      terms: [{ slug: 'b', name: 'B', text: 'Text.', see: ['c'] }],
    })
    expect(() => chapterOf('# A\n## B {#b}\n- Sea: `c`')).toThrow('term b has a field "Sea"')
    expect(() => chapterOf('# A\n## B {#b}\n- Source: [C]')).toThrow('source [C] has no definition')
  })

  test('has every term that is linked', () => {
    const missing = [
      ...terms.flatMap(({ see }) => see ?? []),
      ...Object.values(declared).flatMap((texts) => Object.values(texts).flatMap(({ term }) => term ?? [])),
    ].filter((slug) => !terms.some((term) => term.slug === slug))
    expect(missing).toEqual([])
  })

  test('explains no metric and no field that does not exist', () => {
    const known = new Set(
      registry.flatMap(({ world, metrics, fields, readings }) => [
        ...[
          ...metrics,
          ...readings.figures.flat(),
          ...(readings.headline ? [readings.headline] : []),
        ].flatMap(({ name }) => [name, `${world.kind}/${name}`]),
        ...fields.flatMap(({ path }) => [path, path.split('.').at(-1)!]),
      ]),
    )
    // Computed by the page.
    known.add('steps_per_second').add('seed')
    const unknown = terms.flatMap(({ covers }) => covers ?? []).filter((name) => !known.has(name))
    expect(unknown).toEqual([])
  })

  test('is found by a metric of a family, by a field, or by the last part of its name', () => {
    const slug = (key: string) => termOf(key)?.slug
    expect(slug('control/entropy')).toBe('entropy')
    expect(slug('control/policy_loss')).toBe('policy-gradient')
    expect(slug('games/policy_loss')).toBe('cross-entropy')
    expect(slug('ppo.gae_lambda')).toBe('gae')
    expect(slug('kl-divergence')).toBe('kl-divergence')
    expect(termOf('world.pole_mass')).toBeNull()
  })
})

test('a formula has subscripts, superscripts and variables', () => {
  const text = (formula: string) =>
    formulaParts(formula)
      .map(
        ({ text, level, variable }) =>
          `${level === 'base' ? '' : level === 'sub' ? '_' : '^'}${variable ? text.toUpperCase() : text}`,
      )
      .join('|')
  expect(text('g_t = Σ_{k≥0} γ^k r')).toBe('G|_T| = |Σ|_K|_≥0| |Γ|^K| |R')
  expect(text('log p(x)')).toBe('log| |P|(|X|)')
  for (const { formula } of terms)
    if (formula)
      expect(
        formulaParts(formula)
          .map(({ text }) => text)
          .join(''),
      ).toBe(formula.replace(/[_^{}]/g, ''))
})

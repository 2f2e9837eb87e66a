import { describe, expect, test } from 'vitest'
import type { ExperimentInfo, FieldInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { check, get, leaves, read, set, write, type Config } from './config'

const infos = experiments as unknown as ExperimentInfo[]

const field = (kind: FieldInfo['kind']): FieldInfo => ({
  path: 'a.b',
  label: 'B',
  unit: 'm',
  help: '',
  live: false,
  kind,
  default: 1,
})

describe('config', () => {
  test('the default of every field is valid', () => {
    for (const info of infos) {
      for (const f of info.fields) {
        expect(check(f, get(info.defaults as Config, f.path)), f.path).toMatchObject({ ok: true })
        expect(get(info.defaults as Config, f.path), f.path).toEqual(f.default)
      }
    }
  })

  test('every preset is valid', () => {
    for (const info of infos) {
      for (const preset of info.presets) {
        for (const { path, value } of leaves(preset.config as Config)) {
          const f = info.fields.find((one) => one.path === path)!
          expect(check(f, value), `${preset.name} ${path}`).toMatchObject({ ok: true })
        }
      }
    }
  })

  test('setting a field copies the config', () => {
    const config = { world: { gravity: 9.8, force: 10 }, ppo: { lanes: 64 } }
    const next = set(config, 'world.gravity', 1)
    expect(next).toEqual({ world: { gravity: 1, force: 10 }, ppo: { lanes: 64 } })
    expect(config.world.gravity).toBe(9.8)
    expect(get(next, 'world.missing.deep')).toBeUndefined()
  })

  test.each([
    ['2.5', { type: 'number', low: 0, high: 3, logarithmic: false }, 2.5],
    ['−1', { type: 'number', low: -1, high: 3, logarithmic: false }, -1],
    ['1e-3', { type: 'number', low: 0, high: 3, logarithmic: false }, 0.001],
    ['64', { type: 'integer', low: 1, high: 64, logarithmic: false }, 64],
    ['true', { type: 'flag' }, true],
    ['tanh', { type: 'choice', options: ['tanh', 'relu'] }, 'tanh'],
    ['[64, 32]', { type: 'integers', shortest: 1, longest: 3, low: 1, high: 512 }, [64, 32]],
    ['', { type: 'integers', shortest: 0, longest: 3, low: 1, high: 512 }, []],
    ['[ ]', { type: 'integers', shortest: 0, longest: 3, low: 1, high: 512 }, []],
  ] as const)('%j is parsed', (text, kind, value) => {
    expect(read(field(kind as unknown as FieldInfo['kind']), text)).toEqual({ ok: true, value })
  })

  test.each([
    ['', { type: 'number', low: 0, high: 3, logarithmic: false }, '0 to 3 m'],
    ['3.1', { type: 'number', low: 0, high: 3, logarithmic: false }, '0 to 3 m'],
    ['Infinity', { type: 'number', low: 0, high: 3, logarithmic: false }, '0 to 3 m'],
    ['NaN', { type: 'integer', low: 1, high: 64, logarithmic: false }, 'whole number'],
    ['1.5', { type: 'integer', low: 1, high: 64, logarithmic: false }, 'whole number'],
    ['yes', { type: 'flag' }, 'true or false'],
    ['sine', { type: 'choice', options: ['tanh', 'relu'] }, 'tanh or relu'],
    ['', { type: 'integers', shortest: 1, longest: 3, low: 1, high: 512 }, '1 to 3 whole numbers'],
    ['64,,32', { type: 'integers', shortest: 1, longest: 3, low: 1, high: 512 }, '1 to 3 whole numbers'],
    ['1,2,3,4', { type: 'integers', shortest: 1, longest: 3, low: 1, high: 512 }, '1 to 3 whole numbers'],
  ] as const)('%j is rejected with the allowed values', (text, kind, says) => {
    const result = read(field(kind as unknown as FieldInfo['kind']), text)
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.problem).toContain(says)
  })

  test('reading inverts writing', () => {
    for (const info of infos) {
      for (const f of info.fields)
        expect(read(f, write(f.default)), f.path).toEqual({ ok: true, value: f.default })
    }
  })
})

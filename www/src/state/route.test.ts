import { describe, expect, test } from 'vitest'
import type { ExperimentInfo, FieldInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { random } from '../lib/random'
import { differences, get, presetConfig, withSettings, type Config, type Setting } from './config'
import {
  articleOf,
  defaultSeed,
  exhibitHash,
  parseRoute,
  queryOf,
  readSeed,
  resolve,
  shortHash,
  positionHash,
  withPresentation,
} from './route'

const infos = experiments as unknown as ExperimentInfo[]
const cartpole = infos.find((info) => info.name === 'cartpole')!

function anyValue(field: FieldInfo, next: () => number): unknown {
  const { kind } = field
  const whole = (low: number, high: number) => Math.floor(low + next() * (high - low + 1))
  switch (kind.type) {
    case 'number':
      return Number((kind.low + next() * (kind.high - kind.low)).toPrecision(12))
    case 'integer':
      return Math.min(kind.high, whole(kind.low, kind.high))
    case 'flag':
      return next() < 0.5
    case 'choice':
      return kind.options[whole(0, kind.options.length - 1)]
    case 'integers':
      return Array.from({ length: whole(Math.max(1, kind.shortest), kind.longest) }, () =>
        whole(kind.low, kind.high),
      )
    case 'text':
      return Array.from({ length: whole(0, Math.min(kind.longest, 20)) }, () => 'x0:&='[whole(0, 4)]).join('')
  }
}

describe('routes', () => {
  test('a link restores its config and seed exactly', () => {
    const next = random(7)
    for (let round = 0; round < 300; round++) {
      const info = infos[Math.floor(next() * infos.length)]!
      const settings: Setting[] = info.fields
        .filter(() => next() < 0.3)
        .map((field) => ({ path: field.path, value: anyValue(field, next) }))
      const config = withSettings(info.defaults as Config, settings)
      const seed = Math.floor(next() * Number.MAX_SAFE_INTEGER)
      const route = parseRoute(exhibitHash(info, config, seed))
      if (route.page !== 'exhibit') throw new Error(`went to ${route.page}`)
      expect(route.world).toBe(info.name)
      expect(route.seed).toBe(seed)
      const read = resolve(info, route.settings)
      if (!read.ok) throw new Error(read.problem.message)
      expect(differences(info.fields, read.config, config)).toEqual([])
    }
  })

  test('a short link restores its config and seed exactly, also for changed presets', () => {
    const parts = (link: string) => link.split('&').length
    const next = random(11)
    for (let round = 0; round < 300; round++) {
      const info = infos[Math.floor(next() * infos.length)]!
      const preset = info.presets[Math.floor(next() * info.presets.length)]
      const base = preset ? presetConfig(info, preset) : info.defaults
      const settings: Setting[] = info.fields
        .filter(() => next() < 0.05)
        .map((field) => ({ path: field.path, value: anyValue(field, next) }))
      const config = withSettings(base, settings)
      const seed = Math.floor(next() * 4)
      const link = shortHash(info, config, seed)
      const route = parseRoute(link)
      if (route.page !== 'exhibit') throw new Error(`went to ${route.page}`)
      expect([route.world, route.seed]).toEqual([info.name, seed])
      const read = resolve(info, route.settings)
      if (!read.ok) throw new Error(read.problem.message)
      expect(differences(info.fields, read.config, config)).toEqual([])
      expect(parts(link)).toBeLessThanOrEqual(parts(exhibitHash(info, config, seed)))
    }
  })

  test('a short link names a preset, the differences from it, and nothing that has its default', () => {
    const defaults = cartpole.defaults as Config
    expect(shortHash(cartpole, defaults, defaultSeed)).toBe('#/cartpole')
    const moon = cartpole.presets.find(({ name }) => name === 'moon')!
    const config = presetConfig(cartpole, moon)
    expect(shortHash(cartpole, config, defaultSeed, { speed: 0.1 })).toBe('#/cartpole?preset=moon&speed=0.1')
    // The name of a preset says more than its only setting, even if that is shorter.
    const heavy = cartpole.presets.find(({ name }) => name === 'heavy-pole')!
    expect(shortHash(cartpole, presetConfig(cartpole, heavy), defaultSeed)).toBe(
      '#/cartpole?preset=heavy-pole',
    )
    const changed = withSettings(config, [{ path: 'ppo.num_envs', value: 64 }])
    expect(shortHash(cartpole, changed, 5, { engine: 'gpu' })).toBe(
      '#/cartpole?preset=moon&seed=5&engine=gpu&ppo.num_envs=64',
    )
    const gravity = withSettings(defaults, [{ path: 'world.gravity', value: 12 }])
    expect(shortHash(cartpole, gravity, defaultSeed)).toBe('#/cartpole?world.gravity=12')
  })

  test('a link contains only the changed settings', () => {
    const config = withSettings(cartpole.defaults as Config, [{ path: 'world.gravity', value: 12 }])
    expect(exhibitHash(cartpole, config, 3)).toBe('#/cartpole?seed=3&world.gravity=12')
  })

  test('pages', () => {
    expect(parseRoute('')).toEqual({ page: 'landing' })
    expect(parseRoute('#/')).toEqual({ page: 'landing' })
    expect(parseRoute('#/bench')).toEqual({ page: 'document', name: 'bench', entry: null })
    expect(parseRoute('#/glossary/kl-divergence')).toEqual({
      page: 'document',
      name: 'glossary',
      entry: 'kl-divergence',
    })
    expect(parseRoute('#/learn/control/critic')).toMatchObject({ name: 'learn', entry: 'control/critic' })
    expect(articleOf('control/critic')).toEqual({ family: 'control', section: 'critic' })
    expect(articleOf(null)).toEqual({ family: null, section: null })
    expect(parseRoute('#/cartpole')).toEqual({
      page: 'exhibit',
      world: 'cartpole',
      seed: defaultSeed,
      engine: null,
      speed: null,
      paused: false,
      guide: null,
      projector: false,
      show: null,
      theme: null,
      curves: null,
      axis: null,
      beside: null,
      position: null,
      settings: [],
    })
  })

  test('curves are part of a link but not of the config', () => {
    expect(parseRoute('#/cartpole?curves=q1b_-x&seed=2')).toMatchObject({ curves: 'q1b_-x', settings: [] })
    const link = withPresentation('#/cartpole?curves=old&seed=2', {
      guide: null,
      projector: false,
      curves: 'q1b_-x',
    })
    expect(link).toBe('#/cartpole?seed=2&curves=q1b_-x')
    expect(withPresentation(link, { guide: null, projector: false })).toBe('#/cartpole?seed=2')
  })

  test('a position is part of a link to a board game, and not of the config', () => {
    const xgid = 'XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:5:10'
    const link = positionHash('backgammon', xgid)
    expect(link).toBe(`#/backgammon?position=${xgid.replace('=', '%3D')}`)
    expect(parseRoute(link)).toMatchObject({ position: xgid })
    // An ID that was not escaped.
    expect(parseRoute('#/backgammon?position=4HPwATDg+/ABMA')).toMatchObject({ position: '4HPwATDg+/ABMA' })
    expect(parseRoute(positionHash('backgammon', '4HPwATDg+/ABMA'))).toMatchObject({
      position: '4HPwATDg+/ABMA',
    })
    expect(parseRoute('#/connect-four?position=4433')).toMatchObject({ position: '4433' })
    expect(parseRoute('#/connect-four?position=')).toMatchObject({ page: 'lost' })
    // Other exhibits have no positions.
    expect(parseRoute('#/cartpole?position=4')).toMatchObject({
      position: null,
      settings: [['position', '4']],
    })
    expect(withPresentation(link, { guide: null, projector: false })).toBe('#/backgammon')
  })

  test('a second run is part of a link but not of the config', () => {
    const none = { guide: null, projector: false }
    expect(parseRoute('#/cartpole?beside=preset:moon;seed:2&seed=3')).toMatchObject({
      beside: 'preset=moon&seed=2',
      seed: 3,
      settings: [],
    })
    expect(parseRoute('#/cartpole?beside=')).toMatchObject({ beside: '' })
    for (const bad of ['moon', 'preset=moon', 'preset:moon;', ':1'])
      expect(parseRoute(`#/cartpole?beside=${bad}`), bad).toMatchObject({ page: 'lost' })
    const link = withPresentation('#/cartpole?seed=1&beside=old:1', { ...none, beside: 'preset=moon&seed=2' })
    expect(link).toBe('#/cartpole?seed=1&beside=preset:moon;seed:2')
    expect(withPresentation(link, none)).toBe('#/cartpole?seed=1')
  })

  test('the settings of a second run are restored exactly', () => {
    const next = random(13)
    for (let round = 0; round < 300; round++) {
      const info = infos[Math.floor(next() * infos.length)]!
      const settings: Setting[] = info.fields
        .filter(() => next() < 0.2)
        .map((field) => ({ path: field.path, value: anyValue(field, next) }))
      const config = withSettings(info.defaults as Config, settings)
      const second = shortHash(info, config, 3, { engine: 'gpu' })
      const link = withPresentation(`#/${info.name}`, {
        guide: null,
        projector: false,
        beside: queryOf(second),
      })
      const route = parseRoute(link)
      if (route.page !== 'exhibit') throw new Error(`went to ${route.page}`)
      expect(`#/${info.name}?${route.beside}`).toBe(second)
    }
  })

  test('the step of the guide is part of a link but not of the config', () => {
    expect(parseRoute('#/cartpole?guide=3')).toMatchObject({ guide: 3, settings: [] })
    expect(parseRoute('#/cartpole?guide=0')).toMatchObject({ page: 'lost' })
    const step = (hash: string, guide: number | null) => withPresentation(hash, { guide, projector: false })
    expect(step('#/cartpole?seed=1&world.gravity=3', 2)).toBe('#/cartpole?seed=1&world.gravity=3&guide=2')
    expect(step('#/cartpole?guide=2&seed=1', null)).toBe('#/cartpole?seed=1')
    expect(step('#/cartpole', 1)).toBe('#/cartpole?guide=1')
    expect(step('#/cartpole?guide=12', null)).toBe('#/cartpole')
  })

  test('projector mode is part of a link but not of the config', () => {
    expect(parseRoute('#/cartpole?projector=1&guide=2')).toMatchObject({
      projector: true,
      guide: 2,
      settings: [],
    })
    expect(parseRoute('#/cartpole?projector=0')).toMatchObject({ projector: false })
    expect(parseRoute('#/cartpole?projector=yes')).toMatchObject({ page: 'lost' })
    const on = withPresentation('#/cartpole?seed=1&projector=1', { guide: 3, projector: true })
    expect(on).toBe('#/cartpole?seed=1&guide=3&projector=1')
    expect(withPresentation(on, { guide: null, projector: false })).toBe('#/cartpole?seed=1')
  })

  test('a link can open an untrained run that waits', () => {
    expect(parseRoute('#/cartpole?preset=moon&paused=1')).toMatchObject({
      paused: true,
      settings: [['preset', 'moon']],
    })
    expect(parseRoute('#/cartpole?paused=0')).toMatchObject({ paused: false })
    expect(parseRoute('#/cartpole?paused=yes')).toMatchObject({ page: 'lost' })
  })

  test('the parts of the embedded page are part of a link but not of the config', () => {
    expect(parseRoute('#/cartpole?show=picture,curve')).toMatchObject({
      show: ['picture', 'curve'],
      settings: [],
    })
    const bad = parseRoute('#/cartpole?show=picture,sound')
    if (bad.page !== 'lost') throw new Error('was taken')
    expect(bad.problem.message).toContain('picture, curve, controls')
    const link = withPresentation('#/cartpole?show=curve&seed=2', {
      guide: null,
      projector: false,
      show: ['picture'],
    })
    expect(link).toBe('#/cartpole?seed=2&show=picture')
    const light = withPresentation(link, { guide: null, projector: false, theme: 'light' })
    expect(light).toBe('#/cartpole?seed=2&theme=light')
    expect(parseRoute(light)).toMatchObject({ theme: 'light', settings: [] })
    expect(parseRoute('#/cartpole?theme=blue')).toMatchObject({
      problem: { message: expect.stringContaining('must be dark or light') },
    })
    expect(withPresentation(link, { guide: null, projector: false })).toBe('#/cartpole?seed=2')
  })

  test('the horizontal axis of the charts is part of a link but not of the config', () => {
    const link = withPresentation('#/cartpole?axis=steps&seed=2', {
      guide: null,
      projector: false,
      axis: 'time',
    })
    expect(link).toBe('#/cartpole?seed=2&axis=time')
    expect(parseRoute(link)).toMatchObject({ axis: 'time', settings: [] })
    expect(parseRoute('#/cartpole?axis=moves')).toMatchObject({
      problem: { message: expect.stringContaining('must be steps or time') },
    })
    expect(withPresentation(link, { guide: null, projector: false })).toBe('#/cartpole?seed=2')
  })

  test('the engine is in the link', () => {
    expect(exhibitHash(cartpole, cartpole.defaults as Config, 3, 'gpu')).toBe('#/cartpole?seed=3&engine=gpu')
    const speeds = ['max', '12.5'].map((speed) => parseRoute(`#/cartpole?speed=${speed}`))
    expect(speeds).toMatchObject([{ speed: 'max', settings: [] }, { speed: 12.5 }])
    expect(parseRoute('#/cartpole?speed=0')).toMatchObject({ page: 'lost' })
    expect(parseRoute('#/cartpole?engine=gpu')).toMatchObject({ engine: 'gpu', settings: [] })
    const bad = parseRoute('#/cartpole?engine=tpu')
    if (bad.page !== 'lost') throw new Error('was taken')
    expect(bad.problem.message).toContain('must be cpu or gpu')
  })

  test('an unknown page lists the available ones', () => {
    const route = parseRoute('#/cartpool')
    if (route.page !== 'lost') throw new Error('was found')
    expect(route.problem.message).toContain('cartpool')
    expect(route.problem.message).toContain('mountain-car')
    expect(route.problem.href).toBe('#/')
  })

  test.each(['-1', '1.5', 'x', '', '9007199254740992', '0x10', '1e3'])('the seed %j is rejected', (text) => {
    expect(readSeed(text)).toBeNull()
    const route = parseRoute(`#/cartpole?seed=${text}`)
    if (route.page !== 'lost') throw new Error('was taken')
    expect(route.problem.message).toContain('seed')
    expect(route.problem.message).toContain('whole number from 0 to')
    expect(route.problem.href).toBe('#/cartpole')
  })

  test.each([
    ['world.gravity', '1000', 'from 0 to 30'],
    ['world.gravity', 'heavy', 'from 0 to 30'],
    ['world.gravty', '9', 'world.gravity'],
    ['preset', 'nope', 'default'],
    ['config', '[1]', 'JSON object'],
    ['config', '{"world":{"gravity":-4}}', 'from 0 to 30'],
    ['__proto__', '1', 'not a field'],
  ])('%s=%s is refused by name, with what is allowed', (path, text, says) => {
    const read = resolve(cartpole, [[path, text]])
    if (read.ok) throw new Error('was taken')
    expect(read.problem.message).toContain(
      path === 'config' && text.includes('gravity') ? 'world.gravity' : path,
    )
    expect(read.problem.message).toContain(says)
  })

  test.each([
    ['ppo.lanes', '8'],
    ['config', '{"ppo":{"lanes":8}}'],
  ])('%s=%s of an earlier version sets the field that has another name now', (path, text) => {
    const read = resolve(cartpole, [[path, text]])
    if (!read.ok) throw new Error(read.problem.message)
    expect(get(read.config, 'ppo.num_envs')).toBe(8)
    expect(get(read.config, 'ppo.lanes')).toBeUndefined()
  })

  test('a repeated field is rejected', () => {
    expect(parseRoute('#/cartpole?world.gravity=1&world.gravity=2').page).toBe('lost')
    expect(parseRoute('#/cartpole?seed=1&seed=2').page).toBe('lost')
  })

  test('any text parses to a page or a problem', () => {
    const next = random(99)
    const alphabet = '#/?&=%.,[]{}":abcxyz0189-_é\u0000 '
    for (let round = 0; round < 2000; round++) {
      const text = Array.from(
        { length: Math.floor(next() * 40) },
        () => alphabet[Math.floor(next() * alphabet.length)],
      )
      const start = ['#/cartpole?', '#/', '', '#/pendulum?config=', '#/cartpole?ppo.lanes='][
        Math.floor(next() * 5)
      ]!
      const route = parseRoute(start + text.join(''))
      if (route.page === 'exhibit') {
        const read = resolve(
          infos.find((info) => info.name === route.world)!,
          route.settings,
        )
        expect(read.ok || read.problem.message.length > 0).toBe(true)
      } else expect(['landing', 'document', 'lost']).toContain(route.page)
    }
  })

  test('a preset and a complete config can be in a link', () => {
    const moon = resolve(cartpole, [['preset', 'moon']])
    if (!moon.ok) throw new Error(moon.problem.message)
    expect(differences(cartpole.fields, moon.config, cartpole.defaults as Config)).toEqual([
      { path: 'world.gravity', value: 1.62 },
    ])
    const whole = resolve(cartpole, [['config', '{"world":{"gravity":3}}']])
    if (!whole.ok) throw new Error(whole.problem.message)
    expect(differences(cartpole.fields, whole.config, cartpole.defaults as Config)).toEqual([
      { path: 'world.gravity', value: 3 },
    ])
  })

  test('a former value of a choice field opens as the current one', () => {
    const logic = infos.find(({ name }) => name === 'logic-ca')!
    const former = 'neighbourhoods' // spellchecker:disable-line
    const configs = [former, 'neighborhoods'].flatMap((value) => [
      resolve(logic, [['task.start', value]]),
      resolve(logic, [['config', JSON.stringify({ task: { start: value } })]]),
    ])
    const first = configs[0]!
    if (!first.ok) throw new Error(first.problem.message)
    expect(first.config).not.toEqual(logic.defaults)
    for (const other of configs) expect(other).toEqual(first)
  })

  test('a preset opens by its former name', () => {
    const cube = infos.find(({ name }) => name === 'cube2')!
    const [former, present] = ['lessons', 'demonstrations'].map((name) => resolve(cube, [['preset', name]]))
    if (!former?.ok || !present?.ok) throw new Error('both names open')
    expect(former.config).toEqual(present.config)
    expect(former.config).not.toEqual(cube.defaults)
  })
})

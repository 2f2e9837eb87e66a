import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guided } from '../../../../tests/fixtures/guided.mjs'
import { guideOf } from '../../../../tests/fixtures/guides'
import { folderOf } from '../../engine/shared/family'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { parseRoute, resolve, type ExhibitRoute } from '../../state/route'
import { familyOfWorld } from '../../worlds'
import { minutesOf, planOf, tablesInOrder, timetable, type Plan } from './plan'
import { plans } from './plans'

const infos = experiments as unknown as ExperimentInfo[]
const links = plans.flatMap(({ projector, phases, experiments }) => [
  ...[projector, ...phases].flatMap(({ links }) => links),
  ...experiments.flatMap(({ links }) => links),
])
const exhibits = join(import.meta.dirname, '../../exhibits')

test('three lessons have 45 minutes and two short ones 20', () => {
  expect(plans.map(minutesOf)).toEqual([45, 45, 45, 20, 20])
  expect(new Set(plans.map(({ slug }) => slug)).size).toBe(plans.length)
  for (const { goals, questions, phases } of plans)
    for (const list of [goals, questions, phases]) expect(list.length).toBeGreaterThan(1)
})

test('a timetable has no gaps', () => {
  const phases = [{ minutes: 5 }, { minutes: 15 }] as unknown as Plan['phases']
  expect(timetable({ phases } as Plan).map(({ from, to }) => [from, to])).toEqual([
    [0, 5],
    [5, 20],
  ])
})

test('a student sheet has a question about each exhibit of its plan, without guide and projector mode', () => {
  for (const plan of plans) {
    const hrefs = plan.experiments.flatMap(({ links }) => links.map(({ href }) => href))
    expect(new Set(hrefs).size).toBe(hrefs.length)
    for (const { question, expected } of plan.experiments) {
      expect(question).toMatch(/\?$/)
      if (plan.results) expect(expected).not.toBe('')
    }
    // The students write down their expectation before training.
    for (const href of hrefs)
      expect(parseRoute(href)).toMatchObject({ guide: null, projector: false, paused: true })
    const worlds = new Set(hrefs.map((href) => (parseRoute(href) as { world: string }).world))
    const exhibits = plan.phases.flatMap(({ links }) => links.map(({ href }) => href))
    for (const href of exhibits) expect(worlds).toContain((parseRoute(href) as { world: string }).world)
  }
})

test('the tables and the experiments of a sheet are in the order of the lesson', () => {
  const titles = (plan: Plan) => {
    const { before, after } = tablesInOrder(plan)
    return [before, after].map((tables) => tables.map(({ title }) => title))
  }
  const named = (...list: string[]) => list.map((title) => ({ title }))
  const phases = named('Start', 'Experiments in pairs', 'Test', 'End')
  const plan = { phases, tables: named('Start', 'More', 'Test', 'Other') } as unknown as Plan
  expect(titles(plan)).toEqual([
    ['Start', 'More'],
    ['Test', 'Other'],
  ])
  expect(titles({ ...plan, phases: named('Start', 'Test') } as unknown as Plan)).toEqual([
    ['Start', 'More', 'Test', 'Other'],
    [],
  ])
  for (const plan of plans) expect(titles(plan).flat()).toEqual(plan.tables.map(({ title }) => title))
  expect(titles(plans.find(({ slug }) => slug === 'control')!)).toEqual([[], ['Testing a policy']])
})

test('a link that opens a preset without the guide has the seed, and if it waits for “Train”, the speed', () => {
  const presets = links.filter(({ href }) => /preset=/.test(href) && !/guide=/.test(href))
  expect(presets.length).toBeGreaterThan(10)
  for (const { href } of presets) {
    expect(href).toMatch(/[?&]seed=\d/)
    if (/paused=1/.test(href)) expect(href).toMatch(/[?&]speed=/)
  }
})

test('a link that opens a preset has the label of the preset', () => {
  for (const { label, href } of links) {
    const route = parseRoute(href) as { world: string; guide: number | null }
    // Their label is the title of the step.
    if (route.guide !== null) continue
    const preset = /[?&]preset=([\w-]+)/.exec(href)?.[1]
    const info = infos.find(({ name }) => name === route.world)!
    const name = info.presets.find(({ name }) => name === preset)?.label
    if (name) expect(label).toContain(name)
  }
})

test('the timetable of a lesson of 45 minutes has all steps of its guide', async () => {
  for (const plan of plans.filter((plan) => minutesOf(plan) === 45)) {
    const routes = plan.phases.flatMap(({ links }) =>
      links.map(({ href }) => parseRoute(href) as ExhibitRoute),
    )
    const guided = routes.filter(({ guide }) => guide !== null)
    const { world } = guided[0]!
    const steps = await guideOf(folderOf(familyOfWorld(world)!), world)
    expect(guided.map(({ guide }) => guide).sort()).toEqual(steps.map((_, i) => i + 1))
    // The class sees only what is projected.
    expect(routes.find(({ projector, paused }) => !projector && !paused)).toBeUndefined()
  }
})

test('a plan has the expected results of all tables of its sheet', () => {
  const tables = plans.flatMap(({ tables }) => tables)
  expect(tables.length).toBeGreaterThan(5)
  for (const { title, expected } of tables) expect(expected, title).not.toBe('')
})

test('the tables of a sheet are as wide as their heads', () => {
  const text =
    '# T {#t}\n## Prerequisites\n## Goals\n## Projector\n## Timetable\n## Experiments\n## Questions'
  const table = (items: string) => planOf(`${text}\n## Tables\n### A\nText.\n${items}`).tables
  expect(table('- B | C\n- one\n- |')).toEqual([
    {
      title: 'A',
      text: 'Text.',
      columns: ['B', 'C'],
      rows: [
        ['one', ''],
        ['', ''],
      ],
      expected: '',
    },
  ])
  expect(table('- B | C\n- one\n#### Expected\nTwo.')).toMatchObject([{ expected: 'Two.' }])
  expect(() => table('- B | C')).toThrow('table "A" has no rows')
  expect(() => table('- B | C\n- 1 | 2 | 3')).toThrow('a row of table "A" has more cells than columns')
})

test('a plan without a section or duration is refused', () => {
  const text =
    '# T {#t}\n## Prerequisites\n## Goals\n## Projector\n## Timetable\n### 5 min: A\n## Experiments\n### B?\n- [C](#/cartpole)\n## Questions'
  expect(planOf(text)).toMatchObject({ slug: 't', phases: [{ minutes: 5, title: 'A' }] })
  expect(planOf(text).experiments).toEqual([
    { question: 'B?', expected: '', links: [{ label: 'C', href: '#/cartpole' }] },
  ])
  expect(() => planOf(text.replace('- [C](#/cartpole)', ''))).toThrow('experiment "B?" has no link')
  expect(() => planOf(text.replace('## Goals', ''))).toThrow('plan t has no section "Goals"')
  expect(() => planOf(text.replace('5 min: ', ''))).toThrow('"A" is not a duration and a title')
})

test('links to steps of guides have their numbers and titles', async () => {
  for (const { label, href } of links) {
    const { guide, world } = parseRoute(href) as { guide: number | null; world: string }
    if (guide === null) continue
    const steps = await guideOf(folderOf(familyOfWorld(world)!), world)
    expect(label).toBe(`Guide ${guide}: ${steps[guide - 1]!.title}`)
  }
})

test('plans of the same page have different links', () => {
  for (const plan of plans) {
    for (const { links: open } of [plan.projector, ...plan.phases])
      expect(new Set(open.map(({ href }) => href)).size).toBe(open.length)
  }
})

test('the articles are of existing families', () => {
  const folders = readdirSync(exhibits)
  for (const { href } of plans.flatMap(({ prerequisites }) => prerequisites.links)) {
    const route = parseRoute(href)
    expect(route).toMatchObject({ page: 'document', name: 'learn' })
    expect(folders).toContain(route.page === 'document' && route.entry)
  }
})

describe.each(links)('the link $href', ({ href }) => {
  const route = parseRoute(href)
  if (route.page !== 'exhibit') throw new Error(`${href} opens no exhibit`)
  const info = infos.find(({ name }) => name === route.world)!

  test('has valid settings', () => {
    expect(resolve(info, route.settings)).toMatchObject({ ok: true })
  })

  const step = route.guide
  if (step !== null) {
    test('is projected, as the other steps', () => expect(route.projector).toBe(true))
    test('opens an existing step of a guide', async () => {
      const family = folderOf(familyOfWorld(route.world)!)
      expect(guided).toContainEqual({ family, world: route.world })
      expect(step).toBeLessThanOrEqual((await guideOf(family, route.world)).length)
    })
  }
})

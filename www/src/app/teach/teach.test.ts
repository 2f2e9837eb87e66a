import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guided } from '../../../../tests/fixtures/guided.mjs'
import { guideOf } from '../../../../tests/fixtures/guides'
import { folderOf } from '../../engine/shared/family'
import type { ExperimentInfo } from '../../engine/page/session'
import experiments from '../../protocol/experiments.json'
import { parseRoute, resolve } from '../../state/route'
import { familyOfWorld } from '../../worlds'
import { ideas } from './ideas'
import { lessons } from './lessons'
import { linksOf, minutesOf, timetable, type Plan } from './plan'

const infos = experiments as unknown as ExperimentInfo[]
const plans = [...lessons, ...ideas]
const links = plans.flatMap(linksOf)
const exhibits = join(import.meta.dirname, '../../exhibits')

test('three lessons have 45 minutes and two ideas 20', () => {
  expect(lessons.map(minutesOf)).toEqual([45, 45, 45])
  expect(ideas.map(minutesOf)).toEqual([20, 20])
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

test('plans of the same page have different links', () => {
  for (const plan of plans) {
    for (const { links: open = [] } of [plan.project, ...plan.phases])
      expect(new Set(open.map(({ href }) => href)).size).toBe(open.length)
  }
})

test('the articles are of existing families', () => {
  const folders = readdirSync(exhibits)
  for (const { reading } of plans) {
    const route = parseRoute(reading.href)
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
  if (step !== null)
    test('opens an existing step of a guide', async () => {
      const family = folderOf(familyOfWorld(route.world)!)
      expect(guided).toContainEqual({ family, world: route.world })
      expect(step).toBeLessThanOrEqual((await guideOf(family, route.world)).length)
    })
})

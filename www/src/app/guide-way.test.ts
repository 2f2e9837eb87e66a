import { expect, test } from 'vitest'
import { worlds, type World } from '../worlds'
import { guideWay } from './guide-way'

const done = (world: World) => ({ world, step: 8, done: true })

test('a first visit begins with CartPole, also after its first step', () => {
  expect(guideWay([])).toEqual({ current: null, next: 'cartpole' })
  const opened = { world: 'cartpole', step: 1, done: false } as const
  expect(guideWay([opened])).toEqual({ current: null, next: 'cartpole' })
})

test('a guide in progress is offered with the guide that follows it', () => {
  const current = { world: 'logic-ca', step: 2, done: false } as const
  expect(guideWay([current, done('cartpole')])).toEqual({ current, next: 'frozen-lake' })
  expect(guideWay([done('cartpole'), current])).toEqual({ current, next: 'connect-four' })
})

test('finished guides are not offered again', () => {
  expect(guideWay([done('cartpole')]).next).toBe('connect-four')
  expect(guideWay([done('cartpole'), done('connect-four')]).next).toBe('language')
  const subjects = (['frozen-lake', 'language', 'connect-four', 'cartpole'] as const).map(done)
  expect(guideWay(subjects).next).toBe('pendulum')
  expect(guideWay(worlds.map(({ name }) => done(name)))).toEqual({ current: null, next: null })
})

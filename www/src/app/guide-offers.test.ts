import { expect, test } from 'vitest'
import { worlds, type World } from '../worlds'
import { guideOffers } from './guide-offers'

const done = (world: World) => ({ world, step: 8, done: true })

test('a first visit begins with CartPole, also after its first step', () => {
  expect(guideOffers([])).toEqual({ current: null, next: 'cartpole' })
  const opened = { world: 'cartpole', step: 1, done: false } as const
  expect(guideOffers([opened])).toEqual({ current: null, next: 'cartpole' })
})

test('a guide in progress is offered with the guide that follows it', () => {
  const current = { world: 'logic-ca', step: 2, done: false } as const
  expect(guideOffers([current, done('cartpole')])).toEqual({ current, next: 'frozen-lake' })
  expect(guideOffers([done('cartpole'), current])).toEqual({ current, next: 'connect-four' })
})

test('finished guides are not offered again', () => {
  expect(guideOffers([done('cartpole')]).next).toBe('connect-four')
  expect(guideOffers([done('cartpole'), done('connect-four')]).next).toBe('language')
  const subjects = (['frozen-lake', 'language', 'connect-four', 'cartpole'] as const).map(done)
  expect(guideOffers(subjects).next).toBe('pendulum')
  expect(guideOffers(worlds.map(({ name }) => done(name)))).toEqual({ current: null, next: null })
})

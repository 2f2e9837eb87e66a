import { expect, test } from 'vitest'
import { heroLine } from './hero'

test('the entrance says of a paused run that it is paused', () => {
  expect(heroLine('running', 4096)).toMatch(/is finding out/)
  expect(heroLine('starting', 0)).toMatch(/is finding out/)
  expect(heroLine('paused', 1_200_000)).toMatch(/paused after 1\.20 M steps/)
  expect(heroLine('paused', 0)).toMatch(/press Train/)
})

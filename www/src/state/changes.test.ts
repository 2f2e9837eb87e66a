import { expect, test } from 'vitest'
import { withChange, type SettingChange } from './changes'

const change = (steps: number, value: number, path = 'world.gravity'): SettingChange => ({
  steps,
  path,
  text: `Gravity ${value}`,
})

test('a dragged slider is one change, at its first step', () => {
  let changes: SettingChange[] = []
  for (const [i, value] of [9, 8, 7].entries()) changes = withChange(changes, change(1000 + i, value))
  expect(changes).toEqual([change(1000, 7)])
  changes = withChange(changes, change(1003, 1, 'world.force'))
  changes = withChange(changes, change(1004, 6))
  expect(changes).toHaveLength(3)
  expect(withChange(changes, change(2000, 5))).toHaveLength(4)
})

test('the oldest of many changes are dropped', () => {
  let changes: SettingChange[] = []
  for (let i = 1; i <= 100; i++) changes = withChange(changes, change(1000 * 1.1 ** i, i))
  expect(changes).toHaveLength(64)
  expect(changes.at(-1)).toEqual(change(1000 * 1.1 ** 100, 100))
})

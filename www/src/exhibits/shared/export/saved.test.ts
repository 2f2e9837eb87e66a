import { expect, test } from 'vitest'
import { checkpointOf } from '../../../../../tests/fixtures/checkpoint'
import { savedAs } from './saved'

test('a file says its steps where they are not those that are shown', () => {
  const bytes = checkpointOf({ steps: 8192 })
  expect(savedAs(bytes, 8192, 'steps')).toBe('1\u00a0KB')
  expect(savedAs(bytes, 9000, 'steps')).toBe(
    '1\u00a0KB. It holds the last complete update, after 8,192 steps, without the update in progress.',
  )
  expect(savedAs(bytes, null, 'steps')).toBe('1\u00a0KB')
  expect(savedAs(Uint8Array.of(1, 2), 5, 'steps')).toBe('1\u00a0KB')
})

import { expect, test } from 'vitest'
import { isSupported, pytestCount } from './tests/python.mjs'

test('the last line of pytest is counted', () => {
  expect(pytestCount('....\n147 passed, 1 skipped in 3.71s\n')).toEqual({
    passed: 147,
    failed: 0,
    skipped: 1,
  })
  const both = '1 failed, 2 passed in 0.1s\n=== 3 failed, 1 error in 61.20s (0:01:01) ===\n'
  expect(pytestCount(both)).toEqual({ passed: 0, failed: 4, skipped: 0 })
  expect(pytestCount('no tests ran in 0.01s')).toEqual({ passed: 0, failed: 0, skipped: 0 })
})

test('Python 3.10 and newer is supported', () => {
  expect(['3.9', '3.10', '3.14', '2.7', null].map(isSupported)).toEqual([false, true, true, false, false])
})

import { afterEach, expect, test, vi } from 'vitest'
import { newVersion } from './new-version.svelte'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a run that cannot be saved is lost only on a second click', async () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  const keep = vi.fn(async () => false)
  await newVersion.reload(keep)
  expect(newVersion.unsaved).toBe(true)
  expect(reload).not.toHaveBeenCalled()
  await newVersion.reload(keep)
  expect(keep).toHaveBeenCalledOnce()
  expect(reload).toHaveBeenCalledOnce()
})

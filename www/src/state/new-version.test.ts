import { afterEach, expect, test, vi } from 'vitest'
import { runs } from './kept/runs.svelte'
import { newVersion } from './new-version.svelte'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a run that cannot be kept is lost only to a second click', async () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  const keep = vi.spyOn(runs, 'keepNow').mockResolvedValue(false)
  await newVersion.reload()
  expect(newVersion.unsaved).toBe(true)
  expect(reload).not.toHaveBeenCalled()
  await newVersion.reload()
  expect(keep).toHaveBeenCalledOnce()
  expect(reload).toHaveBeenCalledOnce()
})

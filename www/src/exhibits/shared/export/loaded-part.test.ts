import { expect, test, vi } from 'vitest'
import { toasts } from '../../../state/toasts.svelte'
import { LoadedPart } from './loaded-part.svelte'

const settled = (part: LoadedPart<string>) => vi.waitFor(() => expect(part.isSettled).toBe(true))

test('a part is loaded in advance', async () => {
  const load = vi.fn().mockResolvedValue('part')
  const part = new LoadedPart<string>(load)
  expect(part.isSettled).toBe(false)
  await settled(part)
  expect([part.get(vi.fn()), part.get(vi.fn())]).toEqual(['part', 'part'])
  expect(load).toHaveBeenCalledOnce()
})

test('after a failure each use loads the part again, and shows an error with a retry', async () => {
  const error = vi.spyOn(toasts, 'error')
  const load = vi.fn().mockRejectedValue(new Error('offline'))
  const part = new LoadedPart<string>(load)
  await settled(part)
  expect(error, 'before the first use').not.toHaveBeenCalled()
  const use = vi.fn()
  for (const times of [1, 2]) {
    expect(part.get(use)).toBeNull()
    await vi.waitFor(() => expect(error).toHaveBeenCalledTimes(times))
  }
  expect(use).not.toHaveBeenCalled()
  const [, action] = error.mock.lastCall!
  expect(action?.label).toBe('Try again')
  load.mockResolvedValue('part')
  action!.run()
  await vi.waitFor(() => expect(use).toHaveBeenCalledOnce())
  expect(part.get(use)).toBe('part')
})

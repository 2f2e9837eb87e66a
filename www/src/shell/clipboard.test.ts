import { afterEach, expect, test, vi } from 'vitest'
import { toasts } from '../state/toasts.svelte'
import { copy } from './clipboard'

afterEach(() => {
  vi.unstubAllGlobals()
  toasts.list = []
})

test('a notification shows the beginning of a long text, which is copied whole', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: (text: string) => {
        written.push(text)
        return Promise.resolve()
      },
    },
  })
  const code = '<iframe>'.repeat(500)
  await copy(code, 'Embed code copied')
  await copy('R U', 'Algorithm copied')
  expect(written).toEqual([code, 'R U'])
  expect(toasts.list.at(-1)!.hint).toBe('R U')
  await copy(code, 'Embed code copied')
  expect(toasts.list.at(-1)!.hint.length).toBeLessThan(200)
})

test('a text that the browser does not copy is shown whole', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('refused')) } })
  const code = '<iframe>'.repeat(500)
  await copy(code, 'Embed code copied')
  expect(toasts.list.at(-1)!.hint).toBe(code)
})

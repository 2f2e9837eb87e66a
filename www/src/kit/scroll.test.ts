import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllGlobals())

vi.mock('compute-scroll-into-view', () => ({ compute: (el: Element) => [{ el, top: 40, left: 0 }] }))

test('in a frame, the first request scrolls once the library is loaded', async () => {
  const scrollTo = vi.fn()
  vi.stubGlobal('self', {})
  vi.stubGlobal('parent', {})
  const { scrollIntoView } = await import('./scroll')
  scrollIntoView({ scrollTo } as unknown as Element, 'nearest')
  await vi.waitFor(() => expect(scrollTo).toHaveBeenCalledWith(0, 40))
})

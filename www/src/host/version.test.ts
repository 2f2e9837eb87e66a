import { afterEach, expect, test, vi } from 'vitest'
import { watchForNewVersion } from './version'

afterEach(() => vi.unstubAllGlobals())

/** Shows the tab of a page of version `own` whose host returns `answer`; returns whether a new version is found. */
async function foundWith(own: string | undefined, answer: () => Promise<Response>): Promise<boolean> {
  const target = new EventTarget()
  const querySelector = () => (own ? { content: own } : null)
  vi.stubGlobal('document', Object.assign(target, { querySelector, visibilityState: 'visible' }))
  vi.stubGlobal('location', { pathname: '/a/' })
  const fetched = vi.fn(answer)
  vi.stubGlobal('fetch', fetched)
  const found = vi.fn()
  watchForNewVersion(found)
  target.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(own ? 1 : 0))
  await new Promise((next) => setTimeout(next))
  return found.mock.calls.length > 0
}
const page = (version: string) => async () => new Response(`<meta name="version" content="${version}" />`)

test('another version on the host is found', async () => {
  expect(await foundWith('a1', page('b2'))).toBe(true)
})

test('the same version, other responses, no response and a page without a version are not new versions', async () => {
  expect(await foundWith('a1', page('a1'))).toBe(false)
  expect(await foundWith('a1', async () => new Response('Log in to the network'))).toBe(false)
  expect(await foundWith('a1', () => Promise.reject(new TypeError('offline')))).toBe(false)
  expect(await foundWith(undefined, page('b2'))).toBe(false)
})

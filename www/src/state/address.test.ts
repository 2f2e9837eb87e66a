import { expect, test, vi } from 'vitest'

test('another page starts at its top and is new, unless the visitor returns to it', async () => {
  const listeners: (() => void)[] = []
  const scrolled = vi.fn()
  const entries: { state: unknown }[] = [{ state: null }]
  const location = { hash: '' }
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', {
    get state() {
      return entries.at(-1)!.state
    },
    replaceState: (state: unknown) => (entries.at(-1)!.state = state),
    pushState(state: unknown, _: string, hash: string) {
      entries.push({ state })
      location.hash = hash
    },
  })
  vi.stubGlobal('scrollTo', scrolled)
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener))
  const { address } = await import('./address.svelte')
  const show = (hash: string) => {
    location.hash = hash
    for (const changed of listeners) changed()
  }
  const follow = (hash: string) => {
    entries.push({ state: null })
    show(hash)
  }

  follow('#/cartpole')
  expect([address.page, scrolled.mock.calls]).toEqual(['cartpole', [[0, 0]]])
  expect(address.isNew).toBe(true)
  follow('#/cartpole?seed=2')
  follow('#/pendulum')
  expect([address.page, scrolled.mock.calls.length]).toEqual(['pendulum', 2])
  entries.pop()
  show('#/cartpole?seed=2')
  expect([address.page, scrolled.mock.calls.length]).toEqual(['cartpole', 2])
  expect(address.isNew).toBe(false)

  address.push('#/cartpole?seed=3')
  expect(location.hash).toBe('#/cartpole?seed=3')
  // The event of a navigation comes later; an action that ends in the meantime does not undo the navigation.
  location.hash = '#/pendulum'
  address.push('#/cartpole?seed=4')
  expect(location.hash).toBe('#/pendulum')
  show('#/pendulum')
  address.push('#/pendulum?seed=2')
  expect(location.hash).toBe('#/pendulum?seed=2')
})

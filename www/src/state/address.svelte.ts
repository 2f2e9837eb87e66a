/** The current route, parsed from the URL fragment. */
import { parseRoute, type Route } from './route'

class Address {
  route = $state.raw<Route>(parseRoute(location.hash))

  constructor() {
    addEventListener('hashchange', () => (this.route = parseRoute(location.hash)))
  }

  /** Replaces the URL fragment without navigation. */
  rewrite(hash: string): void {
    if (location.hash !== hash) history.replaceState(null, '', hash)
  }

  /** Replaces the URL fragment and adds a history entry. */
  push(hash: string): void {
    if (location.hash !== hash) history.pushState(null, '', hash)
  }
}

export const address = new Address()

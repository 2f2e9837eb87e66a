/** The route of the present address. */
import { parseRoute, type Route } from './route'

class Address {
  route = $state.raw<Route>(parseRoute(location.hash))

  constructor() {
    addEventListener('hashchange', () => (this.route = parseRoute(location.hash)))
  }

  /** Changes what the address says without going anywhere. */
  rewrite(hash: string): void {
    if (location.hash !== hash) history.replaceState(null, '', hash)
  }

  /** As {@link rewrite}, with a way back to what it said before. */
  push(hash: string): void {
    if (location.hash !== hash) history.pushState(null, '', hash)
  }
}

export const address = new Address()

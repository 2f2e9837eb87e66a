/** The current route, parsed from the URL fragment. */
import { embedded, isBeside } from '../host/embed'
import { articleOf, parseRoute, withPresentation, type Presentation, type Route } from './route'

/** State of the history entries that were shown. The browser restores the scroll position of such an entry. */
const shown = 'shown'
/** State of a history entry whose run has not been trained since a link opened the first step of the guide. */
const untrained = 'untrained'

/** Identifies the page of a route, independent of the settings in the route and the section of an article. */
function pageOf(route: Route): string {
  if (route.page === 'exhibit') return route.world
  if (route.page !== 'document') return route.page
  return route.name === 'learn' ? `learn/${articleOf(route.entry).family}` : route.name
}

const presentationOf = (route: Route): Presentation =>
  route.page === 'exhibit' ? route : { guide: null, projector: false }

class Address {
  route = $state.raw<Route>(parseRoute(location.hash))
  readonly page = $derived(pageOf(this.route))
  /** Step of the guide, counted from 1; null if the guide is closed. */
  guide = $state(presentationOf(this.route).guide)
  /** Whether the exhibit is in projector mode. */
  projector = $state(presentationOf(this.route).projector)
  /**
   * Whether a link has opened the present history entry. False after a reload and after a return in the history, which
   * restore what the entry showed. A reload of an entry with an untrained run opens the link again.
   */
  isNew = history.state !== shown
  /** Whether projector mode shows the part that the step of the guide explains, beside the picture. */
  private showsPanel = $state(false)
  /** Fragment of the URL for which the page is up to date. It differs from the URL's until the event of a navigation. */
  private hash = location.hash

  /** Parts of the exhibit that the embedded page shows; null for all. */
  show = $state.raw(presentationOf(this.route).show ?? null)
  /** Theme of the embedded page; null for the theme of the system. */
  theme = $state.raw(presentationOf(this.route).theme ?? null)
  /** Horizontal axis of the charts; null for the axis that the visitor has chosen. */
  axis = $state.raw(presentationOf(this.route).axis ?? null)
  /** Curves of other runs, as text; null for none. */
  curves = $state.raw(presentationOf(this.route).curves ?? null)
  /** Query of the second run that trains beside the first one; null for none. */
  beside = $state.raw(presentationOf(this.route).beside ?? null)
  /** ID of the position of a board game that the link opens; null for none, and once the position is on the board. */
  position = $state.raw(presentationOf(this.route).position ?? null)
  /** Whether this document shows one of two runs that train beside each other. */
  get paired(): boolean {
    return isBeside || this.beside !== null
  }
  /** Whether the charts of all metrics are below the main parts of the exhibit, for a comparison of runs. */
  get chartsBelow(): boolean {
    return this.paired || (embedded && this.guide === null && this.curves !== null)
  }
  /** Whether the page has neither header nor footer. */
  get bare(): boolean {
    return this.projector || embedded
  }
  /** Whether projector mode fits the main parts of the exhibit into the window. */
  get fitted(): boolean {
    return this.projector && !this.showsPanel
  }
  /**
   * Whether only the main parts of an exhibit are shown: picture, learning curve and transport. A step of the guide may explain
   * another part.
   */
  get compact(): boolean {
    return this.fitted || (embedded && this.guide === null) || this.beside !== null
  }

  constructor() {
    // The entry of the first step is marked once its run exists.
    if (!this.isNew || this.guide !== 1) history.replaceState(shown, '')
    addEventListener('hashchange', () => {
      const { page } = this
      this.hash = location.hash
      this.isNew = history.state !== shown && history.state !== untrained
      this.route = parseRoute(location.hash)
      const {
        guide,
        projector,
        show = null,
        theme = null,
        axis = null,
        curves = null,
        beside = null,
        position = null,
      } = presentationOf(this.route)
      Object.assign(this, {
        guide,
        projector,
        show,
        theme,
        axis,
        curves,
        beside,
        position,
        showsPanel: false,
      })
      if (this.page !== page && this.isNew) scrollTo(0, 0)
      history.replaceState(shown, '')
    })
  }

  /** Replaces the URL fragment without navigation, except how the run is presented. */
  rewrite(hash: string): void {
    this.write(hash, 'replaceState')
  }

  /**
   * Replaces the URL fragment, except how the run is presented, and adds a history entry. In a frame, it adds none: the history
   * belongs to the page around it.
   */
  push(hash: string): void {
    this.write(hash, embedded ? 'replaceState' : 'pushState')
  }

  private write(hash: string, how: 'replaceState' | 'pushState'): void {
    // The page has not yet got the event of a navigation that must not be undone.
    if (location.hash !== this.hash) return
    const next = withPresentation(hash, this)
    if (location.hash !== next) history[how](shown, '', next)
    this.hash = location.hash
  }

  /** Marks the history entry as one whose run is not trained yet, so that a reload starts a new run, or as shown. */
  markUntrained(on: boolean): void {
    const state = on ? untrained : shown
    if (history.state !== state) history.replaceState(state, '')
  }

  /** Opens a step of the guide, or closes the guide if null, and adds a history entry. The run continues. */
  openGuide(step: number | null): void {
    this.guide = step
    this.showsPanel = false
    this.push(location.hash)
  }

  /** Removes the axis of the charts from the URL, because the visitor has chosen one. */
  dropAxis(): void {
    if (this.axis === null) return
    this.axis = null
    this.rewrite(location.hash)
  }

  /** Opens a second run beside the first one, or closes it if null, and adds a history entry. The first run continues. */
  openBeside(query: string | null): void {
    this.beside = query
    this.push(location.hash)
  }

  /** Removes the position from the URL, because the game continues from it. */
  dropPosition(): void {
    this.position = null
    this.rewrite(location.hash)
  }

  /** Updates the settings of the second run. */
  rewriteBeside(query: string): void {
    this.beside = query
    this.rewrite(location.hash)
  }

  /** Enters or leaves projector mode, and adds a history entry. The run continues. */
  project(on: boolean): void {
    this.projector = on
    this.showsPanel = false
    this.push(location.hash)
  }

  /** Shows the part that the step of the guide explains, until the next step, in projector mode. */
  showPanel(): void {
    this.showsPanel = true
  }
}

export const address = new Address()

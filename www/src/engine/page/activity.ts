import type { SessionState } from './session'

/** Training state of a session: actual and requested. */
export class Activity {
  state: SessionState = 'starting'
  /** Whether training is requested, even if the tab is hidden. */
  requested = false
  /** Whether training continues while the tab is hidden. */
  inBackground = false

  constructor(private readonly onchange: (state: SessionState) => void) {}

  setState(state: SessionState): void {
    if (this.state === state) return
    this.state = state
    this.onchange(state)
  }

  /** Sets the actual state to the requested one: running or paused. */
  resume(): void {
    this.setState(this.requested ? 'running' : 'paused')
  }

  /** Whether the worker accepts messages other than requests. */
  get ready(): boolean {
    return this.state === 'running' || this.state === 'paused'
  }

  /** Whether training runs now. */
  get runs(): boolean {
    return this.requested && (this.inBackground || document.visibilityState !== 'hidden')
  }
}

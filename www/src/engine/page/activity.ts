import type { SessionState } from './session'

/** Whether a session trains, and whether it is meant to. */
export class Activity {
  state: SessionState = 'starting'
  /** Whether a person wants it to train, hidden tab or not. */
  wanted = false
  /** Whether it trains in a tab that is not shown, too. */
  inBackground = false

  constructor(private readonly onchange: (state: SessionState) => void) {}

  become(state: SessionState): void {
    if (this.state === state) return
    this.state = state
    this.onchange(state)
  }

  /** Goes over to what is wanted. */
  resume(): void {
    this.become(this.wanted ? 'running' : 'paused')
  }

  /** Whether the worker has an experiment, or could have one: until then it hears nothing but requests. */
  get ready(): boolean {
    return this.state === 'running' || this.state === 'paused'
  }

  /** Whether it trains now. */
  get runs(): boolean {
    return this.wanted && (this.inBackground || document.visibilityState !== 'hidden')
  }
}

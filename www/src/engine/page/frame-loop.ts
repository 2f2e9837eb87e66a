// The frame loop: requests one frame at a time at display rate, and none while the tab is hidden.
import type { ViewRequest, WorldInfo } from '../../protocol/types'
import type { Speed } from '../shared/messages'
import { plain } from './plain'

/** Worker from which the frame loop requests frames. */
export interface FrameSource {
  /** Whether the worker can send frames. */
  there(): boolean
  /** Returns the environment of the current experiment; null before the first experiment. */
  world(): WorldInfo | null
  /** Returns the speed limit of training. */
  speed(): Speed
  ask(view: ViewRequest, elapsed: number): void
}

/**
 * Returns the playback speed of the preview relative to real time: the training speed, at most 1.
 */
export function paceOf(world: WorldInfo | null, speed: Speed): number {
  return speed === 'max' || world?.kind !== 'control' ? 1 : Math.min(1, speed * world.step_seconds)
}

// Maximum time step in seconds, so that the preview does not jump after a pause.
const longest = 0.1

export class FrameLoop {
  #frameSource: FrameSource
  #view: ViewRequest | null = null
  #pending = false
  #due = false
  #acts = true
  /** Environment time in seconds of the requested single steps of the preview. */
  #stepTime = 0
  #last: number | null = null
  #animation = 0

  constructor(subject: FrameSource) {
    this.#frameSource = subject
  }

  /** Requests frames of this view; `null` requests none. */
  setView(request: ViewRequest | null): void {
    this.#view = plain(request)
    this.requestOnce()
  }

  /** Sets whether the environments of a control preview act. */
  act(on: boolean): void {
    this.#acts = on
    this.restart()
  }

  /** Advances the environments of a control preview by one step. */
  requestStep(): void {
    const world = this.#frameSource.world()
    // Slightly longer than a step, so that rounding does not omit the step.
    if (world?.kind === 'control') this.#stepTime += 1.0001 * world.step_seconds
    this.requestOnce()
  }

  /** Requests at least one more frame, even if nothing moves. */
  requestOnce(): void {
    this.#due = true
    this.#schedule()
  }

  /** Handles the arrival of the requested frame. */
  onFrame(): void {
    this.#pending = false
    this.#schedule()
  }

  /** Drops the pending frame of a terminated worker. */
  dropPending(): void {
    this.#pending = false
  }

  /** Restarts the clock of the animation: the next frame advances the animation by no time. Requests this frame. */
  restart(): void {
    this.#last = null
    this.requestOnce()
  }

  end(): void {
    cancelAnimationFrame(this.#animation)
    this.#view = null
  }

  get #drawable(): boolean {
    return this.#view !== null && this.#frameSource.there()
  }

  /** Whether the view animates. */
  get #moves(): boolean {
    return this.#view !== null && (this.#acts || this.#view.kind !== 'control')
  }

  /** Schedules the next request. Browsers suspend animation frames in hidden tabs. */
  #schedule(): void {
    if (this.#animation || this.#pending || !this.#drawable) return
    if (!this.#moves && !this.#due) return
    this.#animation = requestAnimationFrame((now) => {
      this.#animation = 0
      if (!this.#view || !this.#drawable) return
      const passed = this.#last === null ? 0 : Math.min((now - this.#last) / 1000, longest)
      this.#last = now
      this.#due = false
      this.#pending = true
      const source = this.#frameSource
      const elapsed = this.#moves ? passed * paceOf(source.world(), source.speed()) : this.#stepTime
      this.#stepTime = 0
      source.ask(this.#view, elapsed)
    })
  }
}

// Pictures are pulled: one at a time, when the display wants one, and none while nobody looks.
import type { ViewRequest, WorldInfo } from '../../protocol/types'
import type { Speed } from '../shared/messages'
import { plain } from './plain'

/** The source of frames. */
export interface Subject {
  /** Whether there is anything to be seen. */
  there(): boolean
  /** Whether it is trained at the moment. */
  runs(): boolean
  /** Seconds of the world in a second of the display. */
  pace(): number
  ask(view: ViewRequest, elapsed: number): void
}

/** Slower than the world's own time, what is drawn slows down as well; faster, it stays watchable. */
export function paceOf(world: WorldInfo | null, speed: Speed): number {
  return speed === 'max' || world?.kind !== 'control' ? 1 : Math.min(1, speed * world.step_seconds)
}

// A tab that was away for long must not make the preview leap.
const longest = 0.1

export class Pictures {
  #subject: Subject
  #view: ViewRequest | null = null
  #underWay = false
  #due = false
  #last: number | null = null
  #animation = 0

  constructor(subject: Subject) {
    this.#subject = subject
  }

  /** Requests frames of this view; `null` requests none. */
  show(request: ViewRequest | null): void {
    this.#view = plain(request)
    this.once()
  }

  /** Draws at least one more picture, even where nothing moves. */
  once(): void {
    this.#due = true
    this.#schedule()
  }

  /** The picture that was asked for has come. */
  came(): void {
    this.#underWay = false
    this.#schedule()
  }

  /** The worker that was asked for a frame is gone: no frame is pending any more. */
  forget(): void {
    this.#underWay = false
  }

  /** Time begins anew: what passes until the next picture does not count. */
  restart(): void {
    this.#last = null
    this.once()
  }

  end(): void {
    cancelAnimationFrame(this.#animation)
    this.#view = null
  }

  get #drawable(): boolean {
    return this.#view !== null && this.#subject.there()
  }

  /** Whether what is drawn has a time of its own, which no pause of training holds. */
  get #ownTime(): boolean {
    return this.#view !== null && this.#view.kind !== 'control'
  }

  /** The browser calls back at display rate while the tab is shown, and not at all otherwise. */
  #schedule(): void {
    if (this.#animation || this.#underWay || !this.#drawable) return
    if (!this.#subject.runs() && !this.#ownTime && !this.#due) return
    this.#animation = requestAnimationFrame((now) => {
      this.#animation = 0
      if (!this.#view || !this.#drawable) return
      const passed = this.#last === null ? 0 : Math.min((now - this.#last) / 1000, longest)
      this.#last = now
      this.#due = false
      this.#underWay = true
      const subject = this.#subject
      const trained = subject.runs() ? passed * subject.pace() : 0
      subject.ask(this.#view, this.#ownTime ? passed : trained)
    })
  }
}

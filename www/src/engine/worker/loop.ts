// The training loop: slices of work with room for messages between them, as fast as asked, and nothing at all while
// paused.
import type { Progress } from '../../protocol/types'
import type { Speed } from '../shared/messages'

/** The experiment that the loop advances. */
export interface Work {
  /** Works for about so long; returns environment steps since the start of the run. */
  advance(milliseconds: number): number
  /** Whether there is nothing to do until a device has caught up. */
  waits(): boolean
  /** Tells the page how far the run is. */
  report(): Progress
  speed(stepsPerSecond: number): void
  /** Sends the page a copy of the state. */
  checkpoint(): void
  /** The run stopped by itself, with what was thrown or at its end. */
  stopped(error: unknown): void
}

/** When, and what to call then; the browser's own unless a test brings its own. */
export interface Timing {
  now(): number
  /** Calls back after the messages that have arrived. */
  soon(call: () => void): void
  later(call: () => void, milliseconds: number): number
  cancel(timer: number): void
}

// Messages wait no longer than this.
const slice = 8
const reportEvery = 100
const speedEvery = 500
const checkpointEvery = 5_000
// The first of a run comes sooner: a visit may be short.
const firstCheckpoint = 1_500
// A copy of the state takes no more than this share of the time: that of a large model takes a while.
const checkpointShare = 0.02
// How often a device is asked whether it has caught up.
const nap = 1
// Debt older than this is forgiven: a slow machine does not try to catch up.
const patience = 250

export class Loop {
  #work: Work
  #timing: Timing
  #running = false
  #speed: Speed = 'max'
  #environments = 1
  #timer: number | null = null
  #soon = false
  #steps = 0
  #total: number | null = null
  // Since when, and from how many steps on, the throttle counts.
  #since = { time: 0, steps: 0 }
  #reported = 0
  #measured = { time: 0, steps: 0 }
  #saved = 0
  #begun = false
  /** Milliseconds that the last copy of the state took. */
  #saving = 0

  constructor(work: Work, timing: Timing = browserTiming()) {
    this.#work = work
    this.#timing = timing
  }

  /** A new experiment is there; it runs if the one before did. */
  begin(environments: number): void {
    this.#environments = environments
    this.#begun = false
    const progress = this.#work.report()
    this.#steps = progress.steps
    this.#total = progress.total_steps
    this.#restart()
  }

  play(): void {
    if (this.#running) return
    this.pause()
    this.#running = true
    this.#report()
    this.#restart()
    this.#next(0)
  }

  get running(): boolean {
    return this.#running
  }

  /** From here on nothing runs, not even a timer. */
  pause(): void {
    this.#running = false
    if (this.#timer !== null) this.#timing.cancel(this.#timer)
    this.#timer = null
  }

  /** One slice and no more; on a device, until something has come of it. */
  step(): void {
    if (this.#running || this.#timer !== null) return
    const before = this.#steps
    this.#advance(0)
    if (this.#steps > before || !this.#work.waits()) return void this.#work.report()
    this.#timer = this.#timing.later(() => {
      this.#timer = null
      this.step()
    }, nap)
  }

  throttle(speed: Speed): void {
    this.#speed = speed
    this.#restart()
    if (!this.#running) return
    this.pause()
    this.play()
  }

  #restart(): void {
    const mark = { time: this.#timing.now(), steps: this.#steps }
    this.#since = mark
    this.#measured = mark
    this.#reported = mark.time
    this.#saved = mark.time
  }

  #next(wait: number): void {
    if (!this.#running || this.#soon || this.#timer !== null) return
    if (wait > 0) {
      this.#timer = this.#timing.later(() => {
        this.#timer = null
        this.#turn()
      }, wait)
      return
    }
    this.#soon = true
    this.#timing.soon(() => {
      this.#soon = false
      this.#turn()
    })
  }

  #turn(): void {
    if (!this.#running) return
    const wait = this.#wait()
    if (wait <= 0) this.#advance(slice)
    if (!this.#running) return
    this.#reportDue()
    if (this.#work.waits()) this.#nap()
    else this.#next(Math.max(wait, this.#wait()))
  }

  /** Lets the device catch up: its answers come between two tasks, so there must be some, but not all the time. */
  #nap(): void {
    // Browsers hold back a timer that is set by a timer, but not one that is set by a message.
    this.#soon = true
    this.#timing.soon(() => {
      this.#soon = false
      this.#next(nap)
    })
  }

  /** Milliseconds until the throttle lets the next slice run. */
  #wait(): number {
    if (this.#speed === 'max') return 0
    const perMillisecond = (this.#speed * this.#environments) / 1000
    const due = this.#since.time + (this.#steps - this.#since.steps) / perMillisecond
    const wait = due - this.#timing.now()
    if (wait < -patience) this.#since = { time: this.#timing.now(), steps: this.#steps }
    // Long waits are cut, so that reports go on.
    return Math.min(wait, reportEvery)
  }

  #advance(milliseconds: number): void {
    try {
      const steps = this.#work.advance(this.#speed === 'max' ? milliseconds : 0)
      this.#steps = steps
      if (this.#total !== null && steps >= this.#total) this.#stop(null)
    } catch (error) {
      this.#stop(error)
    }
  }

  /** Where the run ends may have been changed meanwhile. */
  #report(): void {
    this.#total = this.#work.report().total_steps
  }

  #stop(error: unknown): void {
    this.pause()
    if (error === null) this.#work.report()
    this.#work.stopped(error)
  }

  #reportDue(): void {
    const now = this.#timing.now()
    if (now - this.#reported >= reportEvery) {
      this.#reported = now
      this.#report()
    }
    if (now - this.#measured.time >= speedEvery) {
      this.#work.speed(((this.#steps - this.#measured.steps) / (now - this.#measured.time)) * 1000)
      this.#measured = { time: now, steps: this.#steps }
    }
    const every = this.#begun ? checkpointEvery : firstCheckpoint
    if (now - this.#saved >= Math.max(every, this.#saving / checkpointShare)) {
      this.#begun = true
      this.#work.checkpoint()
      this.#saved = this.#timing.now()
      this.#saving = this.#saved - now
    }
  }
}

function browserTiming(): Timing {
  // A message to oneself comes after those that are waiting, and unlike a timer it is not held back.
  const { port1, port2 } = new MessageChannel()
  let waiting: (() => void) | null = null
  port1.onmessage = () => {
    const call = waiting
    waiting = null
    call?.()
  }
  return {
    now: () => performance.now(),
    soon: (call) => {
      waiting = call
      port2.postMessage(null)
    },
    later: (call, milliseconds) => setTimeout(call, milliseconds) as unknown as number,
    cancel: (timer) => clearTimeout(timer),
  }
}

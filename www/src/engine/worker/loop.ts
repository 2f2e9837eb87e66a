// The training loop: trains in slices of a few milliseconds and processes messages between slices. The speed can be
// limited. No timers run while paused.
import type { Progress } from '../../protocol/types'
import type { Speed, StepEnd } from '../shared/messages'

/** Experiment that the loop trains, with the reports that the loop sends to the page. */
export interface Work {
  /** Trains for about `milliseconds`; returns the number of environment steps since the start of the run. */
  advance(milliseconds: number): number
  /** Whether the experiment waits for results of the GPU. */
  waits(): boolean
  /** Posts the metric rows and the progress, and returns the progress and the number of rows. */
  report(): { progress: Progress; rows: number }
  speed(stepsPerSecond: number): void
  /** Posts a copy of the state. */
  checkpoint(): void
  /** Posts a snapshot for the timeline of the run. */
  snapshot(): void
  /** Reports the end of a single step, whether complete or canceled. */
  stepped(): void
  /** Handles the end of training: `error` is an exception, or null if the run is complete or has reached its stop. */
  stopped(error: unknown): void
}

/** Clock and timers of the browser; tests replace them. */
export interface Timing {
  now(): number
  /** Calls `call` after the pending messages have been processed. */
  soon(call: () => void): void
  later(call: () => void, milliseconds: number): number
  cancel(timer: number): void
}

// Duration of a slice of training in milliseconds, which is the maximum latency of messages.
const slice = 8
const reportEvery = 100
const speedEvery = 500
// A reload loses the training since the last checkpoint.
const checkpointEvery = 2_000
// Maximum share of time spent on checkpoints, and again on snapshots, which are slow for large models.
const checkpointShare = 0.02
// Ratio of the numbers of steps of consecutive snapshots, and their minimum distance in milliseconds.
const snapshotRatio = 1.1
const snapshotEvery = 200
// Interval in milliseconds between polls of a busy device.
const pollInterval = 1
// Maximum lag in milliseconds behind the speed limit that is caught up.
const maxLag = 250

/** A single step: its end, and the number of steps at its start. */
interface Single {
  until: StepEnd
  from: number
}

export class Loop {
  #work: Work
  #timing: Timing
  #running = false
  /** Whether training is interrupted, so that another run can use the processor. */
  #held = false
  #speed: Speed = 'max'
  /** Number of steps of {@link stopAt}; null for none. */
  #stopSteps: number | null = null
  /** Number of steps at which the training in progress stops; null for none. */
  #due: number | null = null
  /** Largest number of steps of the shortest piece of training. */
  #pieceSteps = 0
  #environments = 1
  #timer: number | null = null
  #soon = false
  #steps = 0
  #total: number | null = null
  // Time and number of steps from which the speed limit is computed.
  #since = { time: 0, steps: 0 }
  #reported = 0
  #measured = { time: 0, steps: 0 }
  #saved = 0
  /** Number of steps from which the next snapshot is due, and time and duration of the last one. */
  #snapshot = { due: 1, time: -Infinity, duration: 0 }
  /** The single step in progress. */
  #single: Single | null = null
  /** Duration of the last checkpoint in milliseconds. */
  #saving = 0

  constructor(work: Work, timing: Timing = browserTiming()) {
    this.#work = work
    this.#timing = timing
  }

  /**
   * Switches to a new experiment with this progress, which trains if the previous experiment was training. `stop` replaces the stop
   * of the previous experiment, see {@link stopAt}. Cancels a single step, and ends an interruption. Reports nothing: the page does
   * not know the experiment yet.
   */
  begin(environments: number, progress: Progress, stop: number | null): void {
    if (this.#single) this.pause()
    this.#environments = environments
    this.#steps = progress.steps
    this.#total = progress.total_steps
    this.#snapshot = { due: this.#steps * snapshotRatio + 1, time: -Infinity, duration: 0 }
    this.#pieceSteps = 0
    this.stopAt(stop)
    this.#restart()
    this.hold(false)
  }

  play(): void {
    if (this.running) return
    this.pause()
    this.#running = true
    this.#aim()
    this.#report()
    this.#restart()
    this.#next(0)
  }

  /** Whether training runs, apart from single steps. */
  get running(): boolean {
    return this.#running && !this.#single
  }

  /** Stops the loop and its timers. Ends a single step, and reports its end. */
  pause(): void {
    const single = this.#single
    this.#running = false
    this.#single = null
    if (this.#timer !== null) this.#timing.cancel(this.#timer)
    this.#timer = null
    if (single) this.#work.stepped()
  }

  /** Trains until the end of a single step, at full speed; `pause` cancels it. */
  step(until: StepEnd): void {
    if (this.#running) return
    this.#running = true
    this.#single = { until, from: this.#steps }
    this.#next(0)
  }

  throttle(speed: Speed): void {
    this.#speed = speed
    this.#restart()
    if (!this.running) return
    this.pause()
    this.play()
  }

  /**
   * Stops training at the end of the first iteration with at least this number of steps; null for no stop. A run that has them
   * already is not stopped.
   */
  stopAt(steps: number | null): void {
    this.#stopSteps = steps
    this.#aim()
  }

  #aim(): void {
    const steps = this.#stopSteps
    this.#due = steps !== null && this.#steps < steps ? steps : null
  }

  /** Interrupts or resumes training. Single steps are not interrupted. */
  hold(on: boolean): void {
    if (this.#held === on) return
    this.#held = on
    this.#next(0)
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
    if (this.#held && !this.#single) return
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
    if (this.#single) return this.#turnSingle(this.#single)
    if (this.#held) return
    const wait = this.#wait()
    if (wait <= 0) this.#trainSlice()
    if (!this.#running) return
    this.#reportDue()
    if (this.#work.waits()) this.#nap()
    else this.#next(Math.max(wait, this.#wait()))
  }

  /**
   * Trains one slice. With a stop, a slice consists of the shortest pieces of training, so that training stops at the same number
   * of steps on every machine.
   */
  #trainSlice(): void {
    const due = this.#due
    if (due === null) return this.#advance(slice)
    const end = this.#timing.now() + slice
    do {
      const before = this.#steps
      this.#advance(0)
      if (!this.#running) return
      this.#pieceSteps = Math.max(this.#pieceSteps, this.#steps - before)
      if (this.#steps + this.#pieceSteps < due) continue
      // Rows of iterations that ended before are reported before the stop is reached.
      const { rows } = this.#work.report()
      if (this.#steps >= due && rows > 0) return this.#stop(null)
    } while (this.#speed === 'max' && !this.#work.waits() && this.#timing.now() < end)
  }

  /** Trains one slice of a single step, and stops at its end. */
  #turnSingle({ until, from }: Single): void {
    this.#advance(0)
    if (!this.#running) return
    const { rows } = this.#work.report()
    // An iteration that was paused after its last environment step ends without further steps; the next one counts.
    if (this.#steps > from && (until === 'steps' || rows > 0)) {
      this.#snapshotDue()
      this.pause()
    } else if (this.#work.waits()) this.#nap()
    else this.#next(0)
  }

  /** Waits without busy waiting, so that the browser can deliver results of the GPU between tasks. */
  #nap(): void {
    // Browsers throttle timers that are set by timers, but not those set by messages.
    this.#soon = true
    this.#timing.soon(() => {
      this.#soon = false
      this.#next(pollInterval)
    })
  }

  /** Returns the milliseconds until the speed limit allows the next slice. */
  #wait(): number {
    if (this.#speed === 'max') return 0
    const perMillisecond = (this.#speed * this.#environments) / 1000
    const due = this.#since.time + (this.#steps - this.#since.steps) / perMillisecond
    const wait = due - this.#timing.now()
    if (wait < -maxLag) this.#since = { time: this.#timing.now(), steps: this.#steps }
    // Limited, so that reports continue.
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

  /** Reports the progress, and updates the step limit of the run, which a live setting may have changed. */
  #report(): void {
    this.#total = this.#work.report().progress.total_steps
  }

  #stop(error: unknown): void {
    if (error === null) this.#work.report()
    this.pause()
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
    this.#snapshotDue()
    if (now - this.#saved >= Math.max(checkpointEvery, this.#saving / checkpointShare)) {
      this.#work.checkpoint()
      this.#saved = this.#timing.now()
      this.#saving = this.#saved - now
    }
  }

  /** Posts a snapshot if one is due. They are equally spaced on a logarithmic scale of steps. */
  #snapshotDue(): void {
    const { due, time, duration } = this.#snapshot
    const now = this.#timing.now()
    if (this.#steps < due || now - time < Math.max(snapshotEvery, duration / checkpointShare)) return
    this.#work.snapshot()
    const done = this.#timing.now()
    this.#snapshot = { due: this.#steps * snapshotRatio, time: done, duration: done - now }
  }
}

function browserTiming(): Timing {
  // A message to the own port is processed after the pending messages, and is not throttled like a timer.
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

/** Settings of the timer, stored in this browser. */
import { store, stored } from '../../../lib/storage'

/** What the timer displays during a solve. */
export type RunningTime = 'hundredths' | 'seconds' | 'hidden'

/** Times in milliseconds for which the space bar or the clock must be held before their release starts the timer. */
export const holds = [0, 300, 550] as const

export interface TimerValues {
  /** Whether the inspection is timed. */
  inspection: boolean
  /** Whether the space bar times a physical cube instead of the moves of the cube on the page. */
  physical: boolean
  /** What is displayed while the timer is running. */
  running: RunningTime
  /** Time in milliseconds for which the space bar must be held before its release starts the timer. */
  hold: number
}

const runningTimes: readonly unknown[] = ['hundredths', 'seconds', 'hidden'] satisfies RunningTime[]
const key = 'timer'

/** Returns the stored settings; invalid ones have their defaults. */
function storedValues(): TimerValues {
  let values: Partial<Record<keyof TimerValues, unknown>> = {}
  try {
    values = (JSON.parse(stored(key) ?? '{}') ?? {}) as typeof values
  } catch {
    // Damaged storage is ignored.
  }
  const { inspection, physical, running, hold } = values
  return {
    inspection: inspection !== false,
    physical: physical === true,
    running: runningTimes.includes(running) ? (running as RunningTime) : 'hundredths',
    hold: (holds as readonly unknown[]).includes(hold) ? (hold as number) : 300,
  }
}

export class TimerSettings {
  #values = $state.raw(storedValues())

  get values(): Readonly<TimerValues> {
    return this.#values
  }

  set(change: Partial<TimerValues>): void {
    this.#values = { ...this.#values, ...change }
    store(key, JSON.stringify(this.#values))
  }
}

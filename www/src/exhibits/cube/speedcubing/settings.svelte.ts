/** Settings of the timer, stored in this browser. */
import { store, stored } from '../../../lib/storage'

/** What the timer displays during a solve. */
export type RunningTime = 'hundredths' | 'seconds' | 'hidden'

/** Times in milliseconds for which the space bar or the clock must be held before their release starts the timer. */
export const holds = [0, 300, 550] as const

interface Values {
  inspection: boolean
  physical: boolean
  running: RunningTime
  hold: number
}

const runningTimes: readonly unknown[] = ['hundredths', 'seconds', 'hidden'] satisfies RunningTime[]
const key = 'timer'

/** Returns the stored settings; invalid ones have their defaults. */
function storedValues(): Values {
  let values: Partial<Record<keyof Values, unknown>> = {}
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
  #values = $state.raw<Values>(storedValues())

  private set(change: Partial<Values>): void {
    this.#values = { ...this.#values, ...change }
    store(key, JSON.stringify(this.#values))
  }

  /** Whether the inspection is timed. */
  get inspection(): boolean {
    return this.#values.inspection
  }
  set inspection(inspection) {
    this.set({ inspection })
  }

  /** Whether the space bar times a physical cube instead of the moves of the cube on the page. */
  get physical(): boolean {
    return this.#values.physical
  }
  set physical(physical) {
    this.set({ physical })
  }

  /** What is displayed while the timer is running. */
  get running(): RunningTime {
    return this.#values.running
  }
  set running(running) {
    this.set({ running })
  }

  /** Time in milliseconds for which the space bar must be held before its release starts the timer. */
  get hold(): number {
    return this.#values.hold
  }
  set hold(hold) {
    this.set({ hold })
  }
}

/** Selects the faster of two engines: a run trains on each for about a second and continues on the faster one. */
import type { Engine } from '../engine/page/session'

/** Number of reports after which an engine without progress counts as stalled. */
const patience = 20
/** Minimum number of speed reports that are averaged. */
const enough = 2

/** Average of the speeds that one engine reports a few times per second. */
class Meter {
  #begun = false
  #sum = 0
  #count = 0
  #reports = 0

  /**
   * Adds a reported speed. Returns the mean speed when the measurement is complete, otherwise null. The time up to the
   * first steps is excluded, because kernels are compiled during this time. The measurement ends with a report of new
   * steps, because an engine may report many steps at once.
   */
  heard(stepsPerSecond: number): number | null {
    this.#reports++
    if (this.#begun) {
      this.#sum += stepsPerSecond
      this.#count++
    }
    const moves = stepsPerSecond > 0
    const mean = this.#count > 0 ? this.#sum / this.#count : 0
    if ((moves && this.#count >= enough) || this.#reports >= patience) return mean
    this.#begun ||= moves
    return null
  }
}

export class EngineTrial {
  /** Speed of the GPU relative to the CPU; null if unknown. */
  factor: number | null = null

  #meter = new Meter()
  #first: { engine: Engine; speed: number } | null = null
  #over = false

  /** Adds a reported speed of the active engine. Returns the engine to move to, or null. */
  heard(stepsPerSecond: number, engine: Engine): Engine | null {
    // The move failed, or the user moved the run back.
    if (this.#first?.engine === engine) this.#over = true
    const speed = this.#over ? null : this.#meter.heard(stepsPerSecond)
    if (speed === null) return null
    if (!this.#first) {
      this.#first = { engine, speed }
      this.#meter = new Meter()
      return engine === 'cpu' ? 'gpu' : 'cpu'
    }
    this.#over = true
    const [cpu, gpu] = engine === 'gpu' ? [this.#first.speed, speed] : [speed, this.#first.speed]
    if (cpu > 0) this.factor = gpu / cpu
    return speed < this.#first.speed ? this.#first.engine : null
  }
}

/** Formats a relative speed: "6× as fast as the CPU". */
export function speedupText(factor: number): string {
  const digits = factor >= 9.95 ? 0 : factor >= 0.095 ? 1 : 2
  return `${Number(factor.toFixed(digits))}× as fast as the CPU`
}

/** Which of two engines is the faster one for a run: it trains on each for about a second and goes on on the faster one. */
import type { Engine } from '../engine/page/session'

/** Speeds after which one that has not moved yet counts as standing still. */
const patience = 20
/** Speeds that are averaged at least. */
const enough = 2

/** The speed of one engine, averaged over what it reports a few times a second. */
class Meter {
  #begun = false
  #sum = 0
  #count = 0
  #reports = 0

  /**
   * Takes a speed in; returns the mean once it is known. What comes up to the first steps is left out, since kernels are made
   * there; and it ends with steps, since an engine may report many at a time.
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
  /** How many times as fast as the CPU the GPU is; null while that is not known. */
  factor: number | null = null

  #meter = new Meter()
  #first: { engine: Engine; speed: number } | null = null
  #over = false

  /** Takes in a speed of the engine that trains; returns the one to move to, or null to stay. */
  heard(stepsPerSecond: number, engine: Engine): Engine | null {
    // It could not move to the other one, or somebody has moved it back.
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

/** How much faster than the CPU the GPU is, in words: "6× as fast as the CPU". */
export function asFast(factor: number): string {
  const digits = factor >= 9.95 ? 0 : factor >= 0.095 ? 1 : 2
  return `${Number(factor.toFixed(digits))}× as fast as the CPU`
}

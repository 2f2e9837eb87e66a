import { describe, expect, it } from 'vitest'
import { Loop, type Timing, type Work } from './loop'

/** A simulated machine whose clock advances only by work and waiting. */
class Machine implements Work, Timing {
  time = 0
  steps = 0
  total: number | null = null
  stepsPerSlice = 100
  millisecondsPerSlice = 8
  broken: unknown = undefined
  stops: unknown[] = []
  advanced = 0
  speeds: number[] = []
  checkpoints = 0
  millisecondsPerCopy = 0
  /** A device that completes slices `lag` milliseconds after their submission. */
  device: { lag: number; until: number | null } | null = null
  queue: { at: number; id: number; call: () => void }[] = []
  #id = 0

  advance(): number {
    if (this.broken !== undefined) throw this.broken
    this.advanced++
    if (this.device) {
      this.device.until ??= this.time + this.device.lag
      if (this.time < this.device.until) return this.steps
      this.device.until = null
    }
    this.steps += this.stepsPerSlice
    this.time += this.millisecondsPerSlice
    return this.steps
  }
  waits() {
    return this.device?.until != null
  }
  report() {
    return { steps: this.steps, updates: 0, episodes: 0, total_steps: this.total }
  }
  speed(stepsPerSecond: number) {
    this.speeds.push(stepsPerSecond)
  }
  checkpoint() {
    this.time += this.millisecondsPerCopy
    this.checkpoints++
  }
  stopped(error: unknown) {
    this.stops.push(error)
  }
  now = () => this.time
  soon(call: () => void) {
    this.later(call, 0)
  }
  later(call: () => void, milliseconds: number) {
    this.queue.push({ at: this.time + milliseconds, id: ++this.#id, call })
    return this.#id
  }
  cancel(timer: number) {
    this.queue = this.queue.filter(({ id }) => id !== timer)
  }
  /** Runs all timers that are due within `milliseconds`. */
  pass(milliseconds: number) {
    const end = this.time + milliseconds
    for (;;) {
      const next = this.queue.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next || this.time >= end) break
      this.cancel(next.id)
      this.time = Math.max(this.time, next.at)
      next.call()
    }
    this.time = Math.max(this.time, end)
  }
}

function started(set: Partial<Machine> = {}): { machine: Machine; loop: Loop } {
  const machine = Object.assign(new Machine(), set)
  const loop = new Loop(machine, machine)
  loop.begin(10)
  return { machine, loop }
}

describe('the training loop', () => {
  it('runs nothing before play or after pause, not even timers', () => {
    const { machine, loop } = started()
    machine.pass(1000)
    expect(machine.steps).toBe(0)
    loop.play()
    machine.pass(1000)
    const { steps } = machine
    expect(steps).toBeGreaterThan(10_000)
    loop.pause()
    machine.pass(1000)
    expect(machine.steps).toBe(steps)
    expect(machine.queue).toEqual([])
  })

  it('leaves no timer when paused', () => {
    const { machine, loop } = started()
    loop.throttle(1)
    loop.play()
    machine.pass(500)
    expect(machine.queue.length).toBe(1)
    loop.pause()
    expect(machine.queue).toEqual([])
  })

  it('continues if the limit was raised', () => {
    const { machine, loop } = started({ total: 1000 })
    loop.play()
    machine.pass(1000)
    expect([machine.steps, machine.stops]).toEqual([1000, [null]])
    machine.total = 2000
    loop.play()
    machine.pass(1000)
    expect([machine.steps, machine.stops]).toEqual([2000, [null, null]])
  })

  it('keeps to a speed limit per environment', () => {
    const { machine, loop } = started()
    loop.throttle(50)
    loop.play()
    machine.pass(20_000)
    expect(machine.steps / 20).toBeGreaterThan(490)
    expect(machine.steps / 20).toBeLessThan(520)
  })

  it('does not catch up with a long lag', () => {
    const { machine, loop } = started({ millisecondsPerSlice: 1000 })
    loop.throttle(1000)
    loop.play()
    machine.pass(20_000)
    machine.millisecondsPerSlice = 1
    const before = machine.steps
    machine.pass(1000)
    expect(machine.steps - before).toBeLessThan(14_000)
  })

  it('speeds up at once when the limit is removed', () => {
    const { machine, loop } = started()
    loop.throttle(0.01)
    loop.play()
    machine.pass(1000)
    const before = machine.steps
    loop.throttle('max')
    machine.pass(16)
    expect(machine.steps).toBeGreaterThan(before)
  })

  it('runs one slice for a step', () => {
    const { machine, loop } = started()
    loop.step()
    expect(machine.steps).toBe(100)
    expect(machine.queue).toEqual([])
  })

  it('polls a busy device without busy waiting', () => {
    const { machine, loop } = started({ device: { lag: 20, until: null }, millisecondsPerSlice: 0 })
    loop.play()
    machine.pass(1000)
    expect(machine.steps / 100).toBeGreaterThan(40)
    expect(machine.steps / 100).toBeLessThanOrEqual(50)
    expect(machine.advanced).toBeLessThan(1100)
    loop.pause()
    machine.pass(1000)
    expect(machine.queue).toEqual([])
  })

  it('runs one slice on a device for a step, and waits for it', () => {
    const { machine, loop } = started({ device: { lag: 20, until: null }, millisecondsPerSlice: 0 })
    loop.step()
    loop.step()
    machine.pass(1000)
    expect(machine.steps).toBe(100)
    expect(machine.queue).toEqual([])
  })

  it('stops at the end of the run', () => {
    const { machine, loop } = started({ total: 1000 })
    loop.play()
    machine.pass(10_000)
    expect(machine.steps).toBe(1000)
    expect(machine.stops).toEqual([null])
  })

  it('stops with the exception', () => {
    const { machine, loop } = started({ broken: 'diverged' })
    loop.play()
    machine.pass(100)
    expect(machine.stops).toEqual(['diverged'])
    expect(machine.queue).toEqual([])
  })

  it('reports its speed and posts checkpoints', () => {
    const { machine, loop } = started()
    loop.play()
    machine.pass(31_000)
    expect(machine.speeds.length).toBeGreaterThan(50)
    expect(machine.speeds.at(-1)).toBeCloseTo(12_500, -3)
    expect(machine.checkpoints).toBe(6)
  })

  it('spends little of its time on checkpoints', () => {
    const { machine, loop } = started({ millisecondsPerCopy: 400 })
    loop.play()
    machine.pass(104_000)
    // The first comes early and measures their duration: from then on one in 20 seconds.
    expect(machine.checkpoints).toBe(6)
  })
})

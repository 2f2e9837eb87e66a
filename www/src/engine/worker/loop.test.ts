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
  /** Steps of an iteration, whose end reports a metric row. */
  stepsPerRow = 100
  singles = 0
  snapshots: number[] = []
  #rows = 0
  advanced = 0
  speeds: number[] = []
  checkpoints = 0
  millisecondsPerCopy = 0
  /** Simulated device, which completes a slice `lag` milliseconds after its submission. */
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
  progress() {
    return { steps: this.steps, updates: 0, episodes: 0, total_steps: this.total }
  }
  report() {
    const rows = Math.floor(this.steps / this.stepsPerRow) - this.#rows
    this.#rows += rows
    return { progress: this.progress(), rows }
  }
  snapshot() {
    this.snapshots.push(this.steps)
  }
  stepped() {
    this.singles++
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
  loop.begin(10, machine.progress(), null)
  return { machine, loop }
}

/** Starts a loop with this speed limit and holds it after a second; `before` is its number of steps then. */
function held(limit: number | 'max'): { machine: Machine; loop: Loop; before: number } {
  const { machine, loop } = started()
  loop.throttle(limit)
  loop.play()
  machine.pass(1000)
  loop.hold(true)
  machine.pass(100)
  return { machine, loop, before: machine.steps }
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

  it('is interrupted and resumed without a change of its state, and does not catch up with a long interruption', () => {
    const { machine, loop, before } = held(50)
    machine.pass(5000)
    expect([machine.steps, loop.running, machine.stops]).toEqual([before, true, []])
    loop.hold(false)
    machine.pass(1000)
    expect(machine.steps - before).toBeGreaterThan(400)
    expect(machine.steps - before).toBeLessThan(700)
    loop.pause()
    expect(machine.queue).toEqual([])
  })

  it('starts when resumed if it was held before', () => {
    const { machine, loop } = started()
    loop.hold(true)
    loop.play()
    machine.pass(100)
    expect(machine.steps).toBe(0)
    loop.hold(false)
    machine.pass(100)
    expect(machine.steps).toBeGreaterThan(0)
  })

  it('leaves the metrics of an opened experiment for a report after its response', () => {
    const { machine, loop } = started()
    machine.steps = 500
    loop.begin(10, machine.progress(), null)
    expect(machine.report().rows).toBe(5)
  })

  it('is no longer held after another experiment is opened', () => {
    const { machine, loop, before } = held('max')
    loop.begin(10, machine.progress(), null)
    machine.pass(100)
    expect(machine.steps).toBeGreaterThan(before)
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

  it('trains until the end of an iteration for a step, at full speed', () => {
    const { machine, loop } = started({ stepsPerRow: 400 })
    loop.throttle(0.01)
    loop.step('update')
    loop.step('update')
    machine.pass(1000)
    expect([machine.steps, machine.singles, machine.queue]).toEqual([400, 1, []])
    // The next step begins within an iteration.
    loop.step('steps')
    machine.pass(1000)
    expect([machine.steps, machine.singles]).toEqual([500, 2])
    loop.step('update')
    machine.pass(1000)
    expect([machine.steps, machine.singles]).toEqual([800, 3])
  })

  it('takes steps even if it begins at the end of an iteration', () => {
    const { machine, loop } = started()
    machine.stepsPerSlice = 0
    let slices = 0
    const report = machine.report.bind(machine)
    // The first slice of each iteration takes environment steps; the second slice reports a metric row.
    machine.report = () => {
      machine.stepsPerSlice = ++slices % 2 ? 0 : 100
      return { ...report(), rows: slices % 2 }
    }
    loop.begin(10, machine.progress(), null)
    slices = 0
    loop.step('update')
    machine.pass(1000)
    expect([machine.steps, machine.singles]).toEqual([100, 1])
  })

  it('cancels a step when paused, and continues it as training', () => {
    const { machine, loop } = started({ stepsPerRow: 10_000 })
    loop.step('update')
    machine.pass(20)
    loop.pause()
    machine.pass(1000)
    expect([machine.steps, machine.singles, machine.queue]).toEqual([300, 1, []])
    loop.step('update')
    machine.pass(20)
    loop.play()
    machine.pass(1000)
    expect(machine.steps).toBeGreaterThan(10_000)
    expect([machine.singles, loop.running]).toEqual([2, true])
  })

  it('a new run cancels a step', () => {
    const { machine, loop } = started({ stepsPerRow: 10_000 })
    loop.step('update')
    machine.pass(20)
    machine.steps = 0
    loop.begin(10, machine.progress(), null)
    machine.pass(1000)
    expect([machine.steps, machine.singles, machine.queue]).toEqual([0, 1, []])
  })

  it('reports the progress of a step before its end, even at the end of the run', () => {
    const { machine, loop } = started({ total: 200 })
    const events: string[] = []
    const report = machine.report.bind(machine)
    machine.report = () => (events.push('report'), report())
    machine.stepped = () => void events.push('stepped')
    machine.stopped = () => void events.push('stopped')
    machine.steps = 100
    loop.step('update')
    machine.pass(1000)
    expect(events).toEqual(['report', 'stepped', 'stopped'])
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
    loop.step('update')
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

  it('stops at the end of the first iteration with the given steps, at any speed', () => {
    for (const [speed, millisecondsPerSlice] of [
      ['max', 8],
      ['max', 0.1],
      [500, 1],
    ] as const) {
      const { machine, loop } = started({ stepsPerRow: 700, millisecondsPerSlice })
      loop.throttle(speed)
      loop.stopAt(2000)
      loop.play()
      machine.pass(10_000)
      expect([machine.steps, machine.stops, loop.running, machine.queue]).toEqual([2100, [null], false, []])
      // A run that has these steps already trains on.
      loop.play()
      machine.pass(1000)
      expect(machine.steps).toBeGreaterThan(2500)
      expect(machine.stops).toEqual([null])
      // The next run stops again, and no longer once the stop is withdrawn.
      machine.steps = 0
      machine.report()
      loop.begin(10, machine.progress(), 2000)
      machine.pass(10_000)
      expect(machine.steps).toBe(2100)
    }
    const { machine, loop } = started()
    loop.stopAt(2000)
    loop.play()
    loop.stopAt(null)
    machine.pass(1000)
    expect(machine.steps).toBeGreaterThan(2100)
  })

  it('drops the stop of the previous experiment, and stops at the stop of the new one', () => {
    for (const [stop, steps] of [
      [null, 1_000_000],
      [7000, 7000],
    ] as const) {
      const { machine, loop } = started()
      loop.stopAt(2000)
      loop.play()
      machine.pass(10)
      machine.steps = 0
      loop.begin(10, machine.progress(), stop)
      machine.pass(100_000)
      expect(Math.min(machine.steps, 1_000_000)).toBe(steps)
      expect(machine.stops).toEqual(stop === null ? [] : [null])
    }
  })

  it('does not stop at an iteration that ended before the given steps', () => {
    // The row of step 1400 is not reported before the stop is near.
    const { machine, loop } = started({ stepsPerRow: 1400, millisecondsPerSlice: 1 })
    loop.stopAt(1500)
    loop.play()
    machine.pass(10_000)
    expect([machine.steps, machine.stops]).toEqual([2800, [null]])
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
    expect(machine.checkpoints).toBe(15)
  })

  it('posts snapshots at growing distances', () => {
    const { machine, loop } = started()
    loop.step('update')
    machine.pass(100)
    expect(machine.snapshots).toEqual([100])
    loop.play()
    machine.pass(100_000)
    const ratios = machine.snapshots.slice(1).map((steps, i) => steps / machine.snapshots[i]!)
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(1.1)
    expect(Math.max(...ratios.slice(8))).toBeLessThan(1.2)
    // A resumed run already has its earlier snapshots.
    loop.begin(10, machine.progress(), null)
    const { length } = machine.snapshots
    machine.pass(1000)
    expect(machine.snapshots).toHaveLength(length)
  })

  it('spends little of its time on checkpoints', () => {
    const { machine, loop } = started({ millisecondsPerCopy: 400 })
    loop.play()
    machine.pass(104_000)
    // The first checkpoint, soon after the start, measures the duration of a checkpoint. Later checkpoints are 20
    // seconds apart.
    expect(machine.checkpoints).toBe(6)
  })
})

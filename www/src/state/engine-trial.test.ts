import { describe, expect, it } from 'vitest'
import type { Engine } from '../engine/page/session'
import { speedupText, EngineTrial } from './engine-trial'

/**
 * Reports speeds to an engine trial, one by one. Returns the engine to move to, and the number of reports before the
 * move.
 */
function report(trial: EngineTrial, engine: Engine, speeds: number[]): [Engine, number] | null {
  for (const [index, speed] of speeds.entries()) {
    const next = trial.heard(speed, engine)
    if (next) return [next, index + 1]
  }
  return null
}

const many = (speed: number): number[] => Array<number>(30).fill(speed)

describe('the trial of engines', () => {
  it('stays on the GPU if it is faster, and reports the factor', () => {
    const trial = new EngineTrial()
    // The first report does not count.
    expect(report(trial, 'cpu', [999, 100, 200, 300])).toEqual(['gpu', 3])
    expect(trial.factor).toBeNull()
    expect(report(trial, 'gpu', [0, 0, 5, 900, 900, 900])).toBeNull()
    expect(trial.factor).toBe(6)
    expect(report(trial, 'gpu', many(1))).toBeNull()
  })

  it('returns to the CPU if the GPU is slower', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(100))).toEqual(['gpu', 3])
    expect(report(trial, 'gpu', many(50))).toEqual(['cpu', 3])
    expect(trial.factor).toBe(0.5)
    expect(report(trial, 'cpu', many(1))).toBeNull()
  })

  it('averages over complete bursts of steps', () => {
    const trial = new EngineTrial()
    report(trial, 'cpu', many(100))
    // Steps are reported in every fourth report only, four times as many.
    expect(report(trial, 'gpu', [0, 0, 800, 0, 0, 0, 800])).toBeNull()
    expect(trial.factor).toBe(2)
  })

  it('leaves a stalled GPU', () => {
    const trial = new EngineTrial()
    report(trial, 'cpu', many(100))
    expect(report(trial, 'gpu', many(0))).toEqual(['cpu', 20])
    expect(trial.factor).toBe(0)
  })

  it('uses the GPU if the CPU is stalled', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(0))).toEqual(['gpu', 20])
    expect(report(trial, 'gpu', many(10))).toBeNull()
    expect(trial.factor).toBeNull()
  })

  it('starts on the engine of the previous run', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'gpu', many(100))).toEqual(['cpu', 3])
    expect(report(trial, 'cpu', many(25))).toEqual(['gpu', 3])
    expect(trial.factor).toBe(4)
  })

  it('ends if the run cannot move', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(100))).toEqual(['gpu', 3])
    expect(report(trial, 'cpu', many(100))).toBeNull()
    expect(trial.factor).toBeNull()
  })

  it('formats the factor with few digits', () => {
    expect([123.4, 6.04, 0.52, 0.031].map(speedupText)).toEqual([
      '123× as fast as the CPU',
      '6× as fast as the CPU',
      '0.5× as fast as the CPU',
      '0.03× as fast as the CPU',
    ])
  })
})

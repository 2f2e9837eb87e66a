import { describe, expect, it } from 'vitest'
import type { Engine } from '../engine/page/session'
import { asFast, EngineTrial } from './engine-trial'

/** Reports these speeds to a trial of an engine, one after the other; returns the engine that it moves to, and after how many. */
function report(trial: EngineTrial, engine: Engine, speeds: number[]): [Engine, number] | null {
  for (const [index, speed] of speeds.entries()) {
    const next = trial.heard(speed, engine)
    if (next) return [next, index + 1]
  }
  return null
}

const many = (speed: number): number[] => Array<number>(30).fill(speed)

describe('the trial of engines', () => {
  it('stays on the GPU where that is faster, and says how much', () => {
    const trial = new EngineTrial()
    // The first speed is not counted.
    expect(report(trial, 'cpu', [999, 100, 200, 300])).toEqual(['gpu', 3])
    expect(trial.factor).toBeNull()
    expect(report(trial, 'gpu', [0, 0, 5, 900, 900, 900])).toBeNull()
    expect(trial.factor).toBe(6)
    expect(report(trial, 'gpu', many(1))).toBeNull()
  })

  it('goes back where the GPU is slower, and stays there', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(100))).toEqual(['gpu', 3])
    expect(report(trial, 'gpu', many(50))).toEqual(['cpu', 3])
    expect(trial.factor).toBe(0.5)
    expect(report(trial, 'cpu', many(1))).toBeNull()
  })

  it('averages over whole bursts of steps', () => {
    const trial = new EngineTrial()
    report(trial, 'cpu', many(100))
    // Four times as many in every fourth report.
    expect(report(trial, 'gpu', [0, 0, 800, 0, 0, 0, 800])).toBeNull()
    expect(trial.factor).toBe(2)
  })

  it('leaves a GPU that does not move', () => {
    const trial = new EngineTrial()
    report(trial, 'cpu', many(100))
    expect(report(trial, 'gpu', many(0))).toEqual(['cpu', 20])
    expect(trial.factor).toBe(0)
  })

  it('takes a GPU where the CPU does not move', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(0))).toEqual(['gpu', 20])
    expect(report(trial, 'gpu', many(10))).toBeNull()
    expect(trial.factor).toBeNull()
  })

  it('begins on the engine that the run before was on', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'gpu', many(100))).toEqual(['cpu', 3])
    expect(report(trial, 'cpu', many(25))).toEqual(['gpu', 3])
    expect(trial.factor).toBe(4)
  })

  it('is over where the run cannot move', () => {
    const trial = new EngineTrial()
    expect(report(trial, 'cpu', many(100))).toEqual(['gpu', 3])
    expect(report(trial, 'cpu', many(100))).toBeNull()
    expect(trial.factor).toBeNull()
  })

  it('says how fast in few digits', () => {
    expect([123.4, 6.04, 0.52, 0.031].map(asFast)).toEqual([
      '123× as fast as the CPU',
      '6× as fast as the CPU',
      '0.5× as fast as the CPU',
      '0.03× as fast as the CPU',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { softmax } from '../../../lib/softmax'
import { valueOf } from '../circuit/functions'
import { checkerboard, differences, nextBoard, type Board } from './gate-automaton'
import { gradientThrough, signalsThrough } from './series'
import {
  beginTraining,
  corners,
  hardFunction,
  initialLogits,
  logitGradient,
  mixture,
  slopesAt,
  squaredError,
  trainGate,
  valueAt,
} from './soft-gate'

const only = (f: number) => Array.from({ length: 16 }, (_, i) => Number(i === f))

describe('a soft gate', () => {
  it('equals each Boolean function at the corners, and its relaxation between them', () => {
    for (let f = 0; f < 16; f++)
      for (const [a, b] of corners) expect(valueAt(mixture(only(f)), a, b)).toBe(valueOf(f, a, b))
    expect(valueAt(mixture(only(1)), 0.3, 0.5)).toBeCloseTo(0.15)
    expect(valueAt(mixture(only(6)), 0.3, 0.5)).toBeCloseTo(0.3 + 0.5 - 0.3)
  })

  it('starts as a pass-through with 99.93 %', () => {
    const p = softmax(initialLogits())
    expect(p[3]).toBeCloseTo(0.99932, 5)
    expect(hardFunction(initialLogits())).toBe(3)
    expect(valueAt(mixture(p), 1, 0)).toBeGreaterThan(0.999)
  })

  it('has the slopes and logit gradients of finite differences', () => {
    const logits = Array.from({ length: 16 }, (_, i) => Math.sin(3 * i + 1))
    const c = mixture(softmax(logits))
    const [alongA, alongB] = slopesAt(c, 0.3, 0.8)
    expect(alongA).toBeCloseTo((valueAt(c, 0.31, 0.8) - valueAt(c, 0.29, 0.8)) / 0.02)
    expect(alongB).toBeCloseTo((valueAt(c, 0.3, 0.81) - valueAt(c, 0.3, 0.79)) / 0.02)
    const gradient = logitGradient(logits, 14)
    for (let i = 0; i < 16; i++) {
      const at = (by: number) => squaredError(softmax(logits.map((z, j) => z + (i === j ? by : 0))), 14)
      expect(gradient[i]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 6)
    }
  })

  it('learns every truth table from the pass-through', () => {
    for (let target = 0; target < 16; target++) {
      let gate = beginTraining(initialLogits())
      for (let step = 0; step < 400; step++) gate = trainGate(gate, target, 0.1)
      expect(hardFunction(gate.logits)).toBe(target)
      expect(squaredError(softmax(gate.logits), target)).toBeLessThan(0.05)
    }
  })
})

describe('gates in series', () => {
  it('keep a bit if they are confident, and lose it if they are uniform', () => {
    expect(signalsThrough(10, 260).at(-1)).toBeGreaterThan(0.9)
    expect(signalsThrough(4, 260).at(-1)).toBeCloseTo(0.5)
    expect(signalsThrough(0, 3)).toEqual([1, 0.5, 0.5, 0.5])
    expect(gradientThrough(0, 1)).toBeCloseTo(0)
    expect(gradientThrough(10, 260)).toBeCloseTo(2 * (signalsThrough(10, 260).at(-1)! - 0.5))
  })
})

describe('an automaton of one gate', () => {
  const side = 16
  const grown = (gate: number, from: Board, steps: number) => {
    let board = from
    for (let step = 0; step < steps; step++) board = nextBoard(board, side, gate)
    return board
  }
  const random = Uint8Array.from({ length: side * side }, (_, i) => Number(Math.sin(i * i) > 0))

  it('grows a checkerboard with NOR from any start, one diagonal per step', () => {
    expect(differences(random, checkerboard(side))).toBeGreaterThan(60)
    for (let steps = 0; steps <= 31; steps++) {
      const board = grown(8, random, steps)
      board.forEach((cell, i) => {
        if ((i % side) + Math.floor(i / side) < steps) expect(cell).toBe(checkerboard(side)[i])
      })
    }
    expect(differences(grown(8, random, 31), checkerboard(side))).toBe(0)
  })

  it('does not with any other gate', () => {
    for (let gate = 0; gate < 16; gate++)
      if (gate !== 8) expect(differences(grown(gate, random, 31), checkerboard(side))).toBeGreaterThan(0)
  })
})

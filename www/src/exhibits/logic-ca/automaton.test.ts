import { expect, test } from 'vitest'
import { frameOf } from '../../../../tests/fixtures/frame'
import { circuitOf, logicFrame } from './automaton'

const bytes = (shape: number[]) => ({ shape, data: new Uint8Array(shape.reduce((a, b) => a * b)) })
const numbers = (...values: number[]) => ({ shape: [values.length], data: Float32Array.from(values) })

test('a frame is parsed by the names of its arrays', () => {
  const frame = frameOf({
    'soft/cells': bytes([4, 6, 3]),
    'sandbox/cells': bytes([128, 64, 1]),
    'rollout/step': numbers(7, 20),
    'sandbox/step': numbers(1234),
    'gates/functions': numbers(...Array(16).keys()),
    'gates/confidence': numbers(0.5),
    'circuit/signals': bytes([11]),
  })
  const read = logicFrame(frame)
  expect(read.soft).toMatchObject({ width: 6, height: 4, channels: 3 })
  expect(read.sandbox).toMatchObject({ width: 64, height: 128, channels: 1 })
  expect([read.hard, read.target]).toEqual([null, null])
  expect([...read.rollout, read.sandboxStep, read.confidence]).toEqual([7, 20, 1234, 0.5])
  expect([read.functions?.length, read.signals?.length]).toEqual([16, 11])
})

test('a frame without gates has no circuit', () => {
  expect(circuitOf(frameOf({ 'circuit/size': numbers(3000, 2), 'circuit/version': numbers(4) }))).toBeNull()
  const circuit = circuitOf(
    frameOf({
      'circuit/gates': { shape: [1, 4], data: Float32Array.of(6, 0, 4, -1) },
      'circuit/outputs': numbers(9),
      'circuit/version': numbers(4),
      'circuit/size': numbers(3000, 1),
    }),
  )
  expect(circuit).toMatchObject({ version: 4, before: 3000, after: 1 })
})

test('an empty frame has no boards', () => {
  expect(logicFrame(frameOf({}))).toMatchObject({
    soft: null,
    sandbox: null,
    sandboxStep: 0,
    functions: null,
    signals: null,
  })
})

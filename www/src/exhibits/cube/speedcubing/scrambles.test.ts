import { expect, test, vi } from 'vitest'
import { tools, type ToolPhase } from '../../../engine/page/tools'
import { randomStateScramble, type ScramblePhase } from './scrambles'

test('the first scramble of a size, and of a worker, computes the tables', async () => {
  const ask = vi.spyOn(tools, 'ask')
  const phases = async (size: 2 | 3, of: ToolPhase[]) => {
    ask.mockImplementationOnce(((_: string, __: unknown, phase: (phase: ToolPhase) => void) => {
      of.forEach(phase)
      return Promise.resolve('R U')
    }) as never)
    const shown: ScramblePhase[] = []
    expect(await randomStateScramble(size, (phase) => shown.push(phase))).toBe('R U')
    return shown.join()
  }
  expect(await phases(3, ['loading', 'running'])).toBe('loading,tables')
  expect(await phases(3, ['running'])).toBe('searching')
  expect(await phases(2, ['running'])).toBe('tables')
  expect(await phases(2, ['running'])).toBe('searching')
  // A tool has started the worker again.
  tools.starts++
  expect(await phases(3, ['running'])).toBe('tables')
  expect(await phases(3, ['running'])).toBe('searching')
  tools.starts++
  expect(await phases(3, ['loading', 'running'])).toBe('loading,tables')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '../engine/page/session'
import { afterFirstView, firstView, setFirstView } from './first-view'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a session, and a function that sends a report of its steps. */
function session() {
  let report = (_: { steps: number }) => {}
  const on = (_: string, listener: typeof report) => ((report = listener), () => {})
  return { session: { on } as unknown as Session, report: (steps: number) => report({ steps }) }
}

test('the first view is complete with the first steps', async () => {
  const { session: started, report } = session()
  const complete = vi.fn()
  void firstView(Promise.resolve(started)).then(complete)
  await vi.advanceTimersByTimeAsync(500)
  report(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(complete).not.toHaveBeenCalled()
  report(8)
  await vi.advanceTimersByTimeAsync(0)
  expect(complete).toHaveBeenCalledOnce()
})

test('a first view without steps is complete a second after the session has started', async () => {
  const complete = vi.fn()
  let start = (_: Session) => {}
  void firstView(new Promise((resolve) => (start = resolve))).then(complete)
  await vi.advanceTimersByTimeAsync(60_000)
  start(session().session)
  await vi.advanceTimersByTimeAsync(999)
  expect(complete).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(complete).toHaveBeenCalledOnce()
})

test('a first view without a session is complete', async () => {
  await firstView(Promise.resolve(null))
})

test('a module is loaded after the first view; a failure is an error with a remedy', async () => {
  let complete = () => {}
  setFirstView(new Promise((resolve) => (complete = resolve)))
  const load = vi.fn().mockRejectedValueOnce(new Error('404')).mockResolvedValue('loaded')
  const failed = vi.fn()
  void afterFirstView(load, 'The list of runs').catch(failed)
  await vi.advanceTimersByTimeAsync(0)
  expect(load).not.toHaveBeenCalled()
  complete()
  await vi.advanceTimersByTimeAsync(0)
  expect(failed).toHaveBeenCalledWith({
    message: 'The list of runs could not be loaded.',
    hint: 'Check the connection and reload the page.',
  })
  expect(await afterFirstView(load, 'The list of runs')).toBe('loaded')
})

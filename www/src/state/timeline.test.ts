import { beforeEach, describe, expect, test, vi } from 'vitest'
import { checkpointOf } from '../../../tests/fixtures/checkpoint'
import type { Command, Frame, Problem, Session, ViewRequest } from '../engine/page/session'
import { MemorySnapshots } from './saving'
import { Timeline } from './timeline.svelte'
import { toasts } from './toasts.svelte'

const frame: Frame = { arrays: {}, documents: null }
const wanted = { kind: 'cube', documents: true, map: true, thumbnails: 0 } satisfies ViewRequest

/** Returns a session that records the requests it receives. */
function recorded() {
  const asked: string[] = []
  const handlers: { frame?: (frame: Frame) => void; error?: (problem: Problem) => void } = {}
  const session = {
    on: (event: 'frame' | 'error', handler: () => void) => ((handlers[event] = handler), () => {}),
    view: (view: ViewRequest | null) =>
      void asked.push(view === null ? 'nothing' : view.kind === 'cube' && !view.documents ? 'blank' : 'view'),
    openSnapshot: async (bytes: Uint8Array) => void asked.push(`open ${bytes.length}`),
    command: async ({ kind }: Command) => void asked.push(kind),
    dispose: () => void asked.push('dispose'),
  } as unknown as Session
  const fail = (message: string) => handlers.error?.({ message, hint: '' })
  return { session, asked, draw: () => handlers.frame?.(frame), fail }
}

const snapshot = (steps: number) => checkpointOf({ experiment: 'cube2', steps })

async function made(steps: readonly number[]) {
  const training = recorded()
  const replay = recorded()
  const show = vi.fn()
  const startReplay = vi.fn(async () => replay.session)
  const waits: (() => void)[] = []
  const lab: { session: Session; requestedView: ViewRequest | null } = {
    session: training.session,
    requestedView: wanted,
  }
  const timeline = new Timeline({ lab, startReplay, show }, () => new Promise((next) => waits.push(next)))
  timeline.blank = { ...wanted, documents: false }
  timeline.view(wanted)
  training.asked.length = 0
  const store = new MemorySnapshots()
  await timeline.begin(store)
  for (const step of steps) await timeline.add(snapshot(step))
  return { timeline, lab, training, replay, show, startReplay, store, waits }
}

/** Lets pending promises settle. */
const settle = async () => {
  for (let i = 0; i < 30; i++) await Promise.resolve()
}

/** Returns a promise that the test settles. */
function deferred<T>() {
  let resolve!: (value: T) => void
  let reject!: (problem: Error) => void
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]))
  return { promise, resolve, reject }
}

describe('the timeline', () => {
  beforeEach(() => void (toasts.list = []))

  test('keeps at most 40 snapshots, and stores only these', async () => {
    const { timeline, store } = await made(Array.from({ length: 100 }, (_, i) => i * 1000))
    expect(timeline.steps).toHaveLength(40)
    expect([timeline.steps[0], timeline.steps.at(-1)]).toEqual([0, 99_000])
    expect((await store.list()).sort((a, b) => a - b)).toEqual(timeline.steps)
  })

  test('drops the future that a run has left, and ignores repeated snapshots', async () => {
    const { timeline } = await made([0, 10, 20, 30])
    await timeline.add(snapshot(30))
    expect(timeline.steps).toEqual([0, 10, 20, 30])
    await timeline.add(snapshot(15))
    expect(timeline.steps).toEqual([0, 10, 15])
  })

  test('drops the future of a repeated snapshot', async () => {
    const { timeline, store } = await made([0, 10, 20, 30])
    await timeline.add(snapshot(10))
    expect(timeline.steps).toEqual([0, 10])
    expect(await store.list()).toEqual([0, 10])
  })

  test('removes the snapshots only from the run that they belong to', async () => {
    const { timeline, store } = await made([0, 10, 20, 30])
    const removing = deferred<void>()
    const remove = vi.spyOn(store, 'remove').mockReturnValueOnce(removing.promise)
    const adding = timeline.add(snapshot(5))
    await vi.waitFor(() => expect(remove).toHaveBeenCalled())
    const next = new MemorySnapshots()
    for (const steps of [10, 20, 30]) await next.write(steps, snapshot(steps))
    const beginning = timeline.begin(next)
    removing.resolve()
    await Promise.all([adding, beginning])
    expect(await next.list()).toEqual([10, 20, 30])
    expect(timeline.steps).toEqual([10, 20, 30])
    expect(remove).toHaveBeenCalledTimes(3)
  })

  test('adds snapshots after the stored list was read', async () => {
    const { timeline } = await made([])
    const store = new MemorySnapshots()
    for (const steps of [0, 10, 20]) await store.write(steps, snapshot(steps))
    const reading = deferred<number[]>()
    vi.spyOn(store, 'list').mockReturnValueOnce(reading.promise)
    const beginning = timeline.begin(store)
    const adding = timeline.add(snapshot(10))
    await settle()
    reading.resolve([0, 10, 20])
    await Promise.all([beginning, adding])
    expect(timeline.steps).toEqual([0, 10])
  })

  test('reads the snapshots of a restored run', async () => {
    const { timeline, store } = await made([0, 10])
    await timeline.begin(new MemorySnapshots())
    expect(timeline.steps).toEqual([])
    await timeline.begin(store)
    expect(timeline.steps).toEqual([0, 10])
  })

  test('shows a snapshot in a second session, and then the present with all its documents', async () => {
    const { timeline, training, replay, show, startReplay } = await made([0, 10, 20])
    expect(startReplay).not.toHaveBeenCalled()
    timeline.revisit = () => [{ kind: 'set_evaluation', on: true }]
    await timeline.show(10)
    expect([timeline.shown, timeline.session]).toEqual([10, replay.session])
    expect(replay.asked).toEqual(['view', `open ${snapshot(10).length}`, 'set_evaluation'])
    expect(training.asked).toEqual(['nothing'])
    expect(timeline.accepts()).toBe(false)
    replay.draw()
    expect(show).toHaveBeenCalledTimes(1)
    timeline.present()
    replay.draw()
    expect(show).toHaveBeenCalledTimes(1)
    expect(training.asked).toEqual(['nothing', 'blank'])
    // A late frame and the frame without content are skipped.
    expect([timeline.accepts(), timeline.accepts(), timeline.accepts()]).toEqual([false, false, true])
    expect(training.asked).toEqual(['nothing', 'blank', 'view'])
    await timeline.show(0)
    expect(startReplay).toHaveBeenCalledTimes(1)
    timeline.close()
    expect([timeline.shown, replay.asked.at(-1)]).toEqual([null, 'dispose'])
  })

  test('requests all documents of the present, even if they are off screen', async () => {
    const { timeline, lab, training } = await made([0, 10])
    await timeline.show(10)
    lab.requestedView = null
    timeline.view(null)
    timeline.present()
    timeline.view(null)
    expect(training.asked).toEqual(['nothing', 'blank'])
    expect([timeline.accepts(), timeline.accepts(), timeline.accepts()]).toEqual([false, false, true])
    expect(training.asked).toEqual(['nothing', 'blank', 'nothing'])
  })

  test('opens only the last of quickly chosen snapshots', async () => {
    const { timeline, replay } = await made([0, 10, 1000, 200_000])
    await Promise.all([timeline.show(0), timeline.show(10), timeline.show(200_000)])
    expect(replay.asked.filter((asked) => asked.startsWith('open'))).toEqual([
      `open ${snapshot(200_000).length}`,
    ])
  })

  test('stays in the present if a snapshot cannot be shown', async () => {
    const { timeline } = await made([0, 10])
    await timeline.show(5)
    expect([timeline.shown, timeline.opening]).toEqual([null, false])
  })

  test('returns to the present if its session fails', async () => {
    const { timeline, replay } = await made([0, 10])
    await timeline.show(0)
    replay.fail('unreachable')
    expect([timeline.shown, timeline.replay, replay.asked.at(-1)]).toEqual([null, null, 'dispose'])
    expect(toasts.list.map(({ message }) => message)).toEqual(['unreachable'])
  })

  test('closes silently while a snapshot is being opened', async () => {
    const { timeline, replay } = await made([0, 10])
    const opening = deferred<never>()
    replay.session.openSnapshot = () => opening.promise
    replay.session.dispose = () => opening.reject(new Error('The session was closed.'))
    const showing = timeline.show(0)
    await settle()
    timeline.close()
    await showing
    expect([timeline.shown, timeline.opening, toasts.list]).toEqual([null, false, []])
  })

  test('ends a session that starts after the timeline was closed', async () => {
    const { timeline, replay, startReplay } = await made([0, 10])
    const starting = deferred<Session>()
    startReplay.mockReturnValueOnce(starting.promise)
    const showing = timeline.show(0)
    timeline.close()
    starting.resolve(replay.session)
    await showing
    expect([timeline.replay, replay.asked.at(-1)]).toEqual([null, 'dispose'])
  })

  test('plays its snapshots from the start, and ends in the present', async () => {
    const { timeline, waits } = await made([0, 10, 20])
    const playback = timeline.play()
    const seen: (number | null)[] = []
    for (let i = 0; i < 3; i++) {
      await settle()
      seen.push(timeline.shown)
      waits.shift()!()
    }
    await playback
    expect([seen, timeline.shown, timeline.playing]).toEqual([[0, 10, 20], null, false])
  })

  test('a stopped playback stays where it is, and continues from there', async () => {
    const { timeline, waits } = await made([0, 10, 20])
    const playback = timeline.play()
    await settle()
    timeline.stop()
    waits.shift()!()
    await playback
    expect([timeline.shown, timeline.playing]).toEqual([0, false])
    void timeline.play()
    await settle()
    expect(timeline.shown).toBe(10)
  })

  test('playback skips snapshots that were removed, and ends at the last one of its start', async () => {
    const { timeline, waits } = await made(Array.from({ length: 40 }, (_, i) => i * 1000))
    const playback = timeline.play()
    const seen: (number | null)[] = []
    for (;;) {
      await settle()
      if (timeline.shown === null) break
      seen.push(timeline.shown)
      // The first of these additions removes a snapshot.
      if (seen.length === 1) for (let i = 40; i < 70; i++) await timeline.add(snapshot(i * 1000))
      waits.shift()!()
    }
    await playback
    expect(toasts.list).toEqual([])
    expect(seen.length).toBeLessThan(40)
    expect(seen.every((steps) => steps! <= 39_000)).toBe(true)
  })

  test('playback that is restarted continues', async () => {
    const { timeline, waits } = await made([0, 10, 20])
    void timeline.play()
    await settle()
    timeline.stop()
    void timeline.play()
    await settle()
    expect(timeline.shown).toBe(10)
    waits.shift()!()
    await settle()
    expect([timeline.shown, timeline.playing]).toEqual([10, true])
    waits.shift()!()
    await settle()
    expect(timeline.shown).toBe(20)
  })
})

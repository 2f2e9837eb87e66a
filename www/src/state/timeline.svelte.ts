/**
 * Timeline of a run: its snapshots, and the display of a snapshot by a second session, which never trains. Training
 * continues while a snapshot is displayed.
 */
import type { Command, Frame, Session, ViewRequest } from '../engine/page/session'
import { stepsIn } from '../lib/files'
import type { SnapshotStore } from './saving'
import { snapshotLimit, thin } from './thinning'
import { toasts } from './toasts.svelte'

/** Time in milliseconds that playback shows each snapshot. */
const playbackInterval = 900

/** Functions of the lab that a timeline uses. */
export interface TimelineHost {
  lab: { readonly session: Session | null; readonly requestedView: ViewRequest | null }
  /** Starts the session that shows snapshots. */
  startReplay(): Promise<Session>
  /** Draws a frame of the session that shows snapshots. */
  show(frame: Frame): void
}

const later = (milliseconds: number): Promise<void> => new Promise((next) => setTimeout(next, milliseconds))

export class Timeline {
  /** Numbers of steps of the snapshots, ascending. */
  steps = $state.raw<readonly number[]>([])
  /**
   * Number of steps of the displayed snapshot; null if the current state of the training session is displayed (the
   * present).
   */
  shown = $state<number | null>(null)
  /** Whether the displayed snapshot is being opened. */
  opening = $state(false)
  /**
   * Session that displays snapshots; null before the first snapshot is displayed. It is kept when the display returns
   * to the present.
   */
  replay: Session | null = null
  /** Returns commands that reproduce the user's interactive state, such as a position, in a snapshot. */
  revisit: () => readonly Command[] = () => []
  /** View of the exhibit without content; null if its frames are always complete. */
  blank: ViewRequest | null = null

  private store: SnapshotStore | null = null
  /** Identity of the playback in progress; null if there is none. */
  private playback = $state.raw<symbol | null>(null)
  private commands: readonly Command[] = []
  /** Number of steps of the snapshot that the replay session has opened. */
  private opened: number | null = null
  /** Number of frames of the training session to skip, until a frame without content has arrived. */
  private skip = 0
  private adding: Promise<void> = Promise.resolve()

  constructor(
    private readonly host: TimelineHost,
    private readonly wait = later,
  ) {}

  /** Session that is displayed instead of the training session; null in the present. */
  get session(): Session | null {
    return this.shown === null ? null : this.replay
  }

  /** Whether the snapshots are shown one after another. */
  get playing(): boolean {
    return this.playback !== null
  }

  /** Starts the timeline of another run, with its stored snapshots. */
  begin(store: SnapshotStore): Promise<void> {
    this.close()
    this.store = store
    this.steps = []
    return (this.adding = this.adding.then(async () => {
      const stored = await store.list().catch(() => [])
      if (store === this.store) this.steps = [...new Set(stored)].sort((a, b) => a - b)
    }))
  }

  /** Adds a snapshot, and removes others if there are too many. */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { store } = this
    return (this.adding = this.adding.then(() => this.addTo(store, bytes)).catch(() => {}))
  }

  private async addTo(store: SnapshotStore | null, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const steps = stepsIn(bytes)
    if (!store || store !== this.store || steps === null) return
    if (!this.steps.includes(steps)) await store.write(steps, bytes)
    if (store !== this.store) return
    // Snapshots with more steps were taken before the run returned to an older state, and are dropped.
    const all = [...this.steps.filter((other) => other < steps), steps]
    await this.keep(store, thin(all, snapshotLimit(bytes.length), this.shown))
  }

  /** Removes all snapshots of the run except those at `steps`. */
  private async keep(store: SnapshotStore, steps: readonly number[]): Promise<void> {
    const dropped = this.steps.filter((other) => !steps.includes(other))
    this.steps = steps
    for (const other of dropped) await store.remove(other).catch(() => {})
  }

  /** Shows a snapshot. */
  async show(steps: number): Promise<void> {
    if (this.shown === null) {
      this.commands = this.revisit()
      this.opened = null
      this.host.lab.session?.view(null)
      this.replay?.view(this.host.lab.requestedView)
    }
    this.shown = steps
    if (this.opening) return
    this.opening = true
    try {
      await this.follow()
    } catch (problem) {
      // Closing the timeline rejects the requests of its session.
      if (this.shown !== null) this.fail(problem)
    } finally {
      this.opening = false
    }
  }

  /** Opens the snapshot that is to be displayed, until the choice no longer changes. */
  private async follow(): Promise<void> {
    const replay = this.replay ?? (await this.start())
    // In the meantime, the user may have returned to the present.
    if (this.shown === null) return replay === this.replay ? undefined : replay.dispose()
    this.replay = replay
    while (this.shown !== null && this.shown !== this.opened && this.store) {
      const steps = this.shown
      await replay.openSnapshot(await this.store.read(steps))
      for (const command of this.commands) await replay.command(command).catch(() => {})
      this.opened = steps
    }
  }

  private async start(): Promise<Session> {
    const replay = await this.host.startReplay()
    replay.on('frame', (frame) => {
      if (this.session === replay) this.host.show(frame)
    })
    // A failed worker resumes without the snapshot.
    replay.on('error', ({ message }) =>
      this.fail({ message, hint: 'The timeline has returned to the present.' }),
    )
    replay.view(this.host.lab.requestedView)
    return replay
  }

  private fail(problem: unknown): void {
    toasts.error(problem)
    this.close()
  }

  /**
   * Shows the snapshots one after another, and then the present. Begins after the displayed snapshot unless that is the
   * last one, or `fromStart` is set.
   */
  async play(fromStart = false): Promise<void> {
    const playback = (this.playback = Symbol())
    const last = this.steps.at(-1) ?? 0
    let previous = fromStart || this.shown === null || this.shown === last ? -1 : this.shown
    for (;;) {
      // Training adds and removes snapshots during playback.
      const steps = this.steps.find((steps) => steps > previous && steps <= last)
      if (steps === undefined) return this.present()
      await this.show(steps)
      await this.wait(playbackInterval)
      if (this.playback !== playback) return
      if (this.shown !== steps) return this.stop()
      previous = steps
    }
  }

  stop(): void {
    this.playback = null
  }

  /** Returns to the present: displays the training session, which sends all its documents again. */
  present(): void {
    this.stop()
    if (this.shown === null) return
    this.shown = null
    this.replay?.view(null)
    const { session, requestedView } = this.host.lab
    // The first frame may have been requested before the frame without content.
    this.skip = this.blank ? 2 : 0
    session?.view(this.blank ?? requestedView)
  }

  /** Returns whether a frame of the training session is drawn. */
  accepts(): boolean {
    if (this.shown !== null) return false
    if (this.skip === 0) return true
    if (--this.skip === 0) this.host.lab.session?.view(this.host.lab.requestedView)
    return false
  }

  /** Handles a change of the requested view. */
  view(request: ViewRequest | null): void {
    if (this.shown !== null) this.replay?.view(request)
    else if (this.skip === 0) this.host.lab.session?.view(request)
  }

  /** Returns to the present and ends the second session. */
  close(): void {
    this.present()
    this.replay?.dispose()
    this.replay = null
    this.opened = null
  }
}

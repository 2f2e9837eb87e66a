/** The runs saved in this browser, and periodic saving of the current one. */
import { stepsIn } from '../../lib/files'
import { loadExperiments, SessionError, type ExperimentInfo } from '../../engine/page/session'
import {
  MemorySnapshots,
  type Attachment,
  type RunStorage,
  type RestoredRun,
  type SnapshotStore,
} from '../saving'
import { comparedState, settingsAt, type ComparedRun } from '../compared-run'
import type { Lab } from '../lab.svelte'
import { exhibitHash } from '../route'
import { toasts } from '../toasts.svelte'
import { importLegacyCheckpoints } from './legacy'
import { deleteRun } from './deletion'
import { claim, claimed } from './locks'
import { curveOf, resultOf, sentence } from './describe'
import { newStorageSlot, spaceLeft, type StorageSlot, type Space } from './slot'
import { StoredSnapshots } from './snapshots'
import * as store from './store'
import type { RunDescription, SavedRun, Run } from './store'

export type { Run } from './store'

/** Maximum number of saved runs besides pinned ones; the oldest are deleted first. */
export const maxSavedRuns = 24

/** Seconds of training after which a replaced run stays saved. */
const minTrainedSeconds = 10
/** Maximum bytes of user files saved with a run. */
export const maxAttachmentBytes = 32_000_000
/** Delay in milliseconds that combines consecutive user actions into one save. */
const saveDelay = 1000
/** Maximum bytes written per millisecond: large models are saved less often. */
const writingRate = 2000

export class Runs implements RunStorage {
  /** Saved runs, newest first. */
  list = $state.raw<Run[]>([])
  /** Key of the current run; empty without a saved run. */
  current = $state('')
  /** Keys of the runs that are open in other tabs. */
  openElsewhere = $state.raw<ReadonlySet<string>>(new Set())
  /** Whether this browser can save runs, as far as known. */
  available = $state(true)
  space = $state.raw<Space | null>(null)

  /** Whether the user files of the current run are saved; null if there are none. */
  attachment = $state<'saved' | 'too large' | 'storage full' | null>(null)

  private slot: StorageSlot | null = null
  /** Slots of runs that are being restored, by key. */
  private claims = new Map<string, StorageSlot>()
  /** Whether the run was opened in its exhibit; runs of the home page are not saved. */
  seen = false
  /** Number of steps, time (`performance.now()`) and size in bytes of the last save. */
  private last = { steps: 0, time: -Infinity, size: 0 }
  /** Whether the run is part of a demonstration, such as a guide, whose steps replace their runs themselves. */
  private isDemonstration = false
  private changes = false
  private timer: ReturnType<typeof setTimeout> | null = null
  private writing: Promise<unknown> = Promise.resolve()
  private full = false
  private read: Promise<void> = Promise.resolve()
  /** Resolves when the replaced run is saved and released. */
  private releasing: Promise<void> = Promise.resolve()

  constructor(private readonly lab: Lab) {}

  /** Starts saving runs. */
  start(): void {
    this.lab.runStorage = this
    this.read = importLegacyCheckpoints(loadExperiments).then(() => this.refresh())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.saveNow()
    })
    // A reload requests the new page first, which often takes longer than saving. Later events are too late.
    addEventListener('beforeunload', () => void this.saveNow())
  }

  /** Starts saving runs, with the current run, which was not saved so far. */
  async keep(): Promise<void> {
    this.start()
    await this.read
    this.enter(null)
    this.markSeen()
    this.changes = true
    await this.saveNow()
  }

  /**
   * Marks the current run as opened in its exhibit. The replacement of a demonstration is not reported, and its training is
   * counted separately.
   */
  markSeen(isDemonstration = false): void {
    const { slot } = this
    const { steps } = this.lab.progress
    this.seen = true
    this.isDemonstration = isDemonstration
    if (!slot) return
    if (slot.inGuide) slot.guideSteps = steps
    slot.inGuide = isDemonstration && steps <= (slot.guideSteps ?? 0)
  }

  /** Whether a guide has trained the current run, and only a guide. */
  get inGuide(): boolean {
    return this.slot?.inGuide ?? false
  }

  /** Reads the saved runs, and deletes incomplete ones. */
  async refresh(): Promise<void> {
    const { runs, broken } = await store.list()
    this.list = runs
    this.space = await spaceLeft()
    const taken = await claimed()
    this.openElsewhere = new Set([...taken].filter((id) => id !== this.slot?.id))
    for (const id of broken) if (!taken.has(id)) await store.remove(id).catch(() => {})
  }

  /** Returns the most recently shown run of this address that no tab shows. */
  async find(address: string): Promise<Run | null> {
    await Promise.all([this.read, this.releasing])
    // Browsers deny locks to a frame of another site, which stores no runs.
    if (this.list.length === 0) return null
    const taken = await claimed()
    const found = this.list.filter((run) => run.address === address && !taken.has(run.id))
    return found.sort((a, b) => b.shown - a.shown)[0] ?? null
  }

  /**
   * Restores a run, and continues training if it was training. If another tab shows the run, restores a copy. Returns
   * whether it succeeded.
   */
  async resume(id: string, autoplay = true): Promise<boolean> {
    const found: { saved?: SavedRun; slot?: StorageSlot } = {}
    const shown = await this.lab.restore(async () => {
      await this.releasing
      const release = await claim(id)
      const saved = await store.read(id).catch(() => null)
      if (!saved) {
        void release?.()
        void this.refresh()
        const hint = 'Another tab may have deleted it.'
        throw new SessionError({ message: 'This run could not be read.', hint })
      }
      const { title, pinned, guideSteps = null } = saved.about
      const attachment = await store.attachmentOf(id)
      const own = {
        ...{ id, title, pinned, guideSteps, inGuide: false },
        ...{ release, written: true, attachment, attachmentWritten: true },
        snapshots: new StoredSnapshots(id),
      }
      const slot = release ? { ...own, release } : { ...newStorageSlot(), attachment }
      this.claims.set(slot.id, slot)
      found.saved = saved
      found.slot = slot
      // The session is paused before the run is opened, so that a paused run does not take a step.
      if (!autoplay || !saved.about.running) this.lab.pause()
      return { ...saved, id: slot.id }
    })
    const { saved, slot } = found
    if (slot && this.claims.delete(slot.id)) void slot.release()
    if (!shown || !saved) return false
    if (autoplay && saved.about.running) void this.lab.play()
    if (slot?.id === id) await this.updateAbout(id, { shown: Date.now() }).catch(() => {})
    return true
  }

  /** Opens a run in its exhibit. */
  async goTo(id: string): Promise<void> {
    if (id === this.current || (await this.resume(id)))
      location.hash = this.lab.addressOf(this.lab.info!.name)
  }

  async beforeReplace(): Promise<(next: RestoredRun | null) => void> {
    const { slot, isDemonstration } = this
    const { config, seed } = this.lab
    const world = this.lab.info?.name
    const worth =
      this.lab.seconds >= minTrainedSeconds ||
      this.lab.solved !== null ||
      this.lab.marks.some((mark) => mark === 'played' || mark === 'compared') ||
      slot?.pinned ||
      slot?.title
    const saved = await this.capture()
    const state = saved || slot?.written ? comparedState(saved?.pageState ?? this.lab.pageState) : null
    return (next) => {
      this.enter(next)
      if (!slot) return
      const replaced = world === this.lab.info?.name
      this.releasing =
        replaced && !worth ? this.drop(slot) : this.leave(slot, saved, replaced && !isDemonstration)
      if (!state || !replaced || !worth) return
      const { id, title } = slot
      this.lab.onstored?.({ id, experiment: world!, title, config, seed, ...state })
    }
  }

  checkpoint(bytes: Uint8Array<ArrayBuffer>): void {
    const { slot } = this
    if (!slot || !this.needsSave || performance.now() < this.last.time + bytes.length / writingRate) return
    if (this.isBegun(stepsIn(bytes))) void this.write(slot, savedRun(this.lab, slot, bytes))
  }

  changed(): void {
    this.changes = true
    const rest = this.last.time + this.last.size / writingRate - performance.now()
    this.timer ??= setTimeout(
      () => {
        this.timer = null
        void this.saveNow()
      },
      Math.max(saveDelay, rest),
    )
  }

  /** Saves the current run if it has changed. Returns false if the browser has no storage or it is full. */
  async saveNow(): Promise<boolean> {
    const { slot } = this
    const saved = await this.capture()
    if (slot && saved) void this.write(slot, saved)
    await this.writing
    return this.available && !this.full
  }

  attach(attachment: Attachment): void {
    const { slot } = this
    if (!slot) return
    const size = attachment.files.reduce((sum, { size }) => sum + size, 0)
    slot.attachment = size <= maxAttachmentBytes ? attachment : null
    slot.attachmentWritten = false
    this.attachment = slot.attachment ? 'saved' : 'too large'
    this.changed()
  }

  snapshots(): SnapshotStore {
    return this.slot?.snapshots ?? new MemorySnapshots()
  }

  attached(): Attachment | null {
    return this.slot?.attachment ?? null
  }

  async rename(run: Run, title: string): Promise<void> {
    await this.rejectIfOpenElsewhere(run)
    await this.updateAbout(run.id, { title })
  }

  async pin(run: Run, pinned: boolean): Promise<void> {
    await this.rejectIfOpenElsewhere(run)
    await this.updateAbout(run.id, { pinned })
    if (pinned) await this.persist()
  }

  /** Deletes a run, and offers to undo the deletion. */
  async delete(run: Run): Promise<void> {
    await this.rejectIfOpenElsewhere(run)
    const restore = await deleteRun(run)
    await this.refresh()
    const undo = () => restore().then(() => this.refresh())
    toasts.offer(`Deleted: ${sentence(run, this.lab.experiments)}.`, {
      label: 'Undo',
      run: () => void undo().catch((problem) => toasts.error(problem)),
    })
  }

  /** Returns the checkpoint of a run. */
  async bytesOf(run: Run): Promise<Uint8Array<ArrayBuffer>> {
    return (await store.read(run.id)).bytes
  }

  /** Returns a saved run with its curves, to be compared with the current run; null if its settings are unknown. */
  async compared(run: Run, info: ExperimentInfo): Promise<ComparedRun | null> {
    const settings = settingsAt(info, run.address)
    if (!settings) return null
    const { id, experiment, title } = run
    return { id, experiment, title, ...settings, ...comparedState(await store.readPageState(id)) }
  }

  /** Stores a run that this page does not show, and returns it with its curves. Throws an error if it cannot be stored. */
  async add(lab: Lab, bytes: Uint8Array<ArrayBuffer>): Promise<ComparedRun> {
    const slot = newStorageSlot()
    const saved = savedRun(lab, slot, bytes)
    const written = this.writing.then(() => this.writeNow(slot, saved))
    this.writing = written
    const isWritten = await written
    await slot.release()
    if (!isWritten) throw new SessionError({ message: 'The run could not be stored.', hint: '' })
    const { config, seed } = lab
    const { experiment } = saved.about
    return { id: slot.id, experiment, title: '', config, seed, ...comparedState(saved.pageState) }
  }

  /** Requests persistent storage. */
  async persist(): Promise<void> {
    await navigator.storage?.persist?.()
    this.space = await spaceLeft()
  }

  /** Throws if another tab shows the run, because that tab would overwrite the change. */
  private async rejectIfOpenElsewhere({ id }: Run): Promise<void> {
    if (id === this.slot?.id || !(await claimed()).has(id)) return
    await this.refresh()
    throw new SessionError({ message: 'This run is open in another tab.', hint: 'Change it there.' })
  }

  private async updateAbout(
    id: string,
    change: Partial<Pick<RunDescription, 'title' | 'pinned' | 'shown'>>,
  ): Promise<void> {
    if (id === this.slot?.id) Object.assign(this.slot, change)
    await this.writing
    const run = this.list.find((run) => run.id === id)
    if (!run) return
    const { id: _id, size: _size, ...about } = run
    await store.describe(id, { ...about, ...change })
    await this.refresh()
  }

  /** Whether the current run has unsaved changes and is worth saving. */
  private get needsSave(): boolean {
    const { steps } = this.lab.progress
    return this.seen && this.isBegun(steps) && (this.changes || steps !== this.last.steps)
  }

  /** Captures the current run; null if nothing has changed or the worker does not respond. */
  private async capture(): Promise<SavedRun | null> {
    const { slot } = this
    if (!slot || !this.lab.session || !this.needsSave) return null
    const { run } = this.lab
    const bytes = await this.lab.session.pack().catch(() => null)
    return bytes && run === this.lab.run && this.isBegun(stepsIn(bytes))
      ? savedRun(this.lab, slot, bytes)
      : null
  }

  /** Returns whether the state after `steps` differs from a new run: an opened model was trained before. */
  private isBegun(steps: number | null): boolean {
    return steps !== 0 || this.lab.earlierSteps > 0 || this.lab.marks.includes('played')
  }

  private write(slot: StorageSlot, saved: SavedRun): Promise<boolean> {
    this.last = { steps: this.lab.progress.steps, time: performance.now(), size: saved.bytes.length }
    this.changes = false
    const written = this.writing.then(() => this.writeNow(slot, saved))
    this.writing = written
    return written
  }

  private async writeNow(slot: StorageSlot, { about: then, ...saved }: SavedRun): Promise<boolean> {
    // The title may have changed while the save was queued.
    const about = { ...then, title: slot.title, pinned: slot.pinned }
    try {
      await store.write(slot.id, { about, ...saved })
    } catch (problem) {
      this.refused(problem)
      return false
    }
    slot.written = true
    this.available = true
    this.full = false
    await this.writeAttachment(slot)
    const brought = slot.attachment?.files.reduce((sum, { size }) => sum + size, 0) ?? 0
    const run = { ...about, id: slot.id, size: saved.bytes.length + brought }
    this.list = [run, ...this.list.filter(({ id }) => id !== slot.id)]
    await this.evictOldRuns()
    return true
  }

  /** Saves the user files of a run, once. */
  private async writeAttachment(slot: StorageSlot): Promise<void> {
    if (!slot.attachment || slot.attachmentWritten) return
    try {
      await store.attach(slot.id, slot.attachment)
      slot.attachmentWritten = true
    } catch {
      slot.attachment = null
      if (slot === this.slot) this.attachment = 'storage full'
    }
  }

  /** Reports full storage once. Missing storage is reported in the list of runs. */
  private refused(problem: unknown): void {
    if ((problem as Error | null)?.name !== 'QuotaExceededError') return void (this.available = false)
    if (this.full) return
    this.full = true
    toasts.error({
      message: 'Browser storage is full: further progress of this run is not saved.',
      hint: 'Delete saved runs under More → Runs, or save this run as a file.',
    })
  }

  private async evictOldRuns(): Promise<void> {
    const old = this.list.filter(({ pinned }) => !pinned).slice(maxSavedRuns)
    if (old.length === 0) return
    const taken = await claimed()
    for (const { id } of old) if (!taken.has(id)) await store.remove(id).catch(() => {})
    this.list = this.list.filter((run) => taken.has(run.id) || !old.includes(run))
  }

  /** Makes another run current. */
  private enter(next: RestoredRun | null): void {
    const known = next && this.claims.get(next.id)
    if (known) this.claims.delete(known.id)
    this.slot = known ?? newStorageSlot()
    this.current = this.slot.id
    this.attachment = this.slot.attachment ? 'saved' : null
    this.seen = false
    this.isDemonstration = false
    this.last = { steps: this.lab.progress.steps, time: performance.now(), size: 0 }
    // A checkpoint file, or the copy of another tab's run, is not saved yet.
    if (this.lab.fromFile && !this.slot.written) this.changed()
    else this.changes = false
  }

  /** Saves a run and releases its lock. If `offered`, offers to return to the run. */
  private async leave(slot: StorageSlot, saved: SavedRun | null, offered: boolean): Promise<void> {
    if (saved) await this.writing.then(() => this.writeNow(slot, saved))
    await slot.snapshots.close()
    await slot.release()
    const run = this.list.find(({ id }) => id === slot.id)
    if (!offered || !run?.steps || !slot.written || this.current === slot.id) return
    // The user has left the page of the run.
    if (this.lab.exhibit !== run.experiment) return
    const undo = { label: 'Undo', run: () => void this.goTo(slot.id) }
    toasts.offer(`Previous run saved: ${sentence(run, this.lab.experiments)}.`, undo)
  }

  /** Deletes and releases a run that is not worth saving. */
  private async drop(slot: StorageSlot): Promise<void> {
    await this.writing
    await slot.snapshots.close()
    await store.remove(slot.id).catch(() => {})
    this.list = this.list.filter(({ id }) => id !== slot.id)
    await slot.release()
  }
}

/** Returns the run of a lab with its checkpoint, to be stored. */
function savedRun(
  lab: Lab,
  { title, pinned, inGuide, guideSteps }: Pick<StorageSlot, 'title' | 'pinned' | 'inGuide' | 'guideSteps'>,
  bytes: Uint8Array<ArrayBuffer>,
): SavedRun {
  const info = lab.info!
  const steps = stepsIn(bytes) ?? lab.progress.steps
  const about = {
    experiment: info.name,
    seed: lab.seed,
    changes: lab.changes,
    address: exhibitHash(info, lab.config, lab.seed),
    preset: lab.preset ?? '',
    title,
    pinned,
    steps,
    guideSteps: inGuide ? steps : guideSteps,
    running: lab.running === 'running',
    shown: Date.now(),
    result: resultOf(info, lab.latest),
    curve: curveOf(info, lab.history),
    when: Date.now(),
  }
  return { about, pageState: lab.pageState, bytes }
}

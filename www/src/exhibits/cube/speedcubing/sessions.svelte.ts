/** Sessions of timed solves: the chosen session, changes that can be undone, import. */
import { toasts } from '../../../state/toasts.svelte'
import type { Size } from '../model/turns'
import { readCsTimer } from './cstimer'
import { readSolvesCsv } from './csv'
import { mostSolves, storedSessions, storeSessions, type SolveSession, type StoredSessions } from './storage'
import { cutTime, type Penalty, type Solve } from './timer'

export class SolveSessions {
  #stored = $state.raw<{ world: string; sessions: StoredSessions } | null>(null)
  /** Whether an error was shown that the browser does not store the solves. */
  private isRefused = false

  constructor(
    /** Returns the name of the experiment whose solves are listed. */
    private readonly world: () => string,
    /** Called when the last solve of the chosen session is replaced, but not when a solve is added. */
    private readonly onreplaced: () => void,
  ) {}

  /** Layers of the cube of this experiment. */
  get size(): Size {
    return this.world() === 'cube2' ? 2 : 3
  }

  private of(world: string): StoredSessions {
    return this.#stored?.world === world ? this.#stored.sessions : storedSessions(world)
  }

  private set(world: string, sessions: StoredSessions): void {
    const isStored = storeSessions(world, sessions)
    if (world === this.world()) this.#stored = { world, sessions }
    if (!isStored && !this.isRefused)
      toasts.error({
        message: 'The browser does not store the solves.',
        hint: 'They last until the page is closed; export them, or delete solves or stored runs.',
      })
    this.isRefused = !isStored
  }

  /** All sessions of this experiment; at least one. */
  get list(): readonly SolveSession[] {
    return this.of(this.world()).list
  }

  /** Name of the chosen session, which gets the next solves. */
  get chosen(): string {
    return this.of(this.world()).chosen
  }

  /** Solves of the chosen session, oldest first. */
  get solves(): readonly Solve[] {
    return this.list.find(({ name }) => name === this.chosen)!.solves
  }

  /** Chooses the session `name`. */
  choose(name: string): void {
    this.set(this.world(), { list: this.list, chosen: name })
    this.onreplaced()
  }

  /** Adds an empty session, and chooses it. */
  create(): void {
    const { list } = this
    const names = new Set(list.map(({ name }) => name))
    let number = list.length + 1
    while (names.has(`Session ${number}`)) number++
    const name = `Session ${number}`
    this.set(this.world(), { list: [...list, { name, solves: [] }], chosen: name })
    this.onreplaced()
  }

  /** Renames the chosen session. Returns why the name is not allowed, or null. */
  rename(text: string): string | null {
    const { list, chosen } = this
    const name = text.trim()
    if (name === chosen) return null
    if (name === '') return 'A session needs a name.'
    if (list.some((session) => session.name === name)) return `There is already a session “${name}”.`
    const renamed = list.map((session) => (session.name === chosen ? { ...session, name } : session))
    this.set(this.world(), { list: renamed, chosen: name })
    return null
  }

  /** Deletes the chosen session unless there is no other one, and offers to undo the deletion. */
  delete(): void {
    const { list, chosen } = this
    const world = this.world()
    const at = list.findIndex(({ name }) => name === chosen)
    if (list.length === 1) return
    const others = list.toSpliced(at, 1)
    this.set(world, { list: others, chosen: others[Math.min(at, others.length - 1)]!.name })
    this.onreplaced()
    offerUndo(`${chosen} deleted.`, () => {
      const now = this.of(world).list
      if (now.some(({ name }) => name === chosen)) return
      this.set(world, { list: now.toSpliced(at, 0, list[at]!), chosen })
      this.onreplaced()
    })
  }

  /** Adds a solve to the chosen session. */
  add(solve: Solve): void {
    this.change((solves) => [...solves, solve])
  }

  /** Deletes the solves of the chosen session, and offers to undo the deletion. */
  clear(): void {
    const { solves } = this
    const change = this.changer()
    change(() => [])
    this.onreplaced()
    offerUndo(`${countText(solves.length)} deleted.`, () => change((now) => [...solves, ...now]))
  }

  /** Sets the penalty of the solve at `index`. */
  penalize(index: number, penalty: Penalty): void {
    this.edit(index, { penalty })
  }

  /** Sets the comment of the solve at `index`; an empty text deletes the comment. */
  comment(index: number, text: string): void {
    this.edit(index, { comment: text.trim() || undefined })
  }

  private edit(index: number, edit: Partial<Solve>): void {
    this.change((solves) => solves.map((solve, i) => (i === index ? { ...solve, ...edit } : solve)))
  }

  /** Deletes the solve at `index`, and offers to undo the deletion. */
  remove(index: number): void {
    const { solves } = this
    const deleted = solves[index]
    if (!deleted) return
    const change = this.changer()
    if (index === solves.length - 1) this.onreplaced()
    change((now) => now.toSpliced(index, 1))
    offerUndo(`Solve ${index + 1} deleted.`, () => change((now) => now.toSpliced(index, 0, deleted)))
  }

  /** Offers to delete the last solve of the chosen session, which has ended with `message`. `onundo` is called after the deletion. */
  offerDeletion(message: string, onundo: () => void): void {
    const ended = this.solves.at(-1)?.date
    const change = this.changer()
    offerUndo(message, () => {
      change((now) => now.filter(({ date }) => date !== ended))
      onundo()
    })
  }

  /**
   * Adds the solves of a file that are not yet listed, and offers to undo the import: a CSV file to the chosen session, the
   * sessions of a csTimer file to the sessions of the same names. A file with errors is not imported.
   */
  importFile(text: string, file: string): void {
    const world = this.world()
    const { read, others, errors } = this.readFile(text)
    // Errors about the previous file are obsolete.
    toasts.dismissErrors()
    if (errors.length > 0) {
      const further = errors.length > 3 ? ` ${errors.length - 3} more errors.` : ''
      toasts.error({ message: `${file} was not imported.`, hint: errors.slice(0, 3).join(' ') + further })
      return
    }
    const before = this.of(world)
    let { list } = before
    const merged = read.map(({ name, solves }) => {
      const present = list.find((session) => session.name === name)
      const result = merge(present?.solves ?? [], solves)
      const session = { name, solves: result.all }
      list = present ? list.map((other) => (other === present ? session : other)) : [...list, session]
      return { name, ...result }
    })
    // If the chosen session is empty, the first session of the file is chosen, so that the imported solves are visible.
    const isEmpty = this.solves.length === 0
    const chosen = read.length > 0 && (read.length === 1 || isEmpty) ? read[0]!.name : before.chosen
    this.set(world, { list, chosen })
    this.onreplaced()

    const sum = (of: (result: Merged) => number) => merged.reduce((sum, result) => sum + of(result), 0)
    const [added, listed, dropped] = [
      sum(({ added }) => added.length),
      sum((m) => m.listed),
      sum((m) => m.dropped),
    ]
    const message = [
      `${countText(added)} imported${merged.length > 1 ? ` into ${merged.length} sessions` : ''}.`,
      listed > 0 ? `${listed} already listed.` : '',
      dropped > 0 ? `${dropped} did not fit: a session has at most ${mostSolves} solves.` : '',
      others > 0 ? `${others === 1 ? '1 session' : `${others} sessions`} of other puzzles not imported.` : '',
    ]
      .filter(Boolean)
      .join(' ')
    if (added === 0) return toasts.report(message)
    offerUndo(message, () => {
      const known = new Set(before.list.map(({ name }) => name))
      const now = this.of(world)
      const list = now.list
        .map((session) => {
          const imported = new Set(merged.find(({ name }) => name === session.name)?.added.map(identity))
          return { ...session, solves: session.solves.filter((solve) => !imported.has(identity(solve))) }
        })
        .filter(({ name, solves }) => known.has(name) || solves.length > 0)
      const isKept = list.some(({ name }) => name === now.chosen)
      this.set(world, { list, chosen: isKept ? now.chosen : before.chosen })
      this.onreplaced()
    })
  }

  /** Reads a file: the solves of each session, the number of sessions of other puzzles, and errors. */
  private readFile(text: string): { read: SolveSession[]; others: number; errors: string[] } {
    if (/^\s*\{/.test(text)) {
      const { sessions, others, errors } = readCsTimer(text, this.size)
      return { read: sessions, others, errors }
    }
    const { solves, errors } = readSolvesCsv(text)
    return { read: [{ name: this.chosen, solves }], others: 0, errors }
  }

  private change(update: (solves: readonly Solve[]) => readonly Solve[]): void {
    this.changer()(update)
  }

  /**
   * Returns a function that changes the solves of the session that is chosen now, also after another session or another experiment
   * was opened. The session is added again if it was deleted.
   */
  private changer(): (update: (solves: readonly Solve[]) => readonly Solve[]) => void {
    const world = this.world()
    const name = this.chosen
    return (update) => {
      const { list, chosen } = this.of(world)
      const present = list.find((session) => session.name === name)
      const session = { name, solves: update(present?.solves ?? []).slice(-mostSolves) }
      const changed = present
        ? list.map((other) => (other === present ? session : other))
        : [...list, session]
      this.set(world, { list: changed, chosen })
    }
  }
}

interface Merged {
  /** Solves of the session after the import. */
  all: readonly Solve[]
  added: readonly Solve[]
  /** Number of solves that were listed before. */
  listed: number
  /** Number of solves that did not fit into the session. */
  dropped: number
}

/**
 * Adds solves that are not yet listed. The result is ordered by date if all solves have dates; otherwise the added solves are the
 * oldest ones.
 */
function merge(solves: readonly Solve[], read: readonly Solve[]): Merged {
  const known = new Set(solves.map(identity))
  const fresh = read.filter((solve) => !known.has(identity(solve)))
  const added = fresh.slice(Math.max(0, fresh.length - (mostSolves - solves.length)))
  const all = [...added, ...solves]
  if (all.every(({ date }) => date !== undefined)) all.sort((a, b) => a.date! - b.date!)
  return { all, added, listed: read.length - fresh.length, dropped: fresh.length - added.length }
}

const countText = (count: number): string => (count === 1 ? '1 solve' : `${count} solves`)

/** Returns a text that is equal for equal solves: date in seconds, time in hundredths, which are the precision of files, and scramble. */
const identity = ({ date, time, scramble }: Solve): string =>
  [date === undefined ? '' : Math.floor(date / 1000), cutTime(time), scramble].join()

function offerUndo(message: string, run: () => void): void {
  toasts.offer(message, { label: 'Undo', run })
}

/** Sessions of solves of this browser, stored by experiment. */
import { storageKey } from '../../../lib/storage'
import { withTurns, type Penalty, type Solve } from './timer'

/** Maximum number of stored solves of a session. */
export const mostSolves = 1000
const penalties: readonly unknown[] = ['none', '+2', 'DNF'] satisfies Penalty[]

/** Named list of solves, oldest first, with statistics of its own. */
export interface SolveSession {
  /** Name, unique among the sessions of an experiment. */
  name: string
  solves: readonly Solve[]
}

export interface StoredSessions {
  /** At least one session. */
  list: readonly SolveSession[]
  /** Name of the session that gets the next solves. */
  chosen: string
}

const isSolve = (value: unknown): value is Solve => {
  const { time, penalty, moves, date, ...texts } = (value ?? {}) as Partial<Record<keyof Solve, unknown>>
  const hasTexts = [texts.scramble, texts.turns, texts.comment].every(
    (text) => text === undefined || typeof text === 'string',
  )
  const isDate = date === undefined || Number.isFinite(date)
  return isDate && Number.isFinite(time) && Number.isFinite(moves) && penalties.includes(penalty) && hasTexts
}

/** Parses stored JSON; null without a valid value. */
function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null')
  } catch {
    return null
  }
}

/** Returns the valid solves of a stored list. Older versions counted key presses as moves. */
const validSolves = (list: unknown): Solve[] =>
  (Array.isArray(list) ? list.filter(isSolve) : []).map((solve) =>
    solve.turns ? withTurns(solve, solve.turns) : solve,
  )

/** Returns the stored sessions; invalid entries are dropped. Older versions stored a single list of solves. */
export function storedSessions(world: string): StoredSessions {
  const { list, chosen } = (read(`sessions-${world}`) ?? {}) as Partial<Record<keyof StoredSessions, unknown>>
  const sessions = new Map<string, SolveSession>()
  for (const session of Array.isArray(list) ? list : []) {
    const { name, solves } = (session ?? {}) as Partial<Record<keyof SolveSession, unknown>>
    if (typeof name === 'string') sessions.set(name, { name, solves: validSolves(solves) })
  }
  if (sessions.size === 0) {
    const name = 'Session 1'
    return { list: [{ name, solves: validSolves(read(`solves-${world}`)) }], chosen: name }
  }
  const names = [...sessions.keys()]
  return {
    list: [...sessions.values()],
    chosen: names.find((name) => name === chosen) ?? names[0]!,
  }
}

/** Stores the sessions. Returns whether the browser has stored them; otherwise, they last until the page is closed. */
export function storeSessions(world: string, sessions: StoredSessions): boolean {
  try {
    localStorage.setItem(storageKey(`sessions-${world}`), JSON.stringify(sessions))
    return true
  } catch {
    return false
  }
}

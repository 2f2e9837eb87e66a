/** Solves of this browser, stored by experiment. */
import { storageKey } from '../../../lib/storage'
import { cutTime, type Penalty, type Solve } from './timer'

/** Maximum number of stored solves. */
export const mostSolves = 1000
const penalties: readonly unknown[] = ['none', '+2', 'DNF'] satisfies Penalty[]

const isSolve = (value: unknown): value is Solve => {
  const { time, penalty, moves, date, ...texts } = (value ?? {}) as Partial<Record<keyof Solve, unknown>>
  const hasTexts = [texts.scramble, texts.turns, texts.comment].every(
    (text) => text === undefined || typeof text === 'string',
  )
  const isDate = date === undefined || Number.isFinite(date)
  return isDate && Number.isFinite(time) && Number.isFinite(moves) && penalties.includes(penalty) && hasTexts
}

/** Returns the stored solves, oldest first; invalid entries are dropped. Older versions stored times with milliseconds. */
export function storedSolves(world: string): Solve[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(`solves-${world}`)) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter(isSolve).map((solve) => ({ ...solve, time: cutTime(solve.time) }))
      : []
  } catch {
    return []
  }
}

/** Stores the newest solves and returns them. Without storage, they last until the page is closed. */
export function storeSolves(world: string, solves: readonly Solve[]): Solve[] {
  const newest = solves.slice(-mostSolves)
  try {
    localStorage.setItem(storageKey(`solves-${world}`), JSON.stringify(newest))
  } catch {
    // The browser refuses to store.
  }
  return newest
}

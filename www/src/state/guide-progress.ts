/** The guides that the visitor has opened; the browser stores them. */
import { isWorld, type World } from '../worlds'
import { store, stored } from '../lib/storage'

/** Progress of the visitor in the guide of an exhibit. */
export interface GuideProgress {
  world: World
  /** The last open step, counted from 1. */
  step: number
  /** Whether the visitor has reached the summary. */
  done: boolean
  /** Results of the guesses; missing before the first one. */
  guesses?: Guesses
  /** Last outcomes of the steps, by their indices; missing before the first one. */
  outcomes?: Outcomes
}

/** Text of an outcome, the guess at it and the right guess; null without a guess, or if the outcome decides none. */
export interface StoredOutcome {
  text: string
  guess: number | null
  right: number | null
}

export type Outcomes = Readonly<Record<number, StoredOutcome>>

/** Whether the first guess was right, by the index of the step; null if the outcome was shown without a guess. */
export type Guesses = Readonly<Record<number, boolean | null>>

const key = 'guides'

/** Returns the guides that the visitor has opened, the last one first. */
export function guideProgress(): GuideProgress[] {
  try {
    const read: unknown = JSON.parse(stored(key) ?? '[]')
    return Array.isArray(read) ? read.filter(isProgress) : []
  } catch {
    return []
  }
}

function isProgress(value: unknown): value is GuideProgress {
  const { world, step, done, guesses = {}, outcomes = {} } = (value ?? {}) as Record<string, unknown>
  if ([guesses, outcomes].some((stored) => typeof stored !== 'object' || stored === null)) return false
  return typeof world === 'string' && isWorld(world) && Number.isInteger(step) && typeof done === 'boolean'
}

/** Returns the stored results of the guesses in the guide of an exhibit. */
export const storedGuesses = (world: string): Guesses =>
  guideProgress().find((guide) => guide.world === world)?.guesses ?? {}

/** Returns the stored outcomes in the guide of an exhibit. */
export const storedOutcomes = (world: string): Outcomes =>
  guideProgress().find((guide) => guide.world === world)?.outcomes ?? {}

/** Stores the outcome of a step. */
export const storeOutcome = (world: string, index: number, outcome: StoredOutcome): void =>
  update(world, (before) => ({ ...before, outcomes: { ...before.outcomes, [index]: outcome } }))

/** Stores that the visitor begins the guide again, without guesses and outcomes. */
export const forgetGuesses = (world: string): void =>
  update(world, (before) => ({ ...before, guesses: {}, outcomes: {} }))

/** Stores that the visitor has opened a step, or the summary. A finished guide stays finished. */
export const storeGuideStep = (world: string, step: number, done = false): void =>
  update(world, (before) => ({ ...before, step, done: done || before.done }))

/** Stores the results of the guesses in the guide of an exhibit. */
export const storeGuesses = (world: string, guesses: Guesses): void =>
  update(world, (before) => ({ ...before, guesses }))

/** Stores a change of the progress in a guide, which becomes the last one opened. */
function update(world: string, change: (before: GuideProgress) => GuideProgress): void {
  if (!isWorld(world)) return
  const all = guideProgress()
  const before = all.find((guide) => guide.world === world)
  const now = change(before ?? { world, step: 1, done: false })
  store(key, JSON.stringify([now, ...all.filter((guide) => guide !== before)]))
}

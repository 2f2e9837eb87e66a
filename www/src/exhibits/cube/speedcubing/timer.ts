/**
 * Timer of a solve with inspection, after the WCA Regulations, article A
 * (https://www.worldcubeassociation.org/regulations/#article-A-speed-solving). Times are in milliseconds.
 */

import { halfTurns } from '../model/lengths'
import { readMove, writeMove } from '../model/layer-move'
import { mergedMoves } from '../model/reconstruction'
import type { RunningTime } from './settings.svelte'

export type Penalty = 'none' | '+2' | 'DNF'

export interface Solve {
  /** Time without penalty. */
  time: number
  penalty: Penalty
  /** Number of moves in the half-turn metric; 0 for a physical cube, whose moves are not known. */
  moves: number
  /** Scramble in standard notation; solves of older versions have none. */
  scramble?: string
  /** End of the solve in milliseconds since 1970; solves of older versions have none. */
  date?: number
  /** Turns and rotations after the scramble in standard notation; solves of a physical cube and of older versions have none. */
  turns?: string
  /** Text of the user. */
  comment?: string | undefined
}

export type TimerState =
  | { phase: 'idle' }
  /** The cube is scrambled. */
  | { phase: 'ready' }
  | { phase: 'inspecting'; since: number }
  /** The space bar or the clock is held. `inspected`: start of the inspection; null without inspection. */
  | { phase: 'holding'; since: number; inspected: number | null }
  | { phase: 'running'; since: number; last: number; penalty: Penalty }
  | { phase: 'done'; solve: Solve }
  /** The inspection or the solve ended without a result. */
  | { phase: 'discarded' }

/** Inspection time, and the time after which a solve is disqualified. */
const [inspection, disqualified] = [15_000, 17_000]

/** Returns the penalty for an inspection of this duration: +2 s from 15 s on, DNF from 17 s on. */
export const inspectionPenalty = (elapsed: number): Penalty =>
  elapsed >= disqualified ? 'DNF' : elapsed >= inspection ? '+2' : 'none'

/** Returns the warning of the judge during the inspection, from 8 and 12 s on; empty before and after. */
export function inspectionWarning(elapsed: number): string {
  if (elapsed >= inspection) return ''
  return elapsed >= 12_000 ? '12 seconds' : elapsed >= 8_000 ? '8 seconds' : ''
}

/** Returns the displayed inspection time: remaining seconds, then the penalty. */
export function inspectionText(elapsed: number): string {
  const penalty = inspectionPenalty(elapsed)
  return penalty === 'none' ? String(Math.ceil((inspection - elapsed) / 1000)) : penalty
}

/** Starts the inspection of a scrambled cube. */
export const inspect = (state: TimerState, now: number): TimerState =>
  state.phase === 'ready' ? { phase: 'inspecting', since: now } : state

/**
 * Presses a key on the timer of a physical cube: any key stops the timer; the space bar starts the inspection if the
 * inspection is timed, otherwise the key is held.
 */
export function press(state: TimerState, now: number, isSpace: boolean, hasInspection: boolean): TimerState {
  if (state.phase === 'running') return stop({ ...state, last: now })
  if (!isSpace || state.phase === 'holding') return state
  if (state.phase === 'inspecting') return { phase: 'holding', since: now, inspected: state.since }
  return hasInspection
    ? { phase: 'inspecting', since: now }
    : { phase: 'holding', since: now, inspected: null }
}

/** Releases the space bar: starts the timer of a physical cube if the key was held for `hold` milliseconds. */
export function release(state: TimerState, now: number, hold: number): TimerState {
  if (state.phase !== 'holding') return state
  const { since, inspected } = state
  if (now - since < hold)
    return inspected === null ? { phase: 'idle' } : { phase: 'inspecting', since: inspected }
  const penalty = inspected === null ? 'none' : inspectionPenalty(now - inspected)
  return { phase: 'running', since: now, last: now, penalty }
}

/** Activates the timer of a physical cube without holding, as assistive technology does: holds and releases at once. */
export function activate(state: TimerState, now: number, hasInspection: boolean): TimerState {
  const pressed = press(state, now, true, hasInspection)
  return pressed.phase === 'holding' ? release(pressed, now, 0) : pressed
}

/** Returns whether an inspection or a solve is in progress. */
export const isAttempt = ({ phase }: TimerState): boolean =>
  phase === 'inspecting' || phase === 'holding' || phase === 'running'

/** Cancels the inspection and the holding; `initial` is the phase before them. A running solve continues. */
export const cancel = (state: TimerState, initial: 'idle' | 'ready'): TimerState =>
  state.phase === 'inspecting' || state.phase === 'holding' ? { phase: initial } : state

/** Makes a move at the time `now`. The first move of a scrambled cube starts the timer. */
export function move(state: TimerState, now: number): TimerState {
  switch (state.phase) {
    case 'ready':
      return { phase: 'running', since: now, last: now, penalty: 'none' }
    case 'inspecting': {
      const penalty = inspectionPenalty(now - state.since)
      return { phase: 'running', since: now, last: now, penalty }
    }
    case 'running':
      return { ...state, last: now }
    default:
      return state
  }
}

/** Stops the timer of a solved cube at the last move. */
export function stop(state: TimerState): TimerState {
  if (state.phase !== 'running') return state
  const { since, last, penalty } = state
  return { phase: 'done', solve: { time: cutTime(last - since), penalty, moves: 0 } }
}

/** Ends a running solve at the time `now` as DNF. */
export const giveUp = (state: TimerState, now: number): TimerState =>
  state.phase === 'running' ? stop({ ...state, last: now, penalty: 'DNF' }) : state

/** Cuts a time to hundredths of a second, which are the precision of all results (WCA Regulations, 9f1). */
export const cutTime = (time: number): number => Math.floor(time / 10) * 10

/** Returns the time of a solve with its penalty, cut to hundredths; infinite for a DNF. */
export const resultOf = ({ time, penalty }: Solve): number =>
  penalty === 'DNF' ? Infinity : cutTime(time) + (penalty === '+2' ? 2000 : 0)

/** Returns moves per second. A solve of one move takes no time and has none, and so has a solve of unknown moves. */
export const movesPerSecond = ({ time, moves }: Solve): number | null =>
  time > 0 && moves > 0 ? (1000 * moves) / time : null

/** Returns a solve with its turns. Two equal quarter turns in a row are a half turn, which counts as one move. */
export function withTurns(solve: Solve, turns: string): Solve {
  const made = turns.split(' ').map(readMove)
  if (!made.every((move) => move !== null)) return solve
  const merged = mergedMoves(made).map(writeMove)
  return { ...solve, moves: halfTurns(merged), turns: merged.join(' ') }
}

/** Writes moves and moves per second, such as "5 moves (HTM), 1.20 per second". */
export function movesText(solve: Solve): string {
  const perSecond = movesPerSecond(solve)
  const count = `${solve.moves}\u00a0${solve.moves === 1 ? 'move' : 'moves'} (HTM)`
  return perSecond === null ? count : `${count}, ${perSecond.toFixed(2)} per second`
}

/** Returns the mean of times that are cut to hundredths, rounded to hundredths (WCA Regulations, 9f1). */
function mean(times: readonly number[]): number {
  const sum = times.reduce((sum, time) => sum + time, 0)
  return Math.round(sum / 10 / times.length) * 10
}

/** Returns the mean of the last three results; null with fewer solves, infinite with a DNF. */
export function meanOf3(solves: readonly Solve[]): number | null {
  return solves.length < 3 ? null : mean(solves.slice(-3).map(resultOf))
}

/** Returns the mean of all results that are not DNF; null without such a result. */
export function sessionMean(solves: readonly Solve[]): number | null {
  const times = solves.map(resultOf).filter(Number.isFinite)
  return times.length === 0 ? null : mean(times)
}

/** Returns the standard deviation of all results that are not DNF (divisor n − 1), rounded to hundredths; null with fewer than two. */
export function sessionDeviation(solves: readonly Solve[]): number | null {
  const times = solves.map(resultOf).filter(Number.isFinite)
  if (times.length < 2) return null
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1)
  return Math.round(Math.sqrt(variance) / 10) * 10
}

/**
 * Returns the mean of the last `count` results without the best and the worst 5 %, rounded up: one of 5 or 12, three of
 * 50, five of 100; null with fewer solves.
 */
export function averageOf(count: number, solves: readonly Solve[]): number | null {
  if (solves.length < count) return null
  const times = solves
    .slice(-count)
    .map(resultOf)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const dropped = Math.ceil(count / 20)
  return mean(times.slice(dropped, -dropped))
}

/** Returns the average of `count` solves up to the solve at `index`; null with fewer solves. */
export const averageAt = (index: number, count: number, solves: readonly Solve[]): number | null =>
  averageOf(count, solves.slice(Math.max(0, index + 1 - count), index + 1))

/**
 * Returns the best value that `average` had over `count` solves in a row; null with fewer solves.
 */
export function bestAverage(
  average: (solves: readonly Solve[]) => number | null,
  count: number,
  solves: readonly Solve[],
): number | null {
  const values = solves.flatMap((_, i) => average(solves.slice(Math.max(0, i + 1 - count), i + 1)) ?? [])
  return values.length === 0 ? null : Math.min(...values)
}

/** Returns the best result; null without solves. */
export const bestOf = (solves: readonly Solve[]): number | null =>
  solves.length === 0 ? null : Math.min(...solves.map(resultOf))

/** Writes hundredths of seconds, such as `1:02.34`. */
function written(hundredths: number): string {
  const seconds = (hundredths % 6000) / 100
  const minutes = Math.floor(hundredths / 6000)
  return minutes > 0 ? `${minutes}:${seconds.toFixed(2).padStart(5, '0')}` : seconds.toFixed(2)
}

/** Writes a time, cut to hundredths. */
export const timeText = (time: number): string => (time === Infinity ? 'DNF' : written(Math.floor(time / 10)))

/** Writes the time of a running solve in the chosen format. */
export const runningText = (time: number, running: RunningTime): string =>
  running === 'hidden' ? '…' : running === 'seconds' ? timeText(time).slice(0, -3) : timeText(time)

/** Writes a mean or an average; a dash for null. */
export const averageText = (time: number | null): string => (time === null ? '–' : timeText(time))

/** Writes the result of a solve; `+` marks the penalty of 2 s, and a DNF has its time in brackets. */
export function solveText(solve: Solve): string {
  const text = timeText(resultOf(solve))
  switch (solve.penalty) {
    case 'none':
      return text
    case '+2':
      return `${text}+`
    case 'DNF':
      return `${text}(${timeText(solve.time)})`
  }
}

/** Writes statistics and all solves as text, a line per solve: number, result, comment, scramble. The turns have their own line. */
export function solvesText(solves: readonly Solve[]): string {
  const best = bestOf(solves)
  const statistics = [
    `solves: ${solves.length}`,
    `best: ${best === null ? '–' : timeText(best)}`,
    `mean of 3: ${averageText(meanOf3(solves))}`,
    ...[5, 12, 50, 100].map((count) => `average of ${count}: ${averageText(averageOf(count, solves))}`),
    `mean of all: ${averageText(sessionMean(solves))}`,
    `standard deviation: ${averageText(sessionDeviation(solves))}`,
  ]
  const lines = solves.map((solve, i) => {
    const { comment, scramble, turns } = solve
    const result = `${i + 1}. ${solveText(solve)}${comment ? `[${comment}]` : ''}`
    return result + (scramble ? `  ${scramble}` : '') + (turns ? `\n   moves: ${turns}` : '')
  })
  return [statistics.join(', '), '', ...lines].join('\n')
}

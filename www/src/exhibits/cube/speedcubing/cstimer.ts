/**
 * Sessions of solves in the JSON format of csTimer (https://cstimer.net, Export to file): `session1`, `session2`, … are lists of
 * `[[penalty, time], scramble, comment, date, moves?]`, with times in milliseconds and dates in seconds since 1970. The names
 * and scramble types of the sessions are in `properties.sessionData`.
 */
import type { Size } from '../model/turns'
import type { SolveSession } from './storage'
import { cutTime, type Penalty, type Solve } from './timer'

/** Penalties of csTimer: −1 for a DNF, otherwise milliseconds. */
const penalties = new Map<unknown, Penalty>([
  [0, 'none'],
  [2000, '+2'],
  [-1, 'DNF'],
])

/** Scramble type that csTimer has for random states of this cube. */
const scrambleType = (size: Size): string => (size === 2 ? '222so' : '333')

interface SessionData {
  name?: unknown
  opt?: { scrType?: unknown }
}

/** Reads a solve; null if it has another form. */
function readSolve(value: unknown): Solve | null {
  if (!Array.isArray(value) || !Array.isArray(value[0])) return null
  const [[given, time], scramble, comment, seconds] = value as [unknown[], unknown, unknown, unknown]
  const penalty = penalties.get(given)
  if (penalty === undefined || typeof time !== 'number' || !(time >= 0 && time < Infinity)) return null
  return {
    time: cutTime(Math.round(time)),
    penalty,
    moves: 0,
    ...(typeof seconds === 'number' && seconds > 0 && { date: 1000 * seconds }),
    ...(typeof scramble === 'string' && scramble.trim() && { scramble: scramble.trim() }),
    ...(typeof comment === 'string' && comment.trim() && { comment: comment.trim() }),
  }
}

/** Returns the data of the sessions. csTimer writes them as JSON text within the JSON. */
function dataOf(properties: unknown): Record<string, SessionData | undefined> {
  const { sessionData } = (properties ?? {}) as { sessionData?: unknown }
  try {
    const data: unknown = typeof sessionData === 'string' ? JSON.parse(sessionData) : sessionData
    return (data ?? {}) as Record<string, SessionData>
  } catch {
    return {}
  }
}

/**
 * Reads the sessions of cubes of this size that have solves. `others` is the number of sessions of other puzzles. `errors` name
 * the solves that cannot be read.
 */
export function readCsTimer(
  text: string,
  size: Size,
): { sessions: SolveSession[]; others: number; errors: string[] } {
  const sessions = new Map<string, SolveSession>()
  const errors: string[] = []
  let others = 0
  let file: Record<string, unknown>
  try {
    file = JSON.parse(text) as Record<string, unknown>
  } catch {
    return { sessions: [], others, errors: ['The file is not valid JSON; export it again in csTimer.'] }
  }
  const data = dataOf(file.properties)
  const keys = Object.keys(file).filter((key) => /^session\d+$/.test(key))
  if (keys.length === 0) errors.push('The file has no sessions; a file of csTimer has “session1”.')
  for (const key of keys) {
    const solves = file[key]
    const number = key.slice('session'.length)
    const { name: given = number, opt } = data[number] ?? {}
    const name = /^\d+$/.test(String(given)) ? `Session ${given}` : String(given)
    if (!Array.isArray(solves) || solves.length === 0) continue
    const type = typeof opt?.scrType === 'string' ? opt.scrType : '333'
    if (!type.startsWith(size === 2 ? '222' : '333')) {
      others++
      continue
    }
    const read = solves.map(readSolve)
    const wrong = read.indexOf(null)
    if (wrong >= 0) errors.push(`${name}, solve ${wrong + 1}: not a solve of csTimer.`)
    const list = read.filter((solve) => solve !== null)
    sessions.set(name, { name, solves: [...(sessions.get(name)?.solves ?? []), ...list] })
  }
  return { sessions: [...sessions.values()], others, errors }
}

/** Writes sessions in the format that csTimer imports. The turns of a solve are in its comment. */
export function csTimerText(sessions: readonly SolveSession[], size: Size): string {
  const codes = new Map([...penalties].map(([code, penalty]) => [penalty, code]))
  const numbered = sessions.map((session, i) => ({ ...session, number: i + 1 }))
  const written = numbered.map(({ number, solves }) => [
    `session${number}`,
    solves.map(({ time, penalty, scramble = '', comment = '', turns, date }) => [
      [codes.get(penalty), time],
      scramble,
      [comment, turns && `moves: ${turns}`].filter(Boolean).join(' '),
      Math.floor((date ?? 0) / 1000),
    ]),
  ])
  const data = numbered.map(({ number, name }) => [
    number,
    { name, opt: { scrType: scrambleType(size) }, rank: number },
  ])
  const properties = { sessionData: JSON.stringify(Object.fromEntries(data)), sessionN: sessions.length }
  return JSON.stringify({ ...Object.fromEntries(written), properties })
}

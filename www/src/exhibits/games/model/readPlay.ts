/** Typed plays of backgammon, read against the legal plays. */
import { BAR, OFF, type Checkers, type Seat } from './checkers'
import { diceOf, isBlocked, isHome, legalPlays, type DieMove, type LegalPlay, type Roll } from './legalPlays'
import { placeName, playText, segmentsOf, type Segment } from './notation'

/** Result of reading a play: the legal play with its notation, a part of a play, or a problem with its remedy. */
export type ReadPlay =
  | { kind: 'play'; play: LegalPlay; notation: string }
  | { kind: 'part'; text: string }
  | { kind: 'problem'; text: string }

/** Returns the parts of a text that commas or spaces separate; a hyphen stands for a slash. */
const partsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\s*[-–]\s*/g, '/')
    .replace(/\s*([/(])\s*/g, '$1')
    .replace(/\s+([*)])/g, '$1')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')

/** Returns the moves without those of a path between two places; one result for each path. */
function withoutPath(moves: readonly DieMove[], from: number, to: number): (readonly DieMove[])[] {
  if (from === to) return [moves]
  return moves.flatMap((move, i) => {
    const isNext = move.from === from && move.to >= to
    const isRepeated = moves.findIndex((other) => other.from === move.from && other.to === move.to) < i
    return isNext && !isRepeated ? withoutPath(moves.toSpliced(i, 1), move.to, to) : []
  })
}

/** Returns the moves that remain without the segments; null if a segment is not part of the moves. */
function remaining(
  moves: readonly DieMove[],
  [segment, ...others]: readonly Segment[],
): readonly DieMove[] | null {
  if (!segment) return moves
  for (const left of withoutPath(moves, segment.from, segment.to)) {
    const rest = remaining(left, others)
    if (rest) return rest
  }
  return null
}

/** Returns whether the segments mark exactly the hits of a play. */
function isMarked({ moves }: LegalPlay, segments: readonly Segment[]): boolean {
  const hitPlaces = (all: readonly { to: number; hits: boolean }[]) =>
    [...new Set(all.flatMap(({ to, hits }) => (hits ? [to] : [])))].sort().join()
  return hitPlaces(moves) === hitPlaces(segments)
}

/** Returns what remains of a play without the segments; null if a segment or a hit mark is not part of it. */
function restOf({ moves }: LegalPlay, segments: readonly Segment[]): readonly DieMove[] | null {
  const isHit = ({ hits, to }: Segment) => !hits || moves.some((move) => move.hits && move.to === to)
  return segments.every(isHit) ? remaining(moves, segments) : null
}

const rollText = (roll: Roll): string => roll.join('-')

/** Returns the numbers of pips that one checker can move with a roll. */
function reachable(roll: Roll): number[] {
  const dice = diceOf(roll)
  return roll[0] === roll[1] ? dice.map((die, i) => die * (i + 1)) : [...roll, roll[0] + roll[1]]
}

/** Returns why a segment cannot be moved, and the remedy; null if the reason is not the segment alone. */
function segmentProblem(
  checkers: Checkers,
  seat: Seat,
  roll: Roll,
  segment: Segment,
  segments: readonly Segment[],
): string | null {
  const { from, to, hits } = segment
  const own = checkers[seat]
  const name = `${placeName(from)}/${placeName(to)}`
  if (to >= from)
    return from === OFF
      ? 'A checker that is off stays off.'
      : `${name} moves backward: write ${placeName(to)}/${placeName(from)}.`
  const there = own[from]! + segments.filter((other) => other.to === from).length
  const wanted = segments.filter((other) => other.from === from).length
  if (there === 0) return from === BAR ? 'No checker on the bar.' : `No checker on ${from}.`
  if (there < wanted) return `Only ${there} ${there === 1 ? 'checker' : 'checkers'} on ${placeName(from)}.`
  const entered = segments.filter((other) => other.from === BAR).length
  if (from !== BAR && entered < own[BAR]!) return 'Enter from the bar first, such as bar/22.'
  const pips = from - to
  const most = diceOf(roll).reduce((sum, die) => sum + die)
  if (to === OFF ? pips > most : !reachable(roll).includes(pips))
    return pips <= 6
      ? `${name} needs a ${pips}; the roll is ${rollText(roll)}.`
      : `${name} needs ${pips} pips; the roll is ${rollText(roll)}.`
  if (isBlocked(checkers, seat, to))
    return `${to} is blocked: ${checkers[1 - seat]![25 - to]} checkers of the opponent are on it.`
  const moving = segments.filter((other) => other.to !== OFF).map((other) => other.from)
  const outside = own.findLastIndex((count, place) => count > 0 && place > 6 && !moving.includes(place))
  if (to === OFF && outside > 6 && !isHome(checkers, seat))
    return `${name} is not possible yet: a checker on ${placeName(outside)} is not in the home board.`
  if (hits && checkers[1 - seat]![25 - to] !== 1) return `${name}* hits no checker: write ${name}.`
  return null
}

/** Returns the hint on the moves that a part of a play lacks. */
function lackText(rests: readonly (readonly DieMove[])[], roll: Roll): string {
  const [rest] = rests
  const count = rest!.length
  if (roll[0] === roll[1]) return `${count} more ${count === 1 ? 'move' : 'moves'} of ${roll[0]}.`
  const dice = [...new Set(rests.map((moves) => moves.map(({ die }) => die)).flat())]
  const die = roll.find((die) => dice.includes(die)) ?? Math.max(...dice)
  return `A move with the ${die} is missing.`
}

/** Beginning of a move that is being typed. */
const beginning = /^(?:b|ba|bar|\d{1,2}|[\w*/]+\/(?:of)?|[\w*/]+\([1-4]?)$/

/** Reads a play of the player on roll against the legal plays. `checkers`: the position before the turn. */
export function readPlay(text: string, checkers: Checkers, seat: Seat, roll: Roll): ReadPlay {
  const problem = (text: string): ReadPlay => ({ kind: 'problem', text })
  const legal = legalPlays(checkers, seat, roll)
  if (legal[0]!.moves.length === 0)
    return problem(`No move is possible with ${rollText(roll)}: empty the field and press Enter.`)
  const parts = partsOf(text)
  const last = parts.at(-1)
  const isTyping = last !== undefined && segmentsOf(last) === null && beginning.test(last)
  const complete = isTyping ? parts.slice(0, -1) : parts
  /** Whether the last number can get a second digit. */
  const canGrow = !isTyping && /\/[12]$/.test(text)
  const segments: Segment[] = []
  for (const part of complete) {
    const found = segmentsOf(part)
    if (!found) return problem(`“${part}” is no move: write 24/18, bar/22 or 6/off.`)
    segments.push(...found)
  }
  for (const segment of segments) {
    const why = segmentProblem(checkers, seat, roll, segment, segments)
    if (why) return canGrow ? { kind: 'part', text: why } : problem(why)
  }
  const rests = legal.flatMap((play) => {
    const rest = restOf(play, segments)
    return rest ? [{ play, rest }] : []
  })
  if (isTyping && (rests.length > 0 || segments.length === 0))
    return { kind: 'part', text: 'Complete the move, such as 24/18.' }
  const made = rests.filter(({ rest }) => rest.length === 0).map(({ play }) => play)
  // By convention, a move without a mark does not hit on its way. Missing marks do not matter if only one play remains.
  const marked = made.filter((play) => isMarked(play, segments))
  const meant = marked.length > 0 ? marked : made
  const results = [...new Map(meant.map((play) => [JSON.stringify(play.after), play])).values()]
  if (results.length > 1) return problem(`Ambiguous: write ${alternatives(results)}.`)
  const [play] = results
  if (play) return { kind: 'play', play, notation: playText(checkers, seat, play.moves) }
  if (rests.length > 0)
    return {
      kind: 'part',
      text: lackText(
        rests.map(({ rest }) => rest),
        roll,
      ),
    }
  return problem(impossible(segments, legal, checkers, seat, roll))
}

/** Returns plays that differ in a hit on the way, with all stops. */
function alternatives(plays: readonly LegalPlay[]): string {
  return plays
    .slice(0, 2)
    .map(({ moves }) =>
      moves.map(({ from, to, hits }) => `${placeName(from)}/${placeName(to)}${hits ? '*' : ''}`).join(' '),
    )
    .join(' or ')
}

/** Returns why segments that are possible one by one are not part of a legal play. */
function impossible(
  segments: readonly Segment[],
  legal: readonly LegalPlay[],
  checkers: Checkers,
  seat: Seat,
  roll: Roll,
): string {
  const unmarked = segments.map((segment) => ({ ...segment, hits: false }))
  if (legal.some((play) => restOf(play, unmarked))) return 'A hit mark is wrong: leave the marks * out.'
  const alone = segments.find((segment) => !legal.some((play) => restOf(play, [segment])))
  if (alone && segments.length > 0) {
    const name = `${placeName(alone.from)}/${placeName(alone.to)}`
    const [a, b] = roll
    if (alone.to === OFF)
      return `${name} is not legal with ${rollText(roll)}: a higher die bears off only from the highest point.`
    const stops = (a === b ? [a] : [a, b]).map((die) => alone.from - die).filter((stop) => stop > alone.to)
    if (stops.length > 0 && stops.every((stop) => isBlocked(checkers, seat, stop)))
      return `${name} is blocked on the way, on ${stops.join(' and ')}.`
    if (legal[0]!.moves.length > 1 || a === b)
      return `${name} is not legal with ${rollText(roll)}: the play has to use as many dice as possible.`
    return `${name} is not legal with ${rollText(roll)}: of two dice that cannot both be played, the higher one is played.`
  }
  return `The moves need more than the roll ${rollText(roll)}: remove one.`
}

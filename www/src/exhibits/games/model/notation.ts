/** Notation of plays of backgammon, such as `24/18 13/11`, `bar/22*`, `8/5(2)` and `6/off`. */
import { BAR, OFF, PLACES, other, played, same, type Checkers, type Seat } from './checkers'

/** Move of a checker by one or several dice. */
interface Places {
  from: number
  to: number
}

/** Move in a text. `hits`: whether it has a hit mark. */
export interface Segment extends Places {
  hits: boolean
}

export const placeName = (place: number): string =>
  place === BAR ? 'bar' : place === OFF ? 'off' : String(place)

/** Returns the index of a place; null for an invalid name. */
function placeOfName(name: string): number | null {
  if (name === 'bar' || name === 'b') return BAR
  if (name === 'off' || name === 'o') return OFF
  const place = Number(name)
  return place >= 1 && place <= 24 ? place : null
}

/** Returns the segments of a part, such as `8/5(2)`; null if the part is no move. */
export function segmentsOf(part: string): Segment[] | null {
  const [, path, times = '1'] = /^([a-z0-9*/]+?)(?:\(([1-4])\)\*?)?$/.exec(part) ?? []
  const stops = path?.split('/').map((stop) => /^([a-z]+|\d+)(\*?)$/.exec(stop))
  if (!stops || stops.length < 2) return null
  const hasMark = part.endsWith(')*')
  const found: Segment[] = []
  for (const [i, stop] of stops.entries()) {
    const place = stop && placeOfName(stop[1]!)
    if (place === null || place === undefined) return null
    const isLast = i === stops.length - 1
    if (i > 0)
      found.push({
        from: found.at(-1)?.to ?? placeOfName(stops[0]![1]!)!,
        to: place,
        hits: stop![2] === '*' || (hasMark && isLast),
      })
  }
  return Array.from({ length: Number(times) }, () => found).flat()
}

/** Path of a checker, with the stops at which it hits. */
interface Path {
  stops: number[]
  hits: Set<number>
}

const endsOf = ({ stops }: Path): [from: number, to: number] => [stops[0]!, stops.at(-1)!]

/** Returns the notation of a play as the analysis writes it, such as `bar/20 6/3(2)`. `checkers`: the position before the play. */
export function playText(checkers: Checkers, seat: Seat, moves: readonly Places[]): string {
  const paths: Path[] = []
  let at = checkers
  for (const { from, to } of [...moves].sort((a, b) => b.from - a.from)) {
    const isHit = to !== OFF && at[other(seat)][BAR - to] === 1
    at = played(at, seat, from, to)
    let path = paths.find(({ stops }) => stops.at(-1) === from)
    if (!path) paths.push((path = { stops: [from], hits: new Set() }))
    path.stops.push(to)
    if (isHit) path.hits.add(to)
  }
  const order = (path: Path) => PLACES * endsOf(path)[0] + endsOf(path)[1]
  const written: { path: Path; count: number }[] = []
  for (const path of paths.sort((a, b) => order(b) - order(a))) {
    const equal = written.find((other) => order(other.path) === order(path))
    if (equal) equal.count++
    else written.push({ path, count: 1 })
  }
  if (written.length === 0) return 'no move'
  const text = ({ path: { stops, hits }, count }: { path: Path; count: number }) =>
    stops
      .filter((stop, i) => i === 0 || i === stops.length - 1 || hits.has(stop))
      .map((stop) => placeName(stop) + (hits.has(stop) ? '*' : ''))
      .join('/') + (count > 1 ? `(${count})` : '')
  return written.map(text).join(' ')
}

/** Returns the moves one by one in the order in which they were made, such as `24/18 18/13`, which no other play can mean. */
export const separateMoves = (moves: readonly Places[]): string =>
  moves.map(({ from, to }) => `${placeName(from)}/${placeName(to)}`).join(' ')

/** Returns the position after a play in notation. */
export function afterPlay(checkers: Checkers, seat: Seat, text: string): Checkers {
  let at = checkers
  for (const part of text.split(' '))
    for (const { from, to } of segmentsOf(part) ?? []) at = played(at, seat, from, to)
  return at
}

/** Returns whether two plays in notation have the same result. */
export const isSamePlay = (checkers: Checkers, seat: Seat, play: string, after: Checkers): boolean =>
  same(afterPlay(checkers, seat, play), after)

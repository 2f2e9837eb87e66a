/** Plays drawn on the board. */
import { BAR, OFF, slotOf, type Seat, type Slot } from '../model/checkers'

/** Path of one checker with one or several dice, in the numbering of the player's points. */
export type CheckerPath = readonly [from: number, to: number]

/** A play drawn as arrows. */
export interface ShownPlay {
  key: string
  seat: Seat
  /** Paths of the checkers, each drawn as one arrow. */
  paths: readonly (readonly [from: Slot, to: Slot])[]
  /** Relative weight, 0 to 1. */
  weight: number
  /** `mistake`: the play that was made and loses equity. `best`: also the hovered play. */
  kind: 'best' | 'mistake' | 'other'
}

/** Joins consecutive moves of the same checker. */
export function joined(moves: readonly CheckerPath[]): CheckerPath[] {
  const paths: [number, number][] = []
  for (const [from, to] of moves) {
    const before = paths.find((way) => way[1] === from && from !== OFF)
    if (before) before[1] = to
    else paths.push([from, to])
  }
  return paths
}

/** Converts paths to slots, which use the numbering of seat 0. */
export function onBoard(seat: Seat, paths: readonly CheckerPath[]): [Slot, Slot][] {
  return paths.map(([from, to]) => [slotOf(seat, from), slotOf(seat, to)])
}

/** Returns the paths of a play in backgammon notation, such as `bar/20 6/3(2)`; none if it has no move. */
export function pathsOf(text: string): CheckerPath[] {
  return text.split(' ').flatMap((part) => {
    const [, stops, times = '1'] = /^([\w*/]+)(?:\((\d)\))?$/.exec(part) ?? []
    const places = stops?.replaceAll('*', '').split('/').map(place) ?? []
    const [from, to] = [places[0], places.at(-1)]
    if (places.length < 2 || from === undefined || to === undefined) return []
    return Array.from({ length: Number(times) }, (): CheckerPath => [from, to])
  })
}

const place = (name: string): number => (name === 'bar' ? BAR : name === 'off' ? OFF : Number(name))

const name = (place: number): string => (place === BAR ? 'bar' : place === OFF ? 'off' : String(place))

/** Formats the path of a checker in backgammon notation, such as `bar/20`. */
export function written([from, to]: CheckerPath): string {
  return `${name(from)}/${name(to)}`
}

/** Doubling cube and score of a position that is set up by hand, and its XGID. */
import type { GameDoubling } from '../../../engine/page/session'
import { BAR, type Checkers, type Seat } from './checkers'

/** Doubling cube and score of a game of a match or money session. */
export interface CubeAndScore {
  /** Binary logarithm of the value of the doubling cube. */
  exponent: number
  /** Owner of the doubling cube; null if the cube is in the center. */
  owner: Seat | null
  /** Points of seat 0 and seat 1. */
  score: readonly [number, number]
  /** Whether the game is the Crawford game, which has no doubling cube. */
  crawford: boolean
}

/** Highest value of the doubling cube that can be selected, as a binary logarithm. */
const highestExponent = 6

/** Returns doubling cube and score of the game in progress. */
export function cubeAndScore(
  { cube, owner, crawford }: Pick<GameDoubling, 'cube' | 'owner' | 'crawford'>,
  score: readonly [number, number],
): CubeAndScore {
  return { exponent: Math.log2(cube), owner: owner === 0 || owner === 1 ? owner : null, score, crawford }
}

/** Returns the selectable doubling cubes, the present one included. */
export function cubeOptions({ exponent, owner }: CubeAndScore): { value: string; label: string }[] {
  const options = [{ value: cubeKey(0, null), label: '1, in the center' }]
  for (let each = 1; each <= Math.max(exponent, highestExponent); each++) {
    if (owner === null && each === exponent)
      options.push({ value: cubeKey(each, null), label: `${2 ** each}, in the center` })
    options.push(
      { value: cubeKey(each, 0), label: `${2 ** each}, below` },
      { value: cubeKey(each, 1), label: `${2 ** each}, above` },
    )
  }
  return options
}

/** Returns the key of a doubling cube in {@link cubeOptions}. */
export const cubeKey = (exponent: number, owner: Seat | null): string => `${exponent}/${owner ?? ''}`

/** Returns exponent and owner of a key. */
export function cubeOfKey(key: string): Pick<CubeAndScore, 'exponent' | 'owner'> {
  const [exponent, owner] = key.split('/')
  return { exponent: Number(exponent), owner: owner === '0' ? 0 : owner === '1' ? 1 : null }
}

/** Returns whether a game of a match at a score can be the Crawford game: exactly one player needs 1 point. */
export const canBeCrawford = (length: number, [a, b]: readonly [number, number]): boolean =>
  length > 1 && (a === length - 1) !== (b === length - 1)

/** Returns whether both players still need points in a match of a length; any score is valid in a money session. */
export const isValidScore = (length: number, score: readonly [number, number]): boolean =>
  score.every((points) => Number.isInteger(points) && points >= 0 && (length === 0 || points < length))

/**
 * Returns the XGID of a position. `seat`: seat to move; `dice`: its roll, null before the roll. eXtreme Gammon documents the format
 * in its help, section “XGID”.
 */
export function xgid(
  checkers: Checkers,
  seat: Seat,
  dice: readonly [number, number] | null,
  { length, jacoby }: Pick<GameDoubling, 'length' | 'jacoby'>,
  { exponent, owner, score, crawford }: CubeAndScore,
): string {
  const letter = (count: number, upper: boolean): string => String.fromCharCode((upper ? 64 : 96) + count)
  // The bar of seat 1, the points in the numbering of seat 0, and the bar of seat 0.
  const places = Array.from({ length: BAR + 1 }, (_, place) => {
    const [own, theirs] = [
      place === 0 ? 0 : checkers[0][place]!,
      place === BAR ? 0 : checkers[1][BAR - place]!,
    ]
    return own > 0 ? letter(own, true) : theirs > 0 ? letter(theirs, false) : '-'
  })
  const side = (owner: Seat | null) => (owner === null ? 0 : owner === 0 ? 1 : -1)
  // A match to 1 point has no doubling cube, like the Crawford game.
  const isCrawford = length === 1 || (crawford && canBeCrawford(length, score))
  const fields = [
    places.join(''),
    ...(isCrawford ? [0, 0] : [exponent, side(owner)]),
    side(seat),
    dice?.join('') ?? '00',
    ...score,
    Number(length === 0 ? jacoby : isCrawford),
    length,
    10,
  ]
  return `XGID=${fields.join(':')}`
}

/**
 * Conversion of an ID of GNU Backgammon to an XGID, the text format of eXtreme Gammon. Formats and sources:
 * `crates/envs/src/backgammon` (`id.rs`, `match_id.rs`, `xgid.rs`).
 */
import { BAR, OFF, PLACES, type Side } from '../model/checkers'

/** Bit widths of the fields of a match ID, in the order of {@link fieldNames}. */
const widths = [4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1]

/** Binary logarithm of the maximum value of the doubling cube, which an ID does not contain. */
const largestCube = 10

/** Returns the bytes of a Base64 text as one integer, first byte lowest. */
function integerOf(text: string): bigint {
  const bytes = atob(text)
  return [...bytes].reduceRight((value, byte) => (value << 8n) | BigInt(byte.charCodeAt(0)), 0n)
}

/** Returns the checkers of the player on roll and of the opponent, each in the numbering of that player. */
function sidesOf(position: string): { mine: Side; theirs: Side } {
  let bits = integerOf(position)
  const side = (): Side => {
    const counts = new Array<number>(PLACES).fill(0)
    for (let place = 1; place <= BAR; place++) {
      for (; bits & 1n; bits >>= 1n) counts[place]!++
      bits >>= 1n
    }
    return counts
  }
  const theirs = side()
  return { mine: side(), theirs }
}

/** Returns the integers of a match ID. */
function fieldsOf(match: string): number[] {
  let bits = integerOf(match)
  return widths.map((width) => {
    const value = Number(bits & ((1n << BigInt(width)) - 1n))
    bits >>= BigInt(width)
    return value
  })
}

const letter = (first: string, count: number): string => String.fromCharCode(first.charCodeAt(0) + count - 1)

/**
 * Returns the XGID of a position ID and a match ID, separated by a colon, such as `4HPwATDgc/ABMA:cAkAAAAAAAAA`. Seat 0
 * is the bottom player.
 */
export function xgidOf(id: string): string {
  const [position = '', match = ''] = id.split(':')
  const { mine, theirs } = sidesOf(position)
  const [cube, owner, onRoll, crawford, , , doubled, , high, low, length, bottomScore, topScore, noJacoby] =
    fieldsOf(match) as [number, number, 0 | 1, ...number[]]
  const [bottom, top] = onRoll === 0 ? [mine, theirs] : [theirs, mine]
  const places = Array.from({ length: PLACES }, (_, place) => {
    // An XGID omits checkers that are borne off.
    if (place !== OFF && bottom[place]! > 0) return letter('A', bottom[place]!)
    const above = BAR - place
    return above !== OFF && top[above]! > 0 ? letter('a', top[above]!) : '-'
  })
  const fields = [
    places.join(''),
    cube,
    [1, -1, 0, 0][owner],
    onRoll === 0 ? 1 : -1,
    high ? `${high}${low}` : doubled ? 'D' : '00',
    bottomScore,
    topScore,
    length ? crawford : 1 - noJacoby!,
    length,
    largestCube,
  ]
  return `XGID=${fields.join(':')}`
}

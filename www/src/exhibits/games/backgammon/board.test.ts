import { describe, expect, test, vi } from 'vitest'
import {
  BAR,
  CHECKERS,
  OFF,
  cleared,
  free,
  held,
  moved,
  other,
  pips,
  placeOf,
  played,
  same,
  seats,
  slotName,
  slotOf,
  slots,
  start,
  type Checkers,
} from '../model/checkers'
import { faces, shownDice, ShownRolls, tumble } from './dice'
import { arrow, geometry, nearest, neighbor, slotAt, slotBox, spot } from './geometry'
import { joined, onBoard, written } from './plays'
import { fresh, settle } from './tokens'

const sizes = [
  [1000, 620],
  [980, 420],
  [358, 430],
  [340, 300],
] as const

vi.mock('../../../state/theme.svelte', () => ({ theme: { reducedMotion: false } }))

describe('checkers', () => {
  test('begin with 167 pips each', () => {
    expect(start.map(pips)).toEqual([167, 167])
    expect(cleared.map(pips)).toEqual([0, 0])
  })

  test('are in one slot for each place of a player', () => {
    for (const seat of seats) {
      const taken = Array.from({ length: 26 }, (_, place) => slotOf(seat, place))
      expect(new Set(taken).size).toBe(26)
      for (const [place, slot] of taken.entries()) expect(placeOf(seat, slot)).toBe(place)
    }
    // Points are shared; bars and trays are not.
    expect(slots.filter((slot) => placeOf(0, slot) === null)).toHaveLength(2)
    expect(slots.filter((slot) => placeOf(1, slot) === null)).toHaveLength(2)
    expect(held(start, slotOf(1, 24))).toEqual({ seat: 1, count: 2 })
    expect(held(start, 2)).toBeNull()
  })

  test('are on points that are numbered from the side of a player', () => {
    for (const seat of seats) {
      for (let place = 1; place <= 24; place++)
        expect(slotName(slotOf(seat, place), seat)).toBe(`point ${place}`)
      expect(slotName(slotOf(seat, BAR), seat)).toBe('your bar')
      expect(slotName(slotOf(seat, OFF), seat)).toBe('your tray')
      expect(slotName(slotOf(other(seat), BAR), seat)).toBe('the other bar')
    }
  })

  test('hit blots only', () => {
    const blot = moved(start, 1, 6, 5)
    const after = played(blot, 0, 24, 20)
    expect(after[1][BAR]).toBe(1)
    expect(after[1][5]).toBe(0)
    expect(after[0][20]).toBe(1)
    expect(played(start, 0, 13, 8)[1]).toEqual(start[1])
    for (const side of after) expect(side.reduce((a, b) => a + b)).toBe(CHECKERS)
  })

  test('may be put anywhere but on the other ones', () => {
    expect(free(start, 0, 19)).toBe(false)
    expect(free(start, 0, 5)).toBe(true)
    expect(free(start, 1, 19)).toBe(false)
    expect(free(start, 1, BAR)).toBe(true)
  })
})

describe('the board', () => {
  test.each(sizes)('of %d by %d holds everything', (width, height) => {
    const g = geometry(width, height)
    for (const slot of slots) {
      for (const count of [1, 5, 15]) {
        for (let level = 0; level < count; level++) {
          const { x, y } = spot(g, slot, level, count)
          expect(x).toBeGreaterThan(0)
          expect(x).toBeLessThan(width)
          // A checker that is borne off lies on its side.
          const half = slot === OFF || slot === 27 ? 0 : g.checker / 2
          expect(y - half).toBeGreaterThanOrEqual(g.field.y)
          expect(y + half).toBeLessThanOrEqual(g.field.y + g.field.height)
        }
      }
    }
  })

  test.each(sizes)('of %d by %d is pointed at where it is drawn', (width, height) => {
    const g = geometry(width, height)
    for (const slot of slots) {
      expect(slotAt(g, spot(g, slot, 0, 1))).toBe(slot)
      const box = slotBox(g, slot)
      expect(slotAt(g, { x: box.x + 1, y: box.y + box.height / 2 })).toBe(slot)
    }
    expect(slotAt(g, { x: -1, y: height / 2 })).toBeNull()
  })

  test('accepts a checker dropped next to its target', () => {
    const g = geometry(1000, 620)
    const at = spot(g, 8, 0, 1)
    expect(nearest(g, at, [8, 5])).toBe(8)
    expect(nearest(g, { x: at.x + 0.8 * g.column, y: at.y }, [8, 5])).toBe(8)
    expect(nearest(g, { x: at.x, y: at.y + 200 }, [8, 5])).toBe(8)
    expect(nearest(g, { x: at.x, y: g.field.y }, [8, 5])).toBeNull()
    expect(nearest(g, spot(g, 12, 0, 1), [8, 5])).toBeNull()
  })

  test('is walked over by arrow keys', () => {
    expect(neighbor(6, 1, 0)).toBe(5)
    expect(neighbor(6, -1, 0)).toBe(BAR)
    expect(neighbor(7, 1, 0)).toBe(BAR)
    expect(neighbor(6, 0, -1)).toBe(19)
    expect(neighbor(19, 0, 1)).toBe(6)
    expect(neighbor(12, -1, 0)).toBe(12)
    expect(neighbor(OFF, 1, 1)).toBe(OFF)
  })

  test('draws arrows from one spot to another', () => {
    const g = geometry(1000, 620)
    const from = spot(g, 13, 4, 5)
    const to = spot(g, 8, 3, 4)
    const { line, head } = arrow(g, from, to)
    expect(line.startsWith(`M${Math.round(from.x * 10) / 10} ${Math.round(from.y * 10) / 10}`)).toBe(true)
    expect(head.startsWith(`M${Math.round(to.x * 10) / 10} ${Math.round(to.y * 10) / 10}`)).toBe(true)
    expect(`${line}${head}`).not.toMatch(/NaN|Infinity/)
  })
})

describe('tokens', () => {
  const where = (tokens: ReturnType<typeof fresh>) => tokens.map(({ slot }) => slot)

  function counts(tokens: ReturnType<typeof fresh>): Checkers {
    const [mine, theirs] = seats.map((seat) =>
      Array.from(
        { length: 26 },
        (_, place) => tokens.filter((t) => t.seat === seat && t.place === place).length,
      ),
    )
    return [mine!, theirs!]
  }

  test('stand as the checkers do', () => {
    const tokens = fresh(start)
    expect(tokens.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => i))
    expect(same(counts(tokens), start)).toBe(true)
  })

  test('keep their identity: a move moves one, a hit the one that was hit', () => {
    const before = fresh(moved(start, 1, 6, 5))
    const next = played(moved(start, 1, 6, 5), 0, 24, 20)
    const after = settle(before, next)
    expect(same(counts(after), next)).toBe(true)
    const changed = where(after).filter((slot, i) => slot !== where(before)[i])
    expect(changed.sort()).toEqual([20, slotOf(1, BAR)])
    // The upper one of the two left.
    const left = before.find((t) => t.seat === 0 && t.place === 24 && t.level === 1)!
    expect(after[left.id]!.place).toBe(20)
  })

  test('stack without gaps', () => {
    const tokens = settle(fresh(start), played(start, 0, 13, 6))
    const stack = tokens.filter(({ slot }) => slot === 6)
    expect(stack.map(({ level }) => level).sort()).toEqual([0, 1, 2, 3, 4, 5])
    expect(stack.every(({ count }) => count === 6)).toBe(true)
    expect(same(counts(settle(tokens, cleared)), cleared)).toBe(true)
  })
})

describe('dice', () => {
  test('show as many pips as they count', () => {
    for (let value = 1; value <= 6; value++) expect(faces[value]).toHaveLength(value)
  })

  test('end on the rolled faces', () => {
    for (let final = 1; final <= 6; final++) {
      const shown = tumble(final, 7 * final, 8)
      expect(shown).toHaveLength(8)
      expect(shown.at(-1)).toBe(final)
      for (const [i, face] of shown.entries()) {
        expect(face).toBeGreaterThanOrEqual(1)
        expect(face).toBeLessThanOrEqual(6)
        if (i > 0) expect(face).not.toBe(shown[i - 1])
      }
    }
  })

  test('are spent one by one', () => {
    const spent = (roll: [number, number], left: number[] | null) =>
      shownDice(roll, left).map((die) => die.spent)
    expect(spent([5, 3], null)).toEqual([false, false])
    expect(spent([5, 3], [3])).toEqual([true, false])
    expect(spent([5, 3], [5])).toEqual([false, true])
    expect(spent([4, 4], [4, 4, 4])).toEqual([true, false, false, false])
    expect(spent([4, 4], [])).toEqual([true, true, true, true])
  })
})

describe('plays', () => {
  test('of one checker are one path', () => {
    expect(
      joined([
        [24, 18],
        [18, 13],
      ]),
    ).toEqual([[24, 13]])
    expect(
      joined([
        [13, 8],
        [6, 3],
      ]),
    ).toEqual([
      [13, 8],
      [6, 3],
    ])
    expect(
      joined([
        [6, 0],
        [5, 0],
      ]),
    ).toEqual([
      [6, 0],
      [5, 0],
    ])
    expect([[BAR, 20] as const, [6, OFF] as const, [13, 8] as const].map(written)).toEqual([
      'bar/20',
      '6/off',
      '13/8',
    ])
  })

  test('lie on the board as seat 0 sees it', () => {
    expect(
      onBoard(1, [
        [24, 18],
        [BAR, 20],
        [6, OFF],
      ]),
    ).toEqual([
      [1, 7],
      [26, 5],
      [19, 27],
    ])
  })
})

test('a die shows the animation of a roll once, and no animation without a roll', () => {
  const rolls = new ShownRolls()
  const begin = (...ids: number[]) => ids.map((roll) => rolls.begin(0, roll))
  expect(begin(1, 1, 0, 1, 2)).toEqual([true, false, false, false, true])
  // The third die exists for doubles only.
  expect(rolls.begin(2, 2)).toBe(true)
})

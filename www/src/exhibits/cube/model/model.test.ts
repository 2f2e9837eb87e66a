import { describe, expect, test } from 'vitest'
import { follow, layerOf, layerOfTurn, released } from './drag'
import { TurnAnimator, type Position } from './turn-animator'
import { dot, facing, faceFrames, rotated, solved, stickersOf, turned, type Vector } from './stickers'
import {
  faces,
  inverse,
  opposite,
  readTurn,
  spoken,
  turnOf,
  writeTurn,
  type Face,
  type Size,
  type Turn,
} from './turns'

const sizes: Size[] = [2, 3]
const read = (text: string) => text.split(' ').map((turn) => readTurn(turn)!)
const after = (text: string, size: Size) => read(text).reduce(turned, solved(size))
/** Faces that can turn. */
const turning = (size: Size): readonly Face[] => (size === 2 ? ['U', 'R', 'F'] : faces)

describe('turns', () => {
  test('are parsed and formatted', () => {
    for (const face of faces)
      for (const ending of ['', '2', "'"]) expect(writeTurn(readTurn(face + ending)!)).toBe(face + ending)
    for (const bad of ['', 'X', 'u', 'U3', "U2'", 'UU']) expect(readTurn(bad), bad).toBeNull()
    expect(turnOf('R', -1)).toEqual(readTurn("R'"))
    expect([turnOf('R', 4), turnOf('R', -2)]).toEqual([null, readTurn('R2')])
    expect(writeTurn(inverse(readTurn("F'")!))).toBe('F')
    expect(faces.map(opposite).join('')).toBe('DLBURF')
    expect(spoken(readTurn("F'")!)).toBe('front counter-clockwise')
  })
})

describe('stickers', () => {
  test.each(sizes)('size %i: positions are distinct, and normals match the faces', (size) => {
    const list = stickersOf(size)
    expect(list).toHaveLength(6 * size * size)
    expect(new Set(list.map(({ piece, normal }) => `${piece} ${normal}`)).size).toBe(list.length)
    for (const { face, piece, normal } of list) {
      expect(facing(normal)).toBe(face)
      expect(dot(piece, normal)).toBe(size - 1)
    }
  })

  test('the corner URF has the standard sticker indices', () => {
    const here = stickersOf(3).flatMap(({ piece }, i) => (piece.join() === '2,2,2' ? [i] : []))
    expect(here).toEqual([8, 9, 20])
    const there = stickersOf(3).flatMap(({ piece }, i) => (piece.join() === '-2,-2,-2' ? [i] : []))
    expect(there).toEqual([33, 42, 53])
  })

  test('vectors rotate counter-clockwise', () => {
    const x: Vector = [1, 0, 0]
    expect(rotated(x, [0, 0, 1], 1)).toEqual([0, 1, 0])
    expect(rotated([3, 5, 7], [0, 1, 0], 4)).toEqual([3, 5, 7])
    expect(rotated([3, 5, 7], [0, 1, 0], -1)).toEqual(rotated([3, 5, 7], [0, 1, 0], 3))
  })

  test.each(sizes)('size %i: turns and sequences have their known orders', (size) => {
    for (const face of faces) {
      const turn: Turn = { face, quarters: 1 }
      let colors = after("R U2 F' L D B2", size)
      const first = colors
      for (let i = 0; i < 4; i++) {
        expect(turned(turned(colors, turn), inverse(turn))).toBe(colors)
        colors = turned(colors, turn)
        expect(colors === first).toBe(i === 3)
      }
      expect(turned(first, { face, quarters: 2 })).toBe(turned(turned(first, turn), turn))
    }
    // The sequence has order 6; R U has order 105 on the 3×3×3 cube and 15 on the 2×2×2 cube, which has only corners.
    expect(after(Array(6).fill("R U R' U'").join(' '), size)).toBe(solved(size))
    const order = size === 3 ? 105 : 15
    for (let n = 1; n <= order; n++)
      expect(after(Array(n).fill('R U').join(' '), size) === solved(size)).toBe(n === order)
  })

  test('the superflip has the known stickers', () => {
    const flip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    expect(after(flip, 3)).toBe('UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB')
  })

  test('a turn moves the stickers of adjacent faces clockwise', () => {
    expect(after('U', 2)).toBe('UUUU' + 'BBRR' + 'RRFF' + 'DDDD' + 'FFLL' + 'LLBB')
    expect(after('F', 2)).toBe('UULL' + 'URUR' + 'FFFF' + 'RRDD' + 'LDLD' + 'BBBB')
  })
})

describe('dragging', () => {
  const sticker = (size: Size, face: Face, row: number, column: number) =>
    stickersOf(size).find((s) => s.face === face && s.row === row && s.column === column)!

  test('a dragged sticker turns its layer', () => {
    // Dragging the upper right sticker of F upwards turns R clockwise.
    const up = layerOf(sticker(3, 'F', 0, 2), [0, 1, 0])
    const { turns, whole } = released(3, turning(3), up, 1)
    expect([turns.map(writeTurn), whole]).toEqual([['R'], 0])
    const left = layerOf(sticker(3, 'F', 0, 2), [-1, 0, 0])
    expect(released(3, turning(3), left, 1).turns.map(writeTurn)).toEqual(['U'])
    expect(stickersOf(3).filter(({ piece }) => dot(piece, left.axis) === left.along)).toHaveLength(21)
    expect(released(3, turning(3), left, 4)).toEqual({ turns: [], whole: 0 })
  })

  test('the sticker moves in the direction of the drag', () => {
    for (const size of sizes)
      for (const one of stickersOf(size))
        for (const direction of Object.values(faceFrames).map(({ normal }) => normal)) {
          if (dot(direction, one.normal) !== 0) continue
          const layer = layerOf(one, direction)
          // About this axis the outside of the face moves in the direction.
          expect(rotated(one.normal, layer.axis, 1)).toEqual(direction.map((n) => n + 0))
        }
  })

  test.each(sizes)('size %i: equivalent turns of the other layers look the same', (size) => {
    const begun = after("R U F2 R' U2", size)
    for (const one of stickersOf(size))
      for (const direction of [faceFrames[one.face].right, faceFrames[one.face].down])
        for (const quarters of [1, 2, -1]) {
          const layer = layerOf(one, direction)
          const { turns, whole } = released(size, turning(size), layer, quarters)
          expect(turns.every(({ face }) => turning(size).includes(face))).toBe(true)
          const seen = look(turns.reduce(turned, begun), size, layer.axis, whole)
          expect(seen).toEqual(dragged(begun, size, layer.axis, layer.along, quarters))
        }
  })

  test('a key for a fixed face turns the opposite face', () => {
    const key = (size: Size, text: string) => {
      const { layer, quarters } = layerOfTurn(size, readTurn(text)!)
      const { turns, whole } = released(size, turning(size), layer, quarters)
      return [turns.map(writeTurn), whole]
    }
    expect(key(2, 'L')).toEqual([['R'], -1])
    expect(key(2, "D'")).toEqual([["U'"], 1])
    expect(key(2, 'R2')).toEqual([['R2'], 0])
    expect(key(3, 'L')).toEqual([['L'], 0])
  })

  test('a drag follows the better matching direction', () => {
    const pictures = [
      [100, 20],
      [-10, 90],
    ] as const
    expect(follow([50, 12], pictures).direction).toBe(0)
    expect(follow([50, 10], pictures).far).toBeCloseTo(0.5)
    expect(follow([3, -40], pictures)).toMatchObject({ direction: 1 })
    expect(follow([3, -40], pictures).far).toBeLessThan(0)
    expect(
      follow(
        [30, 0],
        [
          [0, 0],
          [10, 0],
        ],
      ),
    ).toEqual({ direction: 1, far: 3 })
  })

  test('turns take the shorter direction', () => {
    expect(layerOfTurn(3, readTurn('R')!)).toEqual({ layer: { axis: [1, 0, 0], along: 2 }, quarters: -1 })
    expect(layerOfTurn(2, readTurn("U'")!).quarters).toBe(1)
  })

  /** Stickers by position after a rotation of the whole cube. */
  function look(colors: string, size: Size, axis: Vector, quarters: number): Record<string, string> {
    return Object.fromEntries(
      stickersOf(size).map(({ piece, normal }, i) => [
        place(rotated(piece, axis, quarters), rotated(normal, axis, quarters)),
        colors[i]!,
      ]),
    )
  }

  /** Stickers by position after turning one layer. */
  function dragged(colors: string, size: Size, axis: Vector, along: number, quarters: number) {
    return Object.fromEntries(
      stickersOf(size).map(({ piece, normal }, i) => {
        const by = dot(piece, axis) === along ? quarters : 0
        return [place(rotated(piece, axis, by), rotated(normal, axis, by)), colors[i]!]
      }),
    )
  }

  const place = (...vectors: Vector[]) => vectors.map((v) => v.map((n) => n + 0).join()).join(' ')
})

describe('TurnAnimator', () => {
  const at = (text: string, cube = 1, size: Size = 3): Position => {
    const turns = text ? text.split(' ') : []
    return {
      stickers: turns.reduce((s, t) => turned(s, readTurn(t)!), solved(size)),
      cube,
      history: turns.map((turn) => ({ turn })),
      at: turns.length,
    }
  }
  const begun = (text = '') => {
    const follower = new TurnAnimator(3)
    follower.follow(at(text))
    return follower
  }
  const queue = (follower: TurnAnimator) => follower.queue.map(writeTurn).join(' ')
  const settle = (follower: TurnAnimator) => {
    for (let i = 0; follower.moves; i++) {
      if (i > 5000) throw new Error('The animation does not end.')
      follower.advance(0.016)
    }
    return follower.stickers
  }

  test('the first cube is displayed immediately', () => {
    const follower = begun("R U R'")
    expect([follower.stickers, follower.moves]).toEqual([at("R U R'").stickers, false])
  })

  test('turns are animated one after another, and undone', () => {
    const follower = begun('R')
    follower.follow(at('R U F2'))
    expect(queue(follower)).toBe('U F2')
    expect(follower.advance(0.01)).toBe(true)
    expect(follower.stickers).toBe(at('R').stickers)
    expect(follower.progress).toBeGreaterThan(0)
    // The path changes during the first turn.
    follower.follow(at('R U L'))
    expect(settle(follower)).toBe(at('R U L').stickers)
    expect(follower.advance(1)).toBe(false)
    follower.follow({ ...at('R U L'), at: 1, stickers: at('R').stickers })
    expect(queue(follower)).toBe("L' U'")
    expect(settle(follower)).toBe(at('R').stickers)
    follower.follow(at('R U L'))
    expect(queue(follower)).toBe('U L')
  })

  test('a scramble is animated, an entered cube is displayed immediately', () => {
    const follower = begun('R')
    follower.follow(at("F U' B2", 2))
    expect([follower.stickers, queue(follower)]).toEqual([solved(3), "F U' B2"])
    expect(settle(follower)).toBe(at("F U' B2").stickers)
    follower.follow({ stickers: at('R L').stickers, cube: 3, history: [], at: 0 })
    expect([follower.stickers, follower.moves]).toEqual([at('R L').stickers, false])
  })

  test('if turns and colors disagree, the colors are displayed', () => {
    const follower = begun('R')
    follower.follow({ ...at('R U'), stickers: at('D').stickers })
    expect([follower.stickers, follower.moves]).toEqual([at('D').stickers, false])
    const far = Array(80).fill('R U').join(' ')
    follower.follow(at(far))
    expect([follower.stickers, follower.moves]).toEqual([at(far).stickers, false])
    follower.follow({ ...at('R'), history: [{ turn: 'x' }] })
    expect(follower.stickers).toBe(at('R').stickers)
  })

  test('manual turns are not animated again', () => {
    const follower = begun('R')
    const answer = follower.made(read('U'))
    expect(follower.stickers).toBe(at('R U').stickers)
    // The experiment has not executed the turn yet.
    follower.follow(at('R'))
    expect(follower.moves).toBe(false)
    answer(true)
    expect(follower.moves).toBe(false)
    follower.follow(at('R U'))
    expect([follower.stickers, follower.moves]).toEqual([at('R U').stickers, false])
  })

  test('the display is not current until the experiment has made the turns of the user', () => {
    const follower = begun("R'")
    expect(follower.isCurrent).toBe(true)
    // The cube is solved on the display only, so that the values of the state before it do not apply.
    const answer = follower.made(read('R'))
    expect(follower.isCurrent).toBe(false)
    answer(true)
    expect(follower.isCurrent).toBe(false)
    follower.follow(at("R' R"))
    expect(follower.isCurrent).toBe(true)
    follower.follow(at("R' R U"))
    expect(follower.isCurrent).toBe(false)
    settle(follower)
    expect(follower.isCurrent).toBe(true)
  })

  test('rejected turns are undone', () => {
    const follower = begun('R')
    const answer = follower.made(read('U'))
    follower.follow(at('R F'))
    answer(false)
    expect(queue(follower)).toBe("U' F")
    expect(settle(follower)).toBe(at('R F').stickers)
  })

  test('many turns are fast, and without animation immediate', () => {
    const seconds = (count: number) => {
      const follower = begun()
      follower.follow(at(Array(count).fill('R U').join(' ')))
      let time = 0
      for (; follower.moves; time += 0.001) follower.advance(0.001)
      return time
    }
    expect(seconds(20)).toBeLessThan(20 * 0.4 * seconds(1))
    const follower = begun()
    follower.still = true
    follower.follow(at('R U'))
    expect([follower.stickers, follower.moves]).toEqual([at('R U').stickers, false])
  })
})

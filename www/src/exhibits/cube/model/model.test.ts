import { describe, expect, test } from 'vitest'
import { follow, layerOf } from './drag'
import { inverseMove, layersOf, moved, moveOf, readMove, writeMove, type LayerMove } from './layer-move'
import { TurnAnimator, type Position } from './turn-animator'
import {
  dot,
  facing,
  faceFrames,
  inLayers,
  isUniform,
  rotated,
  solved,
  stickersOf,
  turned,
  type Layers,
  type Vector,
} from './stickers'
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
const readMoves = (text: string): LayerMove[] => (text ? text.split(' ').map((move) => readMove(move)!) : [])

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
    const drag = (size: Size, face: Face, row: number, column: number, direction: Vector) =>
      writeMove(moveOf(size, layerOf(sticker(size, face, row, column), direction), 1)!)
    // Dragging the upper right sticker of F upwards turns R clockwise.
    expect(drag(3, 'F', 0, 2, [0, 1, 0])).toBe('R')
    expect(drag(3, 'F', 0, 2, [-1, 0, 0])).toBe('U')
    expect(drag(3, 'F', 1, 1, [0, 1, 0])).toBe("M'")
    expect(drag(2, 'F', 1, 0, [0, -1, 0])).toBe('L')
    const left = layerOf(sticker(3, 'F', 0, 2), [-1, 0, 0])
    expect(stickersOf(3).filter(({ piece }) => inLayers(piece, left))).toHaveLength(21)
    expect(moveOf(3, left, 4)).toBeNull()
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

  test.each(sizes)('size %i: the move of a dragged layer moves the stickers of the layer', (size) => {
    const begun = after("R U F2 R' U2", size)
    for (const one of stickersOf(size))
      for (const direction of [faceFrames[one.face].right, faceFrames[one.face].down])
        for (const quarters of [1, 2, -1]) {
          const layers = layerOf(one, direction)
          const colors = moved(begun, moveOf(size, layers, quarters)!)
          expect(look(colors, size)).toEqual(dragged(begun, size, layers, quarters))
        }
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
    expect(layersOf(3, readMove('R')!)).toEqual({ layers: { axis: [1, 0, 0], from: 2, to: 2 }, quarters: -1 })
    expect(layersOf(2, readMove("U'")!).quarters).toBe(1)
  })

  /** Stickers by position. */
  const look = (colors: string, size: Size) =>
    Object.fromEntries(stickersOf(size).map(({ piece, normal }, i) => [place(piece, normal), colors[i]!]))

  /** Stickers by position after turning layers. */
  const dragged = (colors: string, size: Size, layers: Layers, quarters: number) =>
    Object.fromEntries(
      stickersOf(size).map(({ piece, normal }, i) => {
        const by = inLayers(piece, layers) ? quarters : 0
        return [place(rotated(piece, layers.axis, by), rotated(normal, layers.axis, by)), colors[i]!]
      }),
    )

  const place = (...vectors: Vector[]) => vectors.map((v) => v.map((n) => n + 0).join()).join(' ')
})

describe('moves of layers', () => {
  const names = ['R', 'Lw', 'M', 'E', 'S', 'x', 'y', 'z'].flatMap((name) => [name, `${name}2`, `${name}'`])

  test('are parsed and formatted, and are the moves of their layers', () => {
    for (const text of names) {
      const move = readMove(text)!
      expect(writeMove(move)).toBe(text)
      const { layers, quarters } = layersOf(3, move)
      expect(moveOf(3, layers, quarters)).toEqual(move)
      expect(moved(moved(solved(3), move), inverseMove(move))).toBe(solved(3))
    }
    for (const bad of ['', 'Q', 'Mw', "x''", 'Rw3', "R2'"]) expect(readMove(bad), bad).toBeNull()
  })

  test('slice turns and wide turns are turns of both faces and a rotation', () => {
    const state = (text: string) => readMoves(text).reduce(moved, after("R U2 F' L D B", 3))
    expect(state('M')).toBe(state("R L' x'"))
    expect(state('E')).toBe(state("U D' y'"))
    expect(state('S')).toBe(state("F' B z"))
    expect(state("Rw'")).toBe(state("L' x'"))
    expect(isUniform(readMoves('x y2').reduce(moved, solved(3)))).toBe(true)
    expect(isUniform(state('x'))).toBe(false)
  })
})

describe('TurnAnimator', () => {
  const at = (text: string, cube = 1, size: Size = 3): Position => {
    const turns = text ? text.split(' ') : []
    return {
      stickers: readMoves(text).reduce(moved, solved(size)),
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
  const queue = (follower: TurnAnimator) => follower.queue.map(writeMove).join(' ')
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

  test('rotations and slice turns are animated, and undone', () => {
    const follower = begun('R')
    follower.follow(at("R x M'"))
    expect(queue(follower)).toBe("x M'")
    expect(settle(follower)).toBe(at("R x M'").stickers)
    follower.follow({ ...at("R x M'"), at: 1, stickers: at('R').stickers })
    expect(queue(follower)).toBe("M x'")
    expect(settle(follower)).toBe(at('R').stickers)
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
    follower.follow({ ...at('R'), history: [{ turn: 'Q' }] })
    expect(follower.stickers).toBe(at('R').stickers)
  })

  test('manual turns are not animated again', () => {
    const follower = begun('R')
    const answer = follower.made(readMoves('U'))
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
    const answer = follower.made(readMoves('R'))
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
    const answer = follower.made(readMoves('U'))
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

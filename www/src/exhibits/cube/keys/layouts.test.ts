import { describe, expect, test } from 'vitest'
import { hasLayers, planned, readMove } from '../model/layer-move'
import { Grip } from '../model/grip'
import { faceFrames } from '../model/stickers'
import { cstimer, historyKey, keyTable, moveOfKey, type KeyLayout } from './layouts'

const pressed = (layout: KeyLayout, key: string, shiftKey = false, code = '') =>
  moveOfKey(layout, { key, shiftKey, code })

describe('keys', () => {
  test('letters are moves of their name, with Shift counter-clockwise', () => {
    expect(['u', 'r', 'f', 'd', 'l', 'b', 'x', 'm'].map((key) => pressed('letters', key))).toEqual([
      'U',
      'R',
      'F',
      'D',
      'L',
      'B',
      'x',
      'M',
    ])
    expect(pressed('letters', 'R', true)).toBe("R'")
    expect(pressed('letters', 'X', true)).toBe("x'")
    // Caps lock is not Shift.
    expect(pressed('letters', 'R')).toBe('R')
    expect(pressed('letters', 'k')).toBeNull()
  })

  test('csTimer’s keys', () => {
    const moves = [...'ikjfhgdeslwo;a'].map((key) => pressed('cstimer', key))
    expect(moves.join(' ')).toBe("R R' U U' F F' L L' D D' B B' y y'")
    expect(pressed('cstimer', 'ö', false, 'Semicolon')).toBe('y')
    expect(pressed('cstimer', 'I', true)).toBe('R')
    expect(pressed('cstimer', '7')).toBeNull()
  })

  test('each key has a valid move, and each move of a cube is in the displayed list with its keys', () => {
    for (const move of Object.values(cstimer)) expect(readMove(move), move).not.toBeNull()
    for (const layout of ['letters', 'cstimer'] as const) {
      for (const size of [2, 3] as const) {
        const table = keyTable(layout, size)
        for (const { clockwise, counterClockwise } of table) {
          expect(clockwise).not.toBe('')
          expect(counterClockwise).not.toBe('')
        }
      }
    }
    expect(keyTable('cstimer', 2).map(({ move }) => move)).toEqual([...'URFDLBxyz'])
    expect(keyTable('cstimer', 3)).toContainEqual({ move: 'Rw', clockwise: 'U', counterClockwise: 'M' })
    const listed = keyTable('cstimer', 3).flatMap((row) =>
      `${row.clockwise} ${row.counterClockwise}`.split(' '),
    )
    expect(listed.sort()).toEqual(
      Object.keys(cstimer)
        .map((key) => key.toUpperCase())
        .sort(),
    )
  })

  test('undo and redo', () => {
    const key = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
      historyKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })
    expect(key('Backspace')).toBe('undo')
    expect(key('z', { ctrlKey: true })).toBe('undo')
    expect(key('z', { metaKey: true })).toBe('undo')
    expect(key('Z', { ctrlKey: true, shiftKey: true })).toBe('redo')
    expect(key('y', { ctrlKey: true })).toBe('redo')
    expect([key('z'), key('z', { ctrlKey: true, altKey: true }), key('r', { ctrlKey: true })]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('moves of layers', () => {
  test('follow the orientation of the cube', () => {
    const grip = new Grip()
    const face = (text: string) => planned(3, grip, readMove(text)!).layer?.axis
    expect(face('R')).toEqual(faceFrames.R.normal)
    // After y, B is at the right; after a further x, U is at the back.
    grip.rotate(faceFrames.U.normal, -1)
    expect([face('R'), face('F'), face('U')]).toEqual(
      (['B', 'R', 'U'] as const).map((name) => faceFrames[name].normal),
    )
    grip.rotate(faceFrames.R.normal, -1)
    expect(face('B')).toEqual(faceFrames.U.normal)
    expect(grip.isUpright).toBe(false)
    expect(grip.toViewer(grip.toCube([0, 0, 1])).map((n) => n + 0)).toEqual([0, 0, 1])
    grip.rotate(faceFrames.R.normal, 1)
    grip.rotate(faceFrames.U.normal, 1)
    expect(grip.isUpright).toBe(true)
  })

  test('wide turns are the opposite turn and a rotation; only the 3×3×3 has them', () => {
    const wide = readMove("Rw'")!
    expect(planned(3, new Grip(), wide)).toEqual({
      layer: { axis: faceFrames.L.normal, along: 2 },
      quarters: 1,
      whole: { face: 'R', quarters: 3 },
    })
    expect(planned(3, new Grip(), readMove('M')!)).toEqual({
      layer: { axis: faceFrames.L.normal, along: 0 },
      quarters: -1,
      whole: null,
    })
    expect(['Rw', 'M', 'x', 'U'].map((text) => hasLayers(2, readMove(text)!))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(['', 'Q', 'Mw', "x''", 'Rw2'].map(readMove)).toEqual([null, null, null, null, null])
  })
})

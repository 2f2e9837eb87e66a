import { describe, expect, test, vi } from 'vitest'
import { hasLayers, readMove } from '../model/layer-move'
import { stubStorage } from '../../../lib/storage.stub'
import { CubeKeys } from './keys.svelte'
import { cstimer, historyKey, keyGroups, keyTable, moveOfKey, type KeyLayout } from './layouts'

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

  test('the list of the keys has the moves of the cube and the other keys', () => {
    const [moves, others] = keyGroups('letters', 2)
    expect(moves!.bindings[0]).toEqual({ keys: ['u', 'Shift+U'], label: 'U' })
    const x = { keys: ['y', 't', 'n', 'b'], label: 'x' }
    expect(keyGroups('cstimer', 2)[0]!.bindings).toContainEqual(x)
    expect(others!.bindings).toContainEqual({ keys: ['Enter'], label: 'Solve or stop' })
    // Only the key that scrolls a page needs the focus.
    const focused = [...moves!.bindings, ...others!.bindings].filter(({ label }) => /focus/.test(label))
    expect([moves!.title, others!.title]).toEqual(['Cube: clockwise, counter-clockwise', 'Cube'])
    expect(focused.map(({ keys }) => keys)).toEqual([['Home']])
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

test('only the 3×3×3 cube has wide turns and slice turns', () => {
  expect(['Rw', 'M', 'x', 'U'].map((text) => hasLayers(2, readMove(text)!))).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('layout and range of the keys are stored; without a choice, the keys act on the whole page', () => {
  stubStorage()
  const keys = new CubeKeys()
  expect([keys.layout, keys.onPage]).toEqual(['letters', true])
  keys.choose('cstimer')
  keys.onPage = false
  const next = new CubeKeys()
  expect([next.layout, next.onPage]).toEqual(['cstimer', false])
  vi.unstubAllGlobals()
})

import { describe, expect, test } from 'vitest'
import type { GameDoubling, GameTable } from '../../../engine/page/session'
import { move, table } from '../../../../../tests/fixtures/game-table'
import { start } from './checkers'
import { readEntry, stageHint } from './entry'

const person = { kind: 'person' } as const
const computer = { kind: 'random' } as const
const at = (some: Partial<GameTable>) => table(start, { seats: [person, computer], ...some })
const doubling = { can_double: true, cube: 1, owner: null } as unknown as GameDoubling

describe('the field for typed plays', () => {
  test('reads a play against the position before the turn, also after a move on the board', () => {
    const made = readEntry('24/18 13/11', at({ dice: [6, 2] }))
    expect(made).toMatchObject({ kind: 'play', text: 'Enter plays 24/18 13/11.' })
    const moved = table([start[0].map((n, i) => n + Number(i === 18) - Number(i === 24)), start[1]], {
      dice: [6, 2],
      moves: [move(24, 18)],
    })
    expect(readEntry('24/18 13/11', moved).kind).toBe('play')
  })

  test('requires the roll before a play', () => {
    const roll = at({ stage: 'roll' })
    expect(readEntry('24/18', roll)).toEqual({ kind: 'problem', text: 'Roll the dice first: Enter rolls.' })
    expect(readEntry('', roll)).toMatchObject({ kind: 'action', action: 'advance' })
    expect(readEntry('roll', roll)).toMatchObject({ kind: 'action', action: 'roll' })
    expect(readEntry('double', roll).text).toMatch(/^Without a doubling cube/)
    expect(readEntry('Double', at({ stage: 'roll', doubling }))).toMatchObject({ action: 'double' })
    const typed = at({ stage: 'roll', dice_mode: 'by_hand' })
    expect(readEntry('24/18', typed).text).toBe('Enter the roll first, such as 31.')
    expect(readEntry('31', typed)).toMatchObject({ kind: 'command', command: { kind: 'roll', dice: [3, 1] } })
  })

  test('answers a double', () => {
    const doubled = at({ stage: 'doubled', seat: 1 })
    expect(readEntry('take', doubled)).toMatchObject({ kind: 'action', action: 'take' })
    expect(readEntry('drop', doubled)).toMatchObject({ kind: 'action', action: 'pass' })
    expect(readEntry('roll', doubled).text).toBe('Answer the double first: “take” or “pass”.')
  })

  test('says that it is the turn of another player only then', () => {
    const wait = /^Wait for your turn/
    const turns: [Partial<GameTable>, boolean][] = [
      [{ stage: 'computer', seat: 1 }, true],
      [{ stage: 'doubled', seat: 0 }, true],
      [{ stage: 'roll', seat: 1 }, true],
      [{ stage: 'computer', seat: 1, waits: true }, false],
      [{ stage: 'roll', seat: 0 }, false],
      [{ stage: 'roll', seat: 0, dice_mode: 'roll' }, false],
      [{ stage: 'roll', seat: 1, dice_mode: 'by_hand' }, false],
      [{ stage: 'person', seat: 0, dice: [6, 2] }, false],
      [{ stage: 'over' }, false],
      [{ stage: 'computer', seats: [computer, computer] }, false],
    ]
    expect(turns.map(([some]) => wait.test(stageHint(at(some))))).toEqual(turns.map(([, waits]) => waits))
  })

  test('takes a column of Connect Four that is not full', () => {
    const four = at({
      board: { kind: 'connect_four', cells: [], winning: [] },
      targets: [{ from: 2, to: 2, moves: [] }],
    })
    expect(readEntry('3', four)).toMatchObject({ command: { kind: 'move', from: 2, to: 2 } })
    expect(readEntry('4', four)).toEqual({ kind: 'problem', text: 'Column 4 is full: choose another one.' })
    expect(readEntry('8', four).kind).toBe('problem')
  })
})

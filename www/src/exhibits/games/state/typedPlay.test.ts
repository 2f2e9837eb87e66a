import { expect, test } from 'vitest'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { played, start } from '../model/checkers'
import { typedPlayOf } from './typedPlay.svelte'

test('a typed play is made and ends the turn', async () => {
  const { lab, commands } = seated({ dice: [6, 2] })
  const typed = typedPlayOf(lab)
  typed.text = '24/18'
  await typed.submit()
  expect(typed.isRefused).toBe(true)
  expect(commands()).toEqual([])
  typed.text = '24/18 13/11'
  expect(typed.isRefused).toBe(false)
  await typed.submit()
  expect(commands()).toEqual([
    { kind: 'move', from: 24, to: 18 },
    { kind: 'move', from: 13, to: 11 },
    { kind: 'confirm_turn' },
  ])
  expect(typed.text).toBe('')
})

test('moves of the turn on the board are taken back before another play is made', async () => {
  const board = {
    kind: 'backgammon',
    checkers: [[...played(start, 0, 8, 6)[0]], [...start[1]]],
    pips: [0, 0],
  } as const
  const { lab, commands } = seated({
    dice: [6, 2],
    moves: [move(8, 6)],
    board: structuredClone(board) as never,
  })
  const typed = typedPlayOf(lab)
  typed.text = '24/18 13/11'
  await typed.submit()
  expect(commands()).toEqual([
    { kind: 'undo_move' },
    { kind: 'move', from: 24, to: 18 },
    { kind: 'move', from: 13, to: 11 },
    { kind: 'confirm_turn' },
  ])
})

test('Enter in the empty field continues the game, and text waits for its problem to be solved', async () => {
  const { lab, ui, commands } = seated({ stage: 'roll' })
  const typed = typedPlayOf(lab)
  await typed.submit()
  expect(commands()).toEqual([{ kind: 'roll', dice: null }])
  ui.turn = 0
  expect(typed.entry.text).toMatch(/earlier position/)
})

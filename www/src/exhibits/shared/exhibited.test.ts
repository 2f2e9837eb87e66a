import { expect, test } from 'vitest'
import type { Documents, ExperimentInfo, Frame } from '../../engine/page/session'
import { Lab } from '../../state/lab.svelte'
import { cubeOf } from '../cube/state/table.svelte'
import { gameOf } from '../games/state/table.svelte'

const lab = new Lab()
const game = gameOf(lab)
const cubes = cubeOf(lab)

/** Passes documents to the lab as a frame, without a session. */
const show = (documents: object) =>
  (lab as unknown as { show(frame: Frame): void }).show({ arrays: {}, documents: documents as Documents })

/** Sets a running experiment that its own exhibit shows. */
function enter(name: string): void {
  lab.info = { name } as ExperimentInfo
  lab.exhibit = name
}

test('the board of one game never sees the table of another', () => {
  enter('backgammon')
  show({ kind: 'games', table: { stage: 'person' }, analysis: { turn: 0 }, tree: {}, matches: [{}], run: {} })
  expect(game.table).toEqual({ stage: 'person' })
  lab.exhibit = 'connect-four'
  show({ kind: 'games', analysis: { turn: 1 } })
  expect([game.table, game.analysis, game.tree, game.matches, game.run]).toEqual([null, null, null, [], null])
  // After a return to the exhibit, the current state is shown.
  lab.exhibit = 'backgammon'
  expect([game.table, game.analysis]).toEqual([{ stage: 'person' }, { turn: 1 }])
})

test('the two cube experiments have separate tables', () => {
  enter('cube2')
  show({ kind: 'cube', cube: { at: 3 }, exhaustive: {}, run: {} })
  expect(cubes.cube).toEqual({ at: 3 })
  lab.exhibit = 'cube3'
  expect([cubes.cube, cubes.evaluation, cubes.run]).toEqual([null, null, null])
})

test('two labs have a table each', () => {
  const other = new Lab()
  expect(gameOf(other)).not.toBe(game)
  expect(gameOf(other)).toBe(gameOf(other))
  enter('backgammon')
  show({ kind: 'games', table: { stage: 'person' } })
  other.info = lab.info
  other.exhibit = 'backgammon'
  expect([game.table, gameOf(other).table]).toEqual([{ stage: 'person' }, null])
})

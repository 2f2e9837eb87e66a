import { expect, test } from 'vitest'
import type { Board } from './draw/board'
import { QuarterGrowth, quarterOf } from './growth'

const board = (...rows: string[]): Board => ({
  width: rows[0]!.length,
  height: rows.length,
  channels: 1,
  data: Uint8Array.from([...rows.join('')], (cell) => (cell === '#' ? 255 : 0)),
})

test('a board is cut into quarters', () => {
  const whole = board('#.#', '..#', '##.')
  const cut = [0, 1, 2, 3].map((quarter) => quarterOf(whole, quarter))
  expect(cut).toEqual([board('#'), board('.#'), board('.', '#'), board('.#', '#.')])
})

test('a quarter is complete after its last wrong board', () => {
  const growth = new QuarterGrowth()
  const target = board('##', '##')
  growth.update(0, board('.#', '..'), target)
  growth.update(1, board('#.', '..'), target)
  growth.update(4, board('##', '.#'), target)
  growth.update(5, board('##', '##'), target)
  expect(growth.steps).toEqual([1, 2, 5, 2])
  // The page shows another channel.
  growth.update(6, null, target)
  expect(growth.steps).toEqual([7, 7, 7, 7])
  // A reset board grows again.
  growth.update(0, board('##', '#.'), target)
  expect(growth.steps).toEqual([0, 0, 0, 1])
})

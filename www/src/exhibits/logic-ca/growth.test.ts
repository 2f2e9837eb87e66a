import { expect, test } from 'vitest'
import type { Board } from './draw/board'
import { QuarterGrowth } from './growth'

const board = (...rows: string[]): Board => ({
  width: rows[0]!.length,
  height: rows.length,
  channels: 1,
  data: Uint8Array.from([...rows.join('')], (cell) => (cell === '#' ? 255 : 0)),
})

test('a middle row or column belongs to the quarters after it', () => {
  const target = board('...', '...', '...')
  const wrongIn = (wrong: Board) => {
    const growth = new QuarterGrowth()
    growth.update(0, wrong, target)
    return growth.steps
  }
  expect(wrongIn(board('#..', '...', '...'))).toEqual([1, 0, 0, 0])
  expect(wrongIn(board('.#.', '...', '...'))).toEqual([0, 1, 0, 0])
  expect(wrongIn(board('...', '#..', '...'))).toEqual([0, 0, 1, 0])
  expect(wrongIn(board('...', '.#.', '...'))).toEqual([0, 0, 0, 1])
})

test('the cells of a board of another size are not read, since it can have a million of them', () => {
  const large = {
    ...{ width: 1024, height: 1024, channels: 1 },
    get data(): Uint8Array {
      throw new Error('the cells were read')
    },
  }
  const growth = new QuarterGrowth()
  growth.update(3, large, board('##', '##'))
  expect(growth.steps).toEqual([4, 4, 4, 4])
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

import { expect, test, vi } from 'vitest'
import { dropped, empty, rows } from './connect-four/cells'
import { boardPicture as connectFour, type BoardColors as FourColors } from './connect-four/picture'
import { boardPicture as backgammon, type BoardColors } from './backgammon/picture'
import { BAR, OFF, cleared, start, type Checkers } from './model/checkers'
import { boardFile } from './model/boardFile'

vi.mock('../../state/theme.svelte', () => ({ theme: { reducedMotion: false } }))

/** Colors whose names tell the parts of a picture apart. */
const colors = new Proxy({}, { get: (_, name) => String(name) }) as BoardColors & FourColors

const position = {
  ...{ checkers: start, dice: [], roller: 0 as const, numbering: 0 as const, cube: null, plays: [] },
  ...{ names: ['Ann & Bo', 'Cem'] as const, decision: 'Ann & Bo to play 3-1', match: '', id: '' },
}
const count = (text: string, part: string) => text.split(part).length - 1
const texts = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text)

test('a picture of backgammon has all checkers, points, dice, the cube, names and pips', () => {
  const { text, width, height } = backgammon(
    {
      ...position,
      ...{ id: 'abc', match: 'Match to 7: Ann & Bo 3, Cem 2.' },
      dice: [
        { value: 3, spent: false },
        { value: 1, spent: true },
      ],
      cube: { value: 4, owner: 1, offered: false },
    },
    colors,
  )
  expect(text).toContain(`width="${width}" height="${height}"`)
  // Fifteen checkers, and the disc beside the name.
  expect(count(text, 'fill="mine"') - 2).toBe(16)
  expect(count(text, 'fill="theirs"')).toBe(16)
  expect(count(text, 'fill="point"') + count(text, 'fill="pointDark"')).toBe(24)
  expect(count(text, 'fill="mineText"')).toBe(4)
  expect(count(text, 'opacity="0.28"')).toBe(2)
  const shown = texts(text)
  expect(shown).toEqual(expect.arrayContaining(['Ann &amp; Bo', 'Cem', '167 pips', '24', '4']))
  expect(shown.slice(-3)).toEqual([
    'Ann &amp; Bo to play 3-1',
    'Match to 7: Ann &amp; Bo 3, Cem 2.',
    'Position ID abc',
  ])
})

test('a picture of backgammon has borne-off checkers, counted stacks and the arrows of plays', () => {
  const [own, theirs] = cleared.map((side) => [...side]) as [number[], number[]]
  Object.assign(own, { [OFF]: 8, 6: 7 })
  Object.assign(theirs, { [OFF]: 11, [BAR]: 4 })
  const play = { key: '6/3', seat: 0, paths: [[6, 3]], weight: 1, kind: 'mistake' } as const
  const { text } = backgammon({ ...position, checkers: [own, theirs] as Checkers, plays: [play] }, colors)
  expect(texts(text)).toEqual(expect.arrayContaining(['7', '4', '42 pips', '100 pips']))
  // The shaft and the head of the arrow.
  expect(count(text, '"bad"')).toBe(2)
  expect(text).not.toContain('NaN')
})

test('a picture of Connect Four has the stones, the row of four, and the marks of a plan', () => {
  const cells = [3, 2, 3, 2, 3, 2, 3].reduce((all, column, i) => dropped(all, column, i % 2), empty)
  const winning = [0, 1, 2, 3].map((row) => rows * 3 + row)
  const board = {
    ...{ cells, winning, last: rows * 3 + 3, seat: 1, worth: [], proposed: null, threats: [], planned: [] },
    ...{ names: ['You', 'Network'] as const, decision: 'You win.', id: '4343434' },
  }
  const { text } = connectFour(board, colors)
  expect(count(text, 'fill="mine"') - 1).toBe(4)
  expect(count(text, 'fill="theirs"') - 1).toBe(3)
  expect(count(text, 'fill="ground"') - 1).toBe(42 - 7)
  expect(count(text, '<line')).toBe(1)
  expect(texts(text)).toEqual(expect.arrayContaining(['7', 'You win.', 'Columns of the moves: 4343434']))
  const plan = {
    ...{ ...board, winning: [], proposed: rows * 2 + 3, threats: [rows * 2 + 4] },
    worth: [{ column: 2, text: '61', best: true }],
  }
  const planned = connectFour(plan, colors).text
  expect(count(planned, 'theirsProposed')).toBe(1)
  expect(count(planned, 'stroke-dasharray')).toBe(1)
  expect(texts(planned)).toContain('61')
})

test('the file name has the position ID if that is legal', () => {
  expect(boardFile('backgammon', '4HPwATDgc/ABMA:cAkAAAAAAAAA')).toBe('backgammon-board')
  expect(boardFile('backgammon', 'sGfwATDgc+ABMA:cAkAAAAAAAAA')).toBe('backgammon-sGfwATDgc+ABMA')
  expect(boardFile('connect-four', '4433')).toBe('connect-four-4433')
  for (const id of [null, '']) expect(boardFile('connect-four', id)).toBe('connect-four-board')
})

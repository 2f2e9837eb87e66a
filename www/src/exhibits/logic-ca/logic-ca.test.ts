import { describe, expect, test } from 'vitest'
import { fit, type Board } from './draw/board'
import { color, mix, palette } from './draw/palette'
import { loadExperiments } from '../../engine/page/session'
import { bits, blank, board, fromText, line, placed, toText, type Drawing } from './drawing'
import { noSkill } from './curves'
import { explanation } from './explanation'
import { epochsOf, percent } from './figures'
import { cases, livingNeighborhoods, neighborhoodAt, nextCells, rule, ruleViolations } from './game-of-life'
import { openingSpeeds } from './speed'
import { pattern } from './target-patterns'
import { get } from '../../state/config'
import { parseRoute, resolve, shortHash } from '../../state/route'
import { startHash } from '../../worlds'

/** Converts a board to a drawing; values are rounded. */
function ofBoard({ width, height, channels, data }: Board): Drawing {
  const made = blank(width, height, channels === 3 ? 3 : 1)
  for (let i = 0; i < made.cells.length; i++) {
    for (let c = 0; c < made.channels; c++) if (data[i * channels + c]! > 127) made.cells[i]! |= 1 << c
  }
  return made
}

test('the page opens a small board, whose training begins slowly', async () => {
  const about = (await loadExperiments()).find(({ name }) => name === 'logic-ca')!
  const route = parseRoute(startHash('logic-ca'))
  const read = route.page === 'exhibit' ? resolve(about, route.settings) : null
  if (!read?.ok) return expect.fail('the link is invalid')
  expect(openingSpeeds(read.config).at(-1)).toBe('max')
  expect(openingSpeeds(about.defaults)).toEqual([])
})

test('a link without a run opens the small board; a link with a seed or settings opens the board that it names', async () => {
  const about = (await loadExperiments()).find(({ name }) => name === 'logic-ca')!
  const widthOf = (hash: string) => {
    const route = parseRoute(hash)
    const read = route.page === 'exhibit' ? resolve(about, route.settings) : null
    return read?.ok ? get(read.config, 'task.width') : null
  }
  for (const bare of ['#/logic-ca', '#/logic-ca?guide=5', '#/logic-ca?projector=1'])
    expect(widthOf(bare)).toBe(8)
  const named = ['#/logic-ca?seed=1', '#/logic-ca?task.steps=19', '#/logic-ca?preset=checkerboard']
  for (const link of [...named, shortHash(about, about.defaults, 1)]) expect(widthOf(link)).toBe(16)
})

test('the explanation of the boards follows the training', () => {
  const at = (accuracy: number | undefined, start = 'random') =>
    explanation({ start, steps: 20, accuracy, change: { changed: 33, all: 3040 } })
  expect(at(undefined)).toMatch(
    /^Left: the mixture .* Middle: the circuit .* begins from random bits; after 20 steps/,
  )
  expect(at(0.5)).toMatch(/So far 33 of 3,040 gates have changed/)
  expect(at(0.8)).toMatch(/Watch for the pattern/)
  expect(at(0.93)).toMatch(/computes 93\.0 % of the cells/)
  expect(at(1)).toMatch(/Damage its board/)
  expect(at(1, 'seed')).toMatch(/begins from a single cell/)
  expect(at(0.5, 'neighborhoods')).toMatch(/one neighborhood of Conway/)
})

describe('colors of cells', () => {
  const look = palette(345, 'dark', 3)

  test('three channels map to the corners of the color cube', () => {
    for (const [i, [r, g, b]] of look.corners.entries()) {
      const word = mix(look.corners, i & 1 ? 255 : 0, i & 2 ? 255 : 0, i & 4 ? 255 : 0)
      expect([word & 255, (word >> 8) & 255, (word >> 16) & 255, word >>> 24]).toEqual([r, g, b, 255])
      const cell = Uint8Array.from([1, 2, 4], (bit) => (i & bit ? 255 : 0))
      const out = new Uint32Array(1)
      color(cell, 3, look, out)
      expect(out[0]).toBe(word)
    }
  })

  test('one channel maps to the color ramp', () => {
    const out = new Uint32Array(3)
    color(Uint8Array.of(0, 128, 255), 1, look, out)
    expect([...out]).toEqual([look.ember[0], look.ember[128], look.ember[255]])
  })
})

describe('figures', () => {
  test('only an exact share of 1 is shown as 100', () => {
    expect([1, 0.96875, 0.99999, 0.5].map(percent)).toEqual(['100', '96.9', '99.9', '50.0'])
  })

  test('epochs are shown as gradient descent + local search', () => {
    const config = (epochs: number, local_search_epochs: number) => ({
      learning: { epochs, local_search_epochs },
    })
    expect(epochsOf(config(3000, 1000), 4000)).toBe('4,000 (1,000 of local search)')
    expect(epochsOf(config(6000, 0), 6000)).toBe('6,000')
    expect(epochsOf({}, 4000)).toBe('4.00\u00a0k')
  })
})

test('a board is fitted with whole pixels, centered', () => {
  expect(fit({ width: 16, height: 16 }, { width: 330, height: 400 })).toEqual({ x: 5, y: 40, scale: 20 })
  expect(fit({ width: 1000, height: 500 }, { width: 500, height: 500 })).toEqual({ x: 0, y: 125, scale: 0.5 })
})

const experiments = await loadExperiments()

describe('drawings', () => {
  const worlds = experiments.map(({ world }) => world)
  const targets = worlds.flatMap((world) => (world.kind === 'logic_ca' ? world.targets : []))
  const [letter, lizard] = [pattern(targets, 'letter', 1, 1), pattern(targets, 'lizard', 1, 1)]
  const checkerboard = (width: number, height: number) => pattern(targets, 'checkerboard', width, height)

  test('templates match the built-in targets', () => {
    expect([letter.width, letter.height, letter.channels]).toEqual([16, 16, 3])
    expect([...letter.cells.slice(16, 20)]).toEqual([0, 5, 5, 5])
    expect([lizard.width, lizard.height, lizard.channels]).toEqual([20, 20, 1])
    expect([...checkerboard(5, 3).cells]).toEqual([0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1])
    expect(pattern(targets, 'dragon', 2, 1)).toEqual(blank(2, 1, 1))
  })

  test('convert to boards', () => {
    for (const drawing of [letter, lizard, checkerboard(6, 4)]) {
      expect(ofBoard(board(drawing))).toEqual(drawing)
      expect(bits(drawing).length).toBe(drawing.channels * drawing.width * drawing.height)
    }
  })

  test('survive a round trip through text', () => {
    for (const drawing of [letter, lizard, checkerboard(7, 3)])
      expect(fromText(toText(drawing))).toEqual(drawing)
    expect(toText({ width: 2, height: 1, channels: 1, cells: Uint8Array.of(1, 0) })).toBe('2x1x1:8')
    for (const text of ['', 'lizard', '2x1x1:', '2x1x2:8', '2x1x1:88', '0x1x1:'])
      expect(fromText(text)).toBeNull()
  })

  test('are centered on larger boards and clipped on smaller ones', () => {
    const larger = placed(lizard, 24, 24, 1)
    expect(larger.cells.reduce((a, b) => a + b)).toBe(lizard.cells.reduce((a, b) => a + b))
    expect(placed(larger, 20, 20, 1)).toEqual(lizard)
    expect(placed(letter, 16, 16, 1).cells.every((cell) => cell <= 1)).toBe(true)
    expect(Math.max(...placed(lizard, 20, 20, 3).cells)).toBe(7)
  })

  test('lines have no holes and are clipped', () => {
    const drawn = line(blank(8, 8, 3), [-2, 0], [7, 7], 5)
    for (let column = 1; column < 8; column++) {
      const cells = Array.from({ length: 8 }, (_, row) => drawn.cells[row * 8 + column])
      expect(cells).toContain(5)
    }
  })
})

describe('life', () => {
  test('the cell is alive next in 140 of 512 neighborhoods', () => {
    expect([livingNeighborhoods, cases]).toEqual([140, 512])
  })

  test('the identity circuit violates the rule where the rule changes the cell', () => {
    const keeps = {
      gates: Float32Array.of(3, 4, 0, -1),
      outputs: Float32Array.of(9),
      version: 1,
      before: 1,
      after: 1,
    }
    const answer = nextCells(keeps)
    for (const [n, bit] of answer.entries()) expect(bit).toBe((n >> 4) & 1)
    for (const [n, broken] of ruleViolations(answer).entries()) {
      expect(broken === 1).toBe(rule(n) !== (((n >> 4) & 1) === 1))
    }
  })

  test('neighborhoods wrap around or end at the edge', () => {
    const cells = { width: 3, height: 3, channels: 1, data: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 255) }
    expect(neighborhoodAt(cells, 0, 0, true)).toBe(1)
    expect(neighborhoodAt(cells, 0, 0, false)).toBe(0)
    expect(neighborhoodAt(cells, 2, 2, false)).toBe(16)
  })
})

test('the curve of the accuracy has a line at the accuracy of an empty board', () => {
  expect(noSkill(0.5)).toEqual({ at: 0.5, label: 'no skill, 50 %' })
  expect(noSkill(1 - 140 / 512)?.label).toBe('no skill, 72.7 %')
  expect(noSkill(null)).toBeNull()
})

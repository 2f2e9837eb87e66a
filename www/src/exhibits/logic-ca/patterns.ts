/** Pictures to begin a drawing with: those that the presets learn. */
import type { Drawing } from './drawing'

const lizardRows = [
  '....................',
  '.........##.........',
  '........####........',
  '.##.....####.....##.',
  '..##.....##.....##..',
  '...##...####...##...',
  '....############....',
  '.....##########.....',
  '.......######.......',
  '.......######.......',
  '.......######.......',
  '.....##########.....',
  '....############....',
  '...##...####...##...',
  '..##....####....##..',
  '.##......###.....##.',
  '..........##........',
  '...........##...#...',
  '............####....',
  '....................',
]

const letterRows = [
  '................',
  '.MMM........YYY.',
  '.MMM........YYY.',
  '..MMM......YYY..',
  '..RMM......YYG..',
  '...RRR....GGG...',
  '...RRR....GGG...',
  '...BRR....GGC...',
  '....BBB..CCC....',
  '....BBB..CCC....',
  '.....BBBCCC.....',
  '.....BBBCCC.....',
  '......WWWW......',
  '......WWWW......',
  '.......WW.......',
  '................',
]

function pattern(rows: readonly string[], channels: 1 | 3, colours: string): Drawing {
  return {
    width: rows[0]!.length,
    height: rows.length,
    channels,
    cells: Uint8Array.from(rows.join(''), (letter) => Math.max(0, colours.indexOf(letter))),
  }
}

export const lizard = pattern(lizardRows, 1, '.#')

/** In the order of `red + 2·green + 4·blue`. */
export const letter = pattern(letterRows, 3, '.RGYBMCW')

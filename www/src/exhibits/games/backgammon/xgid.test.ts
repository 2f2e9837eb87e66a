import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { xgidOf } from './xgid'

/** Returns the XGID with the players exchanged. */
function exchanged(xgid: string): string {
  const [places, cube, owner, turn, dice, bottom, top, ...rest] = xgid.replace('XGID=', '').split(':')
  const swapCase = (place: string): string =>
    /[a-z]/.test(place) ? place.toUpperCase() : place.toLowerCase()
  const other = (player: string): string => String(-Number(player) + 0)
  const swapped = [...places!].reverse().map(swapCase).join('')
  return `XGID=${[swapped, cube, other(owner!), other(turn!), dice, top, bottom, ...rest].join(':')}`
}

test('converts the IDs that GNU Backgammon has written for XGIDs', () => {
  const recorded = readFileSync('crates/envs/tests/fixtures/gnubg_doubling.txt', 'utf8').trim().split('\n')
  expect(recorded.length).toBeGreaterThan(100)
  // In GNU Backgammon the bottom player is player 1; in this program the bottom player is player 0.
  for (const line of recorded) {
    const [xgid, position, match] = line.split(' ')
    expect(xgidOf(`${position}:${match}`)).toBe(exchanged(xgid!))
  }
})

test('converts rolls, owners of the doubling cube and scores', () => {
  // The example of GNU Backgammon's manual: 2 to 4 in a match to 9, player 0 owns a doubling cube of 2, player 1 has
  // rolled 5-2.
  expect(xgidOf('4HPwATDgc/ABMA:QYkqASAAIAAA')).toBe('XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:2:4:0:9:10')
  expect(xgidOf('4HPwATDgc/ABMA:cAkAAAAAAAAA')).toBe('XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:1:0:10')
})

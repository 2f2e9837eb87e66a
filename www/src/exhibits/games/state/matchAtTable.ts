/** The match at the table, for its list of moves, its analysis and its records. */
import type { PlayedMatch } from '../../../engine/page/session'
import type { Lab } from '../../../state/lab.svelte'
import { namesOf, withoutSearch } from '../model/players'
import { shippedOf } from './shipped.svelte'
import { gameOf } from './table.svelte'

/** Returns the match at the table so far; null without a turn, or if the game began at a position that was set up. */
export function matchAtTable(lab: Lab): PlayedMatch | null {
  const { table, run, log } = gameOf(lab)
  if (!table) return null
  const [first, second] = namesOf(table, shippedOf(lab).named(run?.players ?? [])).map(withoutSearch)
  const names: [string, string] =
    first === second ? [`${first} (below)`, `${second} (above)`] : [first!, second!]
  return log.match(table, names)
}

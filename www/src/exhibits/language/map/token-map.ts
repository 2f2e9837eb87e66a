/** Numbers and text alternative of the map of the token embeddings. */
import type { LanguageTokenKind } from '../../../engine/page/session'
import type { Table } from '../../../lib/csv'
import { visibleText } from '../model/tokenText'
import type { TokenMap } from '../state/language.svelte'

/** Returns a row for each token on the map. */
export function tokenTable({ tokens, kinds, counts, positions }: TokenMap): Table {
  return {
    token: tokens.map(visibleText),
    kind: kinds,
    'fraction of the text': counts,
    x: tokens.map((_, i) => positions[2 * i]!),
    y: tokens.map((_, i) => positions[2 * i + 1]!),
  }
}

/** Number of tokens that are named at each side of the map. */
const named = 3

/** Says how many tokens of each kind the map has, and which ones are at its sides. `kinds`: the names of the kinds. */
export function tokenMapText(
  map: TokenMap | null,
  kinds: readonly { kind: LanguageTokenKind; label: string }[],
): string {
  if (!map) return 'Map of the token embeddings: no model yet.'
  const counts = kinds.flatMap(({ kind, label }) => {
    const count = map.kinds.filter((one) => one === kind).length
    return count > 0 ? [`${label} ${count}`] : []
  })
  const order = map.tokens.map((_, i) => i)
  const ends = [
    { axis: 0, names: ['left', 'right'] },
    { axis: 1, names: ['bottom', 'top'] },
  ].flatMap(({ axis, names }) => {
    const along = order.toSorted((a, b) => map.positions[2 * a + axis]! - map.positions[2 * b + axis]!)
    return [along.slice(0, named), along.slice(-named)].map(
      (tokens, i) => `${names[i]}: ${tokens.map((token) => visibleText(map.tokens[token]!)).join(' ')}`,
    )
  })
  return `Map of the ${map.tokens.length} most frequent tokens by their embeddings (${counts.join(', ')}). At the ${ends.join('; ')}.`
}

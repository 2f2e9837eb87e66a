/** The part of a search that is unfolded, laid out from left to right: a column for each move, the best way on top. */
import type { GameNode, GameTree } from '../../../engine/page/session'

export interface Twig {
  node: GameNode
  /** Branches from the root. */
  way: readonly number[]
  key: string
  column: number
  /** Place from the top, in rows. */
  row: number
  /** Of the one before it; null for the root. */
  parentRow: number | null
  /** Share of the root's simulations. */
  share: number
  /** Whether its branches are shown. */
  open: boolean
}

export interface Laid {
  twigs: Twig[]
  rows: number
  columns: number
}

export const wayKey = (way: readonly number[]): string => way.join('.')

export function layOut(tree: GameTree): Laid {
  const { nodes } = tree
  const root = nodes[0]
  if (!root) return { twigs: [], rows: 0, columns: 0 }
  const children = nodes.map(() => [] as number[])
  for (let i = 1; i < nodes.length; i++) children[nodes[i]!.parent]?.push(i)
  const twigs: Twig[] = []
  let columns = 0
  /** Lays a node out with its first row at `row`; gives the first row that is free after it. */
  const lay = (at: number, way: readonly number[], row: number, parentRow: number | null): number => {
    const node = nodes[at]!
    const below = children[at]!
    twigs.push({
      node,
      way,
      key: wayKey(way),
      column: way.length,
      row,
      parentRow,
      share: root.visits > 0 ? node.visits / root.visits : 0,
      open: below.length > 0,
    })
    columns = Math.max(columns, way.length + 1)
    let next = row
    for (const child of below) next = lay(child, [...way, nodes[child]!.branch], next, row)
    return Math.max(next, row + 1)
  }
  const rows = lay(0, [], 0, null)
  return { twigs, rows, columns }
}

/** The ways along the best branches, `depth` long: what a search looks at most. */
export function bestLine(tree: GameTree, depth: number): number[][] {
  const line: number[][] = []
  let [at, way] = [0, [] as number[]]
  while (line.length < depth) {
    const child = tree.nodes.findIndex((node, i) => i > 0 && node.parent === at)
    if (child < 0) break
    way = [...way, tree.nodes[child]!.branch]
    line.push(way)
    at = child
  }
  return line
}

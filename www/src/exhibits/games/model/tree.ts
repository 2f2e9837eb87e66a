/** Layout of the unfolded part of a search tree: a column for each move; the principal variation is on top. */
import type { Table } from '../../../lib/csv'
import { number } from '../../../lib/format'
import type { GameNode, GameTree } from '../../../engine/page/session'

export interface PlacedNode {
  node: GameNode
  /** Branch indices from the root to the node. */
  path: readonly number[]
  key: string
  column: number
  /** Row, from 0 at the top. */
  row: number
  /** Row of the parent; null for the root. */
  parentRow: number | null
  /** Seat that makes the move; null for the root and for rolls. */
  mover: number | null
  /** Share of the root's simulations, 0 to 1. */
  share: number
  /** Whether the children of the node are shown. */
  open: boolean
}

export interface TreeLayout {
  placed: PlacedNode[]
  rows: number
  columns: number
}

/** Text sizes and the box of a tree, CSS pixels. */
export interface TreeBox {
  /** Font size. */
  em: number
  /** Returns the text of a node's move. */
  move: (node: GameNode) => string
  /** Returns the text of a node's equity. */
  equity: (node: GameNode) => string
  /** Width of the links between two columns. */
  linkWide: number
  /** Width of the box beside the root. */
  room: number
  /** Width of the fading edge of a tree that is wider than its box. */
  fade: number
}

/** Width of a character of a move and of a digit, in em, not less than in the font of the page. */
const [letter, digit] = [0.55, 0.55]

/**
 * Returns the widths of the columns of moves, in CSS pixels: wide enough for the longest move and for the visits and equity of
 * each row. In a box that is too narrow for all columns, the columns that fit fill the box.
 */
export function columnWidths({ placed, columns }: TreeLayout, box: TreeBox): number[] {
  const { em, move, equity, linkWide, room, fade } = box
  const widths = Array.from({ length: Math.max(0, columns - 1) }, (_, i) => {
    const nodes = placed.flatMap(({ column, node }) => (column === i + 1 ? [node] : []))
    const longest = (lengths: number[]) => Math.max(1, ...lengths)
    const moveWide = letter * longest(nodes.map((node) => move(node).length))
    const visits = Math.max(
      // The head of the column.
      2.5,
      digit * longest(nodes.map(({ visits }) => visits.toLocaleString('en').length)),
    )
    const equityWide = Math.max(2.9, digit * longest(nodes.map((node) => equity(node).length)))
    // Dot, three gaps and the padding.
    return Math.ceil(em * (moveWide + visits + equityWide)) + 9 + 3 * 6 + 12 + linkWide
  })
  let [fit, used] = [0, 0]
  while (fit < widths.length && used + widths[fit]! <= room - (fit < widths.length - 1 ? fade : 0))
    used += widths[fit++]!
  if (fit === 0 || fit === widths.length) return widths
  const spare = Math.floor((room - fade - used) / fit)
  return widths.map((width, i) => (i < fit ? width + spare : width))
}

export const pathKey = (path: readonly number[]): string => path.join('.')

export function layOut(tree: GameTree): TreeLayout {
  const { nodes } = tree
  const root = nodes[0]
  if (!root) return { placed: [], rows: 0, columns: 0 }
  const children = nodes.map(() => [] as number[])
  for (let i = 1; i < nodes.length; i++) children[nodes[i]!.parent]?.push(i)
  const placed: PlacedNode[] = []
  /** Next free row of each column. */
  const free: number[] = []
  /**
   * Adds a node and its subtree. The rows of a column have no gaps for the subtrees beside them, so that the alternatives to
   * a move are next to it. Links do not cross, because the children of a column have the order of their parents.
   */
  const place = (at: number, path: readonly number[], parentRow: number | null): void => {
    const node = nodes[at]!
    const column = path.length
    const row = Math.max(free[column] ?? 0, parentRow ?? 0)
    free[column] = row + 1
    placed.push({
      node,
      path,
      key: pathKey(path),
      column,
      row,
      parentRow,
      mover: at > 0 && nodes[node.parent]!.kind === 'decision' ? nodes[node.parent]!.seat : null,
      share: root.visits > 0 ? node.visits / root.visits : 0,
      open: children[at]!.length > 0,
    })
    for (const child of children[at]!) place(child, [...path, nodes[child]!.branch], row)
  }
  place(0, [], null)
  return { placed, rows: Math.max(...free), columns: free.length }
}

/** Returns the nodes from the first move to a node, by its path. */
export function lineTo({ placed }: TreeLayout, path: readonly number[]): PlacedNode[] {
  const known = new Map(placed.map((item) => [item.key, item]))
  return path.flatMap((_, i) => known.get(pathKey(path.slice(0, i + 1))) ?? [])
}

/** Returns a row for each node that is shown, after its parent. Equities are from the view of the seat to move at the root. */
export function treeTable({ placed }: TreeLayout): Table {
  const known = new Map(placed.map((item) => [item.key, item.node.text]))
  const line = ({ path }: PlacedNode) =>
    path.map((_, i) => known.get(pathKey(path.slice(0, i + 1))) ?? '').join(' > ')
  return {
    line: placed.map(line),
    depth: placed.map(({ column }) => column),
    move: placed.map(({ node }) => node.text),
    kind: placed.map(({ node }) => node.kind),
    visits: placed.map(({ node }) => node.visits),
    prior: placed.map(({ node }) => node.prior),
    equity: placed.map(({ node }) => node.equity),
  }
}

/** Returns the indices of the first `depth` nodes of the principal variation, as far as it is unfolded. */
function principalVariation({ nodes }: GameTree, depth: number): number[] {
  const line: number[] = []
  while (line.length < depth) {
    const child = nodes.findIndex(({ parent }, i) => i > 0 && parent === (line.at(-1) ?? 0))
    if (child < 0) break
    line.push(child)
  }
  return line
}

/** Returns the paths to the first `depth` nodes of the principal variation. */
export function bestLine(tree: GameTree, depth: number): number[][] {
  const branches = principalVariation(tree, depth).map((at) => tree.nodes[at]!.branch)
  return branches.map((_, i) => branches.slice(0, i + 1))
}

/**
 * Returns the number of nodes of the principal variation if the game ends within its first `depth` nodes, and 0 if it does not;
 * null while they are not unfolded.
 */
export function endOf(tree: GameTree, depth: number): number | null {
  const line = principalVariation(tree, depth)
  const last = tree.nodes[line.at(-1) ?? 0]
  if (last?.kind === 'over') return line.length
  return line.length === depth || last?.children === 0 ? 0 : null
}

/** Describes a node for screen readers, after its text, visits and equity. */
export function describeNode(node: GameNode): string {
  const side = `the side ${node.seat === 1 ? 'above' : 'below'} plays`
  const next = { decision: side, chance: 'a roll follows', over: 'the game ends' }[node.kind]
  return `; first sight ${number(100 * node.prior, 1)} %; then ${next}`
}

/** Distribution of the simulations over the moves at the root. */
export interface RootVisits {
  /** Simulations that continued with a move. */
  all: number
  /** Simulations of the most visited move. */
  most: number
  /** Number of visited moves. */
  moves: number
}

/** Returns the distribution of the simulations at the root; null before the first. */
export function rootVisits({ nodes }: GameTree): RootVisits | null {
  const [root, first] = nodes
  return root && first && first.parent === 0
    ? { all: root.visits, most: first.visits, moves: root.children }
    : null
}

import { describe, expect, test } from 'vitest'
import type { GameNode, GameTree } from '../../../engine/page/session'
import { bestLine, endOf, layOut, rootVisits } from './tree'

describe('the tree', () => {
  const node = (parent: number, branch: number, visits: number): GameNode => ({
    parent,
    branch,
    visits,
    text: '',
    kind: 'decision',
    seat: 0,
    prior: 1,
    equity: 0,
    children: 0,
  })
  const tree: GameTree = {
    turn: 0,
    size: 9,
    capacity: 99,
    nodes: [
      { ...node(0, 0, 100), children: 2 },
      node(0, 3, 70),
      node(0, 1, 20),
      node(1, 5, 40),
      node(1, 2, 30),
      node(3, 0, 9),
    ],
  }

  test('places the best line on top, and the alternatives to each move next to it', () => {
    const { placed, rows, columns } = layOut(tree)
    expect(placed.map(({ key }) => key)).toEqual(['', '3', '3.5', '3.5.0', '3.2', '1'])
    expect(placed.map(({ row }) => row)).toEqual([0, 0, 0, 0, 1, 1])
    expect([rows, columns]).toEqual([2, 4])
    expect(placed.find(({ key }) => key === '1')).toMatchObject({ share: 0.2, parentRow: 0, open: false })
    expect(new Set(placed.map(({ row, column }) => `${row},${column}`)).size).toBe(placed.length)
    expect(layOut({ ...tree, nodes: [] }).placed).toEqual([])
  })

  test('counts the simulations of the most visited move', () => {
    expect(rootVisits(tree)).toEqual({ all: 100, most: 70, moves: 2 })
    expect(rootVisits({ ...tree, nodes: tree.nodes.slice(0, 1) })).toBeNull()
  })

  test('unfolds along the most visited nodes', () => {
    expect(bestLine(tree, 2)).toEqual([[3], [3, 5]])
    expect(bestLine(tree, 9)).toEqual([[3], [3, 5], [3, 5, 0]])
    expect(bestLine({ ...tree, nodes: [] }, 3)).toEqual([])
  })

  test('counts the moves of a best line that ends the game', () => {
    const over = (at: number): GameTree => ({
      ...tree,
      nodes: tree.nodes.map((node, i) => (i === at ? { ...node, kind: 'over' } : node)),
    })
    const unfolded = (at: number, children: number): GameTree => ({
      ...tree,
      nodes: tree.nodes.map((node, i) => (i === at ? { ...node, children } : node)),
    })
    expect(endOf(over(5), 6)).toBe(3)
    // A finished game beside the best line, or after its first nodes.
    expect([endOf(over(4), 6), endOf(over(5), 2)]).toEqual([0, 0])
    // The children of the last node are not unfolded yet.
    expect(endOf(unfolded(5, 2), 6)).toBeNull()
    expect(endOf({ ...tree, nodes: [] }, 6)).toBeNull()
  })
})

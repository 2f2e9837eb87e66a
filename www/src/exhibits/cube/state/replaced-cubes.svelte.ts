/** Undo and redo of commands that replace the cube, such as a random state: the cubes before and after them. */
import type { CubeTable } from '../../../engine/page/session'
import { inverseMove, moved, readMove } from '../model/layer-move'

/** A cube with its history, from which it can be set up again. */
export interface StoredCube {
  /** Stickers before the history. */
  first: string
  turns: CubeTable['history']
  /** Number of turns that are applied. */
  at: number
}

/** Returns a copy of the cube; null if its history cannot be read. */
export function storedCube({
  stickers,
  history,
  at,
}: Pick<CubeTable, 'stickers' | 'history' | 'at'>): StoredCube | null {
  let first = stickers
  for (const { turn: text } of history.slice(0, at).reverse()) {
    const move = readMove(text)
    if (!move) return null
    first = moved(first, inverseMove(move))
  }
  return { first, turns: history, at }
}

const writtenTurns = ({ turns }: StoredCube): string => turns.map(({ turn }) => turn).join()

const equal = (a: StoredCube, b: StoredCube): boolean =>
  a.first === b.first && writtenTurns(a) === writtenTurns(b)

export class ReplacedCubes {
  private past = $state.raw<readonly StoredCube[]>([])
  /** Cubes that were undone, newest last, each with the cube that took its place. */
  private future = $state.raw<readonly { cube: StoredCube; before: StoredCube }[]>([])

  /** Maximum number of cubes that can be restored. */
  constructor(private readonly limit = 50) {}

  get canUndo(): boolean {
    return this.past.length > 0
  }

  /** Returns whether an undone cube can be restored: only while no other turns were made. */
  canRedo(now: StoredCube): boolean {
    const newest = this.future.at(-1)
    return newest !== undefined && equal(newest.before, now)
  }

  /** Stores the cube that a command is about to replace. */
  replace(before: StoredCube): void {
    this.past = [...this.past, before].slice(-this.limit)
    this.future = []
  }

  /** Returns the cube before the last replacement; `now` is the current cube. */
  undo(now: StoredCube): StoredCube | null {
    const before = this.past.at(-1)
    if (!before) return null
    this.past = this.past.slice(0, -1)
    this.future = [...this.future, { cube: now, before }]
    return before
  }

  /** Returns the cube after the last undone replacement; `now` is the current cube. */
  redo(now: StoredCube): StoredCube | null {
    if (!this.canRedo(now)) return null
    const { cube } = this.future.at(-1)!
    this.past = [...this.past, now]
    this.future = this.future.slice(0, -1)
    return cube
  }

  clear(): void {
    this.past = []
    this.future = []
  }
}

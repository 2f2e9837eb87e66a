/** What a person does with the cube on the table, apart from turning it. */
import type { CubeSolver } from '../../../session'
import { toasts } from '../../../state/toasts.svelte'
import { table } from '../table.svelte'

class Play {
  /** Turns of the next scramble; null: any state. Undefined until somebody chooses. */
  scramble = $state<number | null | undefined>(undefined)
  solver = $state.raw<CubeSolver | null>(null)
  arrows = $state(true)
  marks = $state(false)
  /** The turn that is pointed at in a list. */
  pointed = $state<string | null>(null)
}

export const play = new Play()

/** Whether a solution is being looked for or made. */
export function solving(): boolean {
  const now = table.cube?.solving?.status
  return now === 'searching' || now === 'playing'
}

/** Scrambles the cube; a person's own can be had back. */
export async function scramble(moves: number | null): Promise<void> {
  const before = table.touched && table.cube && !table.cube.solved ? table.cube.stickers : null
  table.touch()
  if (!(await table.ask({ kind: 'scramble', moves })) || before === null) return
  toasts.offer('Scrambled.', {
    label: 'Back to the cube before',
    run: () => void table.ask({ kind: 'set_cube', stickers: before }),
  })
}

export function solve(by: CubeSolver): void {
  table.touch()
  void table.ask({ kind: 'solve', by })
}

export function stop(): void {
  table.touch()
  void table.ask({ kind: 'stop_solving' })
}

/** Whether there is a turn to make next: of a solution, or one that was taken back. */
export function canGoOn(): boolean {
  const cube = table.cube
  if (!cube) return false
  return cube.solving?.status === 'playing' || cube.at < cube.history.length
}

/** A turn back or on. */
export function step(by: -1 | 1): void {
  const cube = table.cube
  if (!cube) return
  table.touch()
  if (by === 1 && cube.solving?.status === 'playing') void table.ask({ kind: 'move_now' })
  else if (by === -1 ? cube.at > 0 : cube.at < cube.history.length) goTo(cube.at + by)
}

/** Back or on to where so many turns of the history are made. */
export function goTo(at: number): void {
  table.touch()
  void table.ask({ kind: 'cube_step', to: at })
}

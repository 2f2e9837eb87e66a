/** Dice of a person's own: those of a run fall by its seed, which is the same for everybody who opens the page. */
import { lab } from '../../state/lab.svelte'
import { game } from './table.svelte'

/** The run whose dice were given a seed. */
let seeded = -1

/** Gives the table of a new run a seed that nobody had before; one from a file goes on with its own. */
export async function seedDice(): Promise<void> {
  if (lab.fromFile || seeded === lab.run) return
  seeded = lab.run
  const [seed] = crypto.getRandomValues(new Uint32Array(1))
  await game.ask({ kind: 'seed_dice', seed: seed! })
}

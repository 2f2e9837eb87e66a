/** How long a run goes on. */
import { lab } from '../../state/lab.svelte'
import { path } from './fields'

/** Whether all epochs that the run is to take are over. */
export function isOver(): boolean {
  const { steps, total_steps: total } = lab.progress
  return total !== null && steps >= total
}

/** How many more make sense: as many as the presets have at least. */
export function more(): number {
  return Math.max(500, Math.round((lab.progress.total_steps ?? 0) / 2))
}

/** Puts the end off, so that a run that is over can go on. */
export async function goOn(): Promise<void> {
  await lab.setLive(path('epochs'), lab.progress.steps + more())
}

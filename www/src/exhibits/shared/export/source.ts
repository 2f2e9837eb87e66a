/** Source of an exported picture, for its caption. */
import { number } from '../../../lib/format'
import { runName } from '../../../state/compared-run'
import type { Lab } from '../../../state/lab.svelte'
import { worldCard, type World } from '../../../worlds'

/** Returns the title of the exhibit. */
export const titleOf = (lab: Lab): string => worldCard(lab.info!.name as World).title

/** Returns experiment, settings, seed and number of steps of what the page shows: the current run, or a snapshot of the timeline. */
export function sourceOf(lab: Lab): string {
  const info = lab.info!
  const { unit } = info.readings
  const steps = `${number(lab.timeline.shown ?? lab.progress.steps, 0)}\u00a0${unit}`
  const earlier =
    lab.earlierSteps > 0 ? ` after ${number(lab.earlierSteps, 0)}\u00a0${unit} in earlier training` : ''
  return `${titleOf(lab)}, ${runName(info, lab)}, ${steps}${earlier}`
}

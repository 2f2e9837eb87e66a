/** Status of the demonstration run on the home page, as a sentence. */
import { compact, duration } from '../lib/format'
import type { Lab } from '../state/lab.svelte'

/**
 * Describes the progress of the home page's run in one sentence. The run is training, is solved, or is a paused run of
 * the visitor.
 */
export function heroLine({
  running,
  progress,
  solved,
}: Pick<Lab, 'running' | 'progress' | 'solved'>): string {
  const place = 'in this tab, on your own processor'
  if (solved) {
    const now = running === 'running' ? '; training continues' : ''
    return `It was trained ${place}, and balanced them after ${duration(solved.seconds)} of training${now}.`
  }
  if (running !== 'paused') return `It is being trained now, ${place}.`
  return progress.steps > 0
    ? `Its training is paused after ${compact(progress.steps)} steps.`
    : `It is not trained yet: press Train.`
}

import type { NextStep } from '../guide/guide'

/** Returns the suggestion that plays the timeline of the run, shown at the element `target`. */
export const watchAgain = (target: string): NextStep => ({
  label: 'Watch the training again',
  does: [{ kind: 'click', element: 'timeline-play' }],
  target,
  again: true,
})

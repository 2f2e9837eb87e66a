/** End panel of a run: a sentence about the result, and suggestions for further runs. */
import { followingWorld, type World } from '../../../worlds'
import { valuesOf, type Figure, type NextStep, type Values } from '../guide/guide'

export type { NextStep }

export interface Ending {
  title: string
  figures: Readonly<Record<string, Figure>>
  /** Returns the sentence about the result, or null while the value of a figure is unknown. */
  learned: (values: Values) => string | null
  /** Suggestions in order of preference. */
  next: readonly NextStep[]
}

/** Returns the suggestion that opens the exhibit of the next guide, as the summary of the guide does. */
export function nextExhibit(world: World): NextStep {
  const { title, name } = followingWorld(world)
  return { label: `Next: ${title}`, does: name }
}

/** Maximum number of suggestions that are offered at once. */
export const mostSteps = 4

/**
 * Returns an end panel whose figure names are checked by the compiler. `learned` is called when the values of all
 * figures are known.
 */
export function ending<Names extends string>({
  learned,
  ...given
}: Omit<Ending, 'figures' | 'learned'> & {
  figures: Readonly<Record<Names, Figure>>
  learned: (values: Readonly<Record<Names, number>>) => string
}): Ending {
  const names = Object.keys(given.figures) as Names[]
  return {
    ...given,
    learned: (values) =>
      names.every((name) => values[name] !== undefined)
        ? learned(values as Readonly<Record<Names, number>>)
        : null,
  }
}

/** Returns the sentence about the result, or null while the value of a figure is unknown. */
export const learnedText = (ending: Ending, read: (figure: Figure) => unknown): string | null =>
  ending.learned(valuesOf(ending, read))

/** Returns the suggestions for a run with this preset. Omits restarts with the same preset. */
export function stepsFor({ next }: Ending, preset: string | null): NextStep[] {
  const repeats = ({ does }: NextStep) =>
    typeof does !== 'string' && does.some((action) => action.kind === 'restart' && action.preset === preset)
  return next.filter((step) => preset === null || !repeats(step)).slice(0, mostSteps)
}

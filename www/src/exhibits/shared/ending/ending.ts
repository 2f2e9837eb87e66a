/** End panel of a run: a sentence about the result, and suggestions for further runs. */
import { followingWorld, type World } from '../../../worlds'
import { valuesOf, type Figure, type NextStep, type Values } from '../guide/guide'

export type { NextStep }

export interface Ending {
  title: string
  figures: Readonly<Record<string, Figure>>
  /** Returns the sentence about the result, or null while the value of a figure is unknown. */
  learned: (values: Values) => string | null
  /** Returns the figure of a run that the sentence of the next run repeats; null while it is unknown. */
  compared: (values: Values) => string | null
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
  compared = () => null,
  ...given
}: Omit<Ending, 'figures' | 'learned' | 'compared'> & {
  figures: Readonly<Record<Names, Figure>>
  learned: (values: Readonly<Record<Names, number>>) => string
  compared?: (values: Readonly<Record<Names, number>>) => string | null
}): Ending {
  const names = Object.keys(given.figures) as Names[]
  const whenKnown = (text: (values: Readonly<Record<Names, number>>) => string | null) => (values: Values) =>
    names.every((name) => values[name] !== undefined) ? text(values as Readonly<Record<Names, number>>) : null
  return { ...given, learned: whenKnown(learned), compared: whenKnown(compared) }
}

/**
 * Returns the sentence about the result, or null while the value of a figure is unknown. `before`: records the figure of this
 * run, and returns the text about the one before it.
 */
export function learnedText(
  ending: Ending,
  read: (figure: Figure) => unknown,
  before: (compared: string) => string | null = () => null,
): string | null {
  const values = valuesOf(ending, read)
  const learned = ending.learned(values)
  const compared = learned === null ? null : ending.compared(values)
  const earlier = compared === null ? null : before(compared)
  return earlier === null ? learned : `${learned} The run before, ${earlier}.`
}

/** Returns the suggestions for a run with this preset. Omits restarts with the same preset. */
export function stepsFor({ next }: Ending, preset: string | null): NextStep[] {
  const repeats = ({ does }: NextStep) =>
    typeof does !== 'string' && does.some((action) => action.kind === 'restart' && action.preset === preset)
  return next.filter((step) => preset === null || !repeats(step)).slice(0, mostSteps)
}

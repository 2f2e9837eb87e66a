/** Steps that the guided paths of the environments share. */
import { compact, number, short } from '../../../lib/format'
import {
  leavePreset,
  ranges,
  step,
  trainFast,
  type Action,
  type Answer,
  type Figure,
  type FindPoint,
  type GuideStep,
  type GuideSummary,
  type NextStep,
  type Values,
} from '../../shared/guide/guide'

export const mean: Figure = { metric: 'return_mean' }
export const updates: Figure = { progress: 'updates' }
export const steps: Figure = { progress: 'steps' }
/** Environment steps when the run was first solved; undefined before, and for a file whose first steps are unknown. */
export const solvedSteps: Figure = { run: 'solved-steps' }
/** Environment steps at the last change of the environment. */
const changedAt: Figure = { run: 'changed-steps' }
/** Mean return of the last evaluation; undefined after a change of the environment's parameters. */
const evaluated: Figure = { element: 'evaluation-mean', attribute: 'text' }

/** Restarts with the settings of a preset, at full speed. */
export const trainPreset = (preset: string): readonly Action[] => [{ kind: 'restart', preset }, ...trainFast]

/** Suggestion of a summary: restarts with the settings of a preset, and trains. */
export const furtherPreset = (label: string, preset: string): NextStep => ({
  label,
  does: trainPreset(preset),
  target: 'living-view',
  shows: ['return', 'chart-return_mean', 'steps'],
})

/** Replaces the run by an untrained one with the default settings, paused. */
export const restartUntrained = { kind: 'restart', preset: 'default', held: true } as const satisfies Action

/** Pauses training, so that the run stays as its verdict describes it. */
export const pause: readonly Action[] = [{ kind: 'learn', on: false }]

/**
 * Returns the last sentence of an outcome: training has continued since the moment that the outcome reports. `mean`: the mean
 * return of the paused run, which the page shows; the sentence has it if the outcome quotes another one, `quoted`.
 */
export function pausedAt(steps: number, mean = NaN, quoted = mean): string {
  const changed = number(mean) === number(quoted) ? '' : `; the mean return is ${number(mean)} now`
  return `Training is paused at ${compact(steps)} steps${changed}.`
}

/** Button that replaces a trained run by a new one, which has made a single update. */
export const trainAnew = {
  label: 'Start again',
  does: [restartUntrained, { kind: 'single-step', until: 'update' }],
} as const satisfies GuideStep['action']

/** Texts of a guide step; `label` is the text of its button. */
type Texts = Pick<GuideStep, 'title' | 'text' | 'question' | 'usually'> & { label: string }

/** Formats a round number of steps, such as “50 k”. */
export const roundSteps = (steps: number) => compact(steps).replace(/\.0+(?=\s)/, '')

/** Returns the first step of a guide: evaluates an untrained policy. `outcome` receives the mean return. */
export const untrainedStep = (
  texts: Pick<GuideStep, 'text' | 'question' | 'guesses' | 'usually'>,
  outcome: (evaluated: number) => string | Answer,
): GuideStep =>
  step({
    title: 'The task',
    ...texts,
    target: 'living-view',
    setup: [{ kind: 'act', on: true }],
    shows: ['return'],
    action: {
      label: 'Run 100 episodes of an untrained network',
      does: [restartUntrained, { kind: 'click', element: 'evaluate' }],
    },
    figures: { steps, evaluated },
    outcome: ({ steps, evaluated }) => (steps === 0 && evaluated !== undefined ? outcome(evaluated) : null),
    isFinal: () => true,
  })

/** Figures of {@link solvedRecently}. */
type SolvingFigures = Partial<Record<'mean' | 'steps' | 'solvedSteps', number>>

/** Training time, in multiples of the steps until the run was solved, above which a policy adapts unreliably. */
const longTraining = 4

/**
 * Returns the requirement of a policy that has solved the task, with the mean return `solved`, and was not trained for much
 * longer. Such a policy still varies its actions, so that it adapts. The button trains a new run and pauses it once it is solved.
 */
const solvedRecently = (solved: number) => {
  const isTooLong = ({ steps = 0, solvedSteps }: SolvingFigures) =>
    solvedSteps !== undefined && steps > longTraining * solvedSteps
  return {
    isMet: (now: SolvingFigures) =>
      !isTooLong(now) && (now.solvedSteps !== undefined || (now.mean !== undefined && now.mean >= solved)),
    text: 'The experiment needs a policy that has just solved the task. A policy that was trained for long hardly adapts, because it rarely tries other actions.',
    progress: (now: SolvingFigures) => {
      if (isTooLong(now))
        return `This run was solved after ${compact(now.solvedSteps!)} steps, and trained for ${compact(now.steps!)}.`
      return now.mean === undefined
        ? null
        : `Mean return ${short(now.mean, 6, 3)}; ${short(solved)} is needed.`
    },
    action: {
      label: 'Train a new run until solved',
      does: [{ kind: 'restart', preset: 'default' }, ...trainFast],
    },
    finish: pause,
  } as const
}

/**
 * Returns a guide step that trains at full speed until the mean return reaches `solved`. `limits`: numbers of environment
 * steps that separate the guesses. `outcome` receives the current mean return and returns a clause, which follows the number of
 * environment steps until the run was solved. `tries`: the element and the sentence that suggest what to try.
 */
export function solvingStep(
  texts: Omit<Texts, 'label'> & Pick<GuideStep, 'shows'>,
  solved: number,
  limits: readonly [number, number],
  outcome: (mean: number) => string,
  tries?: { element: string; text: string },
): GuideStep {
  const { guesses, indexOf } = ranges(limits, roundSteps)
  return step({
    ...texts,
    guesses,
    target: 'return',
    ...(tries && { tries: tries.element }),
    setup: pause,
    requirement: {
      isMet: ({ mean, solvedSteps }) => solvedSteps === undefined && (mean === undefined || mean < solved),
      text: 'This run has solved the task already. Start again to see how long it takes.',
      action: trainAnew,
      again: true,
    },
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean, steps, solvedSteps },
    progress: ({ mean = 0 }) => mean / solved,
    outcome: ({ mean, steps, solvedSteps }, then, find) => {
      if (mean === undefined || (solvedSteps === undefined && mean < solved)) return null
      const reached = find?.('return_mean', (at) => at.steps > (then.steps ?? 0) && at.value >= solved)
      const after = solvedSteps ?? reached?.steps ?? steps
      if (after === undefined) return null
      return {
        text: `Solved after ${compact(after)} steps (paused at ${compact(steps ?? after)}): ${outcome(mean)}. ${tries?.text ?? ''}`.trimEnd(),
        right: indexOf(after),
      }
    },
    isFinal: () => true,
    finish: pause,
  })
}

/**
 * A changed parameter of the environment: the value that the guide step sets, and a test whether a value differs from
 * the default at least as much.
 */
interface ChangedParameter {
  path: string
  value: number
  isReached: (value: number) => boolean
}

/**
 * Returns a guide step that evaluates the policy in a changed environment without training. The policy must have reached
 * the mean return `solved`. `outcome` receives the mean return and the value of the parameter.
 */
export const testStep = (
  { label, ...texts }: Omit<Texts, 'title'> & Pick<GuideStep, 'guesses'>,
  solved: number,
  { path, value, isReached }: ChangedParameter,
  outcome: (evaluated: number, parameter: number) => string | Answer,
  target = `live-${path}`,
): GuideStep =>
  step({
    title: 'A test without learning',
    ...texts,
    target,
    shows: ['return'],
    setup: [
      { kind: 'learn', on: false },
      { kind: 'act', on: true },
    ],
    requirement: solvedRecently(solved),
    action: {
      label,
      does: [
        { kind: 'learn', on: false },
        { kind: 'set', path, value },
        { kind: 'click', element: 'evaluate' },
      ],
    },
    figures: { parameter: { field: path }, evaluated, mean, steps, solvedSteps },
    outcome: ({ parameter, evaluated }) =>
      parameter !== undefined && evaluated !== undefined && isReached(parameter)
        ? outcome(evaluated, parameter)
        : null,
    isFinal: () => true,
  })

/** Environment steps after which a policy that has not adapted counts as not adapted. */
const adaptationLimits = [500_000, 2_000_000] as const

/** Updates after a change of the environment until which the last 100 episodes may include some before the change. */
const mixedUpdates = 300

/**
 * Returns the first point of the curve after the change of the environment at which the policy has adapted, or the first one after
 * the time for it, which begins with the click; undefined before.
 */
const adaptationEnd = (
  adapted: number,
  { updates, steps, changedAt }: Values<'updates' | 'steps' | 'changedAt'>,
  then: Values<'updates' | 'steps'>,
  find?: FindPoint,
) => {
  if (updates === undefined || steps === undefined) return undefined
  const start = then.steps ?? 0
  const stepsPerUpdate = (steps - start) / (updates - (then.updates ?? 0))
  const mixed = (changedAt ?? start) + mixedUpdates * stepsPerUpdate
  return find?.(
    'return_mean',
    (at) => (at.steps >= mixed && at.value >= adapted) || at.steps >= start + adaptationLimits[1],
  )
}

/**
 * Returns a guide step that changes the environment, unless it is changed already, and continues training from the
 * current weights. The run must have solved the task; `adapted`: mean return from which the policy has adapted. The clause
 * `reason` explains the time of the adaptation, `slow` a time above the first limit. Training pauses at the verdict.
 */
export const adaptationStep = (
  { label, ...texts }: Omit<Texts, 'title'>,
  { path, value, isReached }: ChangedParameter,
  adapted: number,
  reason: string,
  slow = reason,
): GuideStep =>
  step({
    title: 'Learning continues',
    ...texts,
    guesses: [
      `Yes, within ${roundSteps(adaptationLimits[0])} steps`,
      `Yes, after ${roundSteps(adaptationLimits[0])} to ${roundSteps(adaptationLimits[1])} steps`,
      `No, not within ${roundSteps(adaptationLimits[1])} steps`,
    ],
    target: 'return',
    requirement: solvedRecently(adapted),
    action: { label, does: [{ kind: 'set', path, value }, ...trainFast] },
    figures: { parameter: { field: path }, mean, updates, steps, evaluated, solvedSteps, changedAt },
    progress: ({ steps = 0 }, then) => (steps - (then.steps ?? 0)) / adaptationLimits[1],
    outcome: (now, then, find) => {
      const { parameter, updates } = now
      if (parameter === undefined || !isReached(parameter)) return null
      if (now.mean === undefined || updates === undefined || now.steps === undefined) return null
      if (updates - (then.updates ?? 0) < mixedUpdates) return null
      const end = adaptationEnd(adapted, now, then, find)
      const { steps, value: mean } = end ?? { steps: now.steps, value: now.mean }
      // The button may have continued the training in this environment.
      const changedAt = now.changedAt ?? then.steps ?? 0
      const since = steps - changedAt
      const late = since >= adaptationLimits[1]
      // The evaluation of the step before, in the changed environment.
      const untrained = then.parameter !== undefined && isReached(then.parameter) ? then.evaluated : undefined
      const before = untrained === undefined ? '' : `, and ${number(untrained)} before`
      const place = `${compact(since)} steps after the change (${compact(steps)} in all)`
      const figures = `${place}, the mean return was ${number(mean)}${before}`
      const paused = pausedAt(now.steps, now.mean, mean)
      const isFast = since < adaptationLimits[0]
      const cause =
        untrained !== undefined && untrained >= adapted
          ? 'the policy was good enough before'
          : isFast
            ? reason
            : slow
      if (end && mean >= adapted)
        return {
          text: `${figures}: ${cause}. ${paused}`,
          right: isFast ? 0 : late ? 2 : 1,
        }
      const better = untrained !== undefined && mean > untrained + Math.abs(untrained) / 10
      // The page shows the changing mean return.
      return end
        ? { text: `${figures}: ${slow}. ${paused}`, right: 2 }
        : `${better ? 'Slowly' : 'Not yet'}: training continues, ${place}.`
    },
    isFinal: (now, then, find) => adaptationEnd(adapted, now, then, find) !== undefined,
    finish: pause,
  })

/** Updates after which the outcome of {@link presetStep} is stated. */
const presetUpdates = 600

/**
 * Returns a guide step that trains with a preset that changes `field`. `outcome` receives the mean return and the
 * number of environment steps, with its unit. `summary` ends the guide. Training pauses at the outcome if `isFinal` holds for
 * the mean return. When the visitor leaves the step, the run restarts with the default settings.
 */
export const presetStep = (
  { label, ...texts }: Texts & Pick<GuideStep, 'guesses'>,
  preset: string,
  { field, isReached }: { field: string; isReached: (value: number) => boolean },
  outcome: (mean: number, steps: string) => string | Answer,
  summary: GuideSummary,
  isFinal: (mean: number) => boolean = () => true,
): GuideStep =>
  step({
    ...texts,
    summary,
    target: 'return',
    leave: leavePreset(preset),
    action: { label, does: trainPreset(preset) },
    figures: { setting: { field }, mean, updates, steps },
    shows: ['return', 'chart-return_mean', 'steps'],
    progress: ({ updates = 0 }) => updates / presetUpdates,
    outcome: ({ setting, mean, updates, steps }, _, find) => {
      if (setting === undefined || !isReached(setting)) return null
      if (mean === undefined || steps === undefined || updates === undefined || updates < presetUpdates)
        return null
      const start = (presetUpdates * steps) / updates
      const end = find?.('return_mean', (at) => at.steps >= start && isFinal(at.value))
      const found = outcome(end?.value ?? mean, `${compact(end?.steps ?? steps)} steps`)
      const paused = (text: string) => `${text} ${pausedAt(steps, mean, end?.value)}`
      return typeof found === 'string' ? paused(found) : { ...found, text: paused(found.text) }
    },
    isFinal: ({ mean }) => mean !== undefined && isFinal(mean),
    finish: pause,
  })

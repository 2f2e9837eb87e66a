/** Steps that the guided paths of the environments share. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Action, type Figure, type GuideStep } from '../../shared/guide/guide'

export const mean: Figure = { metric: 'return_mean' }
export const updates: Figure = { progress: 'updates' }
export const steps: Figure = { progress: 'steps' }
/** Environment steps when the run was first solved; undefined before, and for a file whose first steps are unknown. */
const solvedSteps: Figure = { run: 'solved-steps' }
/** Mean return of the last evaluation; undefined after a change of the environment's parameters. */
const evaluated: Figure = { element: 'evaluation-mean', attribute: 'text' }

/** Restarts with the settings of a preset, at full speed. */
export const trainPreset = (preset: string): readonly Action[] => [{ kind: 'restart', preset }, ...trainFast]

/** Texts of a guide step; `label` is the text of its button. */
type Texts = Pick<GuideStep, 'title' | 'text' | 'question'> & { label: string }

/** Returns the first step of a guide: evaluates an untrained policy. `outcome` receives the mean return. */
export const untrainedStep = (
  texts: Pick<Texts, 'text' | 'question'>,
  outcome: (evaluated: number) => string,
): GuideStep =>
  step({
    title: 'The task',
    ...texts,
    target: 'living-view',
    setup: [{ kind: 'act', on: true }],
    action: {
      label: 'Evaluate an untrained policy',
      does: [
        { kind: 'restart', preset: 'default', held: true },
        { kind: 'click', element: 'evaluate' },
      ],
    },
    figures: { steps, evaluated },
    outcome: ({ steps, evaluated }) => (steps === 0 && evaluated !== undefined ? outcome(evaluated) : null),
  })

/**
 * Returns a guide step that trains at full speed until the mean return reaches `solved`. `outcome` receives the current
 * mean return; the number of environment steps until the run was solved precedes its text.
 */
export const solvingStep = (
  texts: Omit<Texts, 'label'>,
  solved: number,
  outcome: (mean: number) => string,
): GuideStep =>
  step({
    ...texts,
    target: 'return',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean, steps, solvedSteps },
    outcome: ({ mean, steps, solvedSteps }) => {
      if (mean === undefined || (solvedSteps === undefined && mean < solved)) return null
      const after = solvedSteps ?? steps
      return after === undefined
        ? null
        : `The task was solved after ${compact(after)} environment steps. ${outcome(mean)}`
    },
  })

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
  { label, ...texts }: Omit<Texts, 'title'>,
  solved: number,
  { path, value, isReached }: ChangedParameter,
  outcome: (evaluated: number, parameter: number) => string,
  target = `live-${path}`,
): GuideStep =>
  step({
    title: 'A test without learning',
    ...texts,
    target,
    setup: [
      { kind: 'learn', on: false },
      { kind: 'act', on: true },
    ],
    requirement: {
      isMet: ({ mean, solvedSteps }) => solvedSteps !== undefined || (mean !== undefined && mean >= solved),
      text: 'The policy of this run has not solved the task yet. Train it first; the test is for a trained policy.',
      action: {
        label: 'Train until solved',
        does: [{ kind: 'click', element: 'world-defaults', optional: true }, ...trainFast],
      },
    },
    action: {
      label,
      does: [
        { kind: 'learn', on: false },
        { kind: 'set', path, value },
        { kind: 'click', element: 'evaluate' },
      ],
    },
    figures: { parameter: { field: path }, evaluated, mean, solvedSteps },
    outcome: ({ parameter, evaluated }) =>
      parameter !== undefined && evaluated !== undefined && isReached(parameter)
        ? outcome(evaluated, parameter)
        : null,
  })

/** Returns a sentence with the mean return before a change and the current one. */
export const meanThenAndNow = (mean: number, before: number | undefined): string =>
  `the mean return of the last 100 episodes is ${number(mean)}${
    before === undefined ? '' : `; before the change it was ${number(before)}`
  }.`

/**
 * Returns a guide step that changes the environment, unless it is changed already, and continues training from the
 * current weights. `condition` describes the parameter, as in `with 0.5 N·m`.
 */
export const adaptationStep = (
  { label, ...texts }: Omit<Texts, 'title'>,
  { path, value, isReached }: ChangedParameter,
  condition: (parameter: number) => string,
): GuideStep =>
  step({
    title: 'Learning continues',
    ...texts,
    target: 'return',
    action: { label, does: [{ kind: 'set', path, value }, ...trainFast] },
    figures: { parameter: { field: path }, mean, updates, evaluated },
    outcome: ({ parameter, mean, updates }, then) => {
      if (parameter === undefined || !isReached(parameter)) return null
      if (mean === undefined || updates === undefined) return null
      const since = updates - (then.updates ?? 0)
      if (since < 1000) return null
      // The evaluation of the step before, in the changed environment.
      const untrained = then.parameter !== undefined && isReached(then.parameter) ? then.evaluated : undefined
      const text = `${since} gradient steps later, ${condition(parameter)}, `
      if (untrained === undefined) return `${text}${meanThenAndNow(mean, then.mean)}`
      const answer = mean > untrained + Math.abs(untrained) / 10 ? 'Yes' : 'Not yet'
      return `${answer}: ${text}the mean return is ${number(mean)}; before this training it was ${number(untrained)}.`
    },
  })

/**
 * Returns a guide step that trains with a preset that changes `field`. `outcome` receives the mean return and the
 * number of gradient steps.
 */
export const presetStep = (
  { label, ...texts }: Texts,
  preset: string,
  { field, isReached }: { field: string; isReached: (value: number) => boolean },
  outcome: (mean: number, updates: number) => string,
): GuideStep =>
  step({
    ...texts,
    target: 'preset',
    action: { label, does: trainPreset(preset) },
    figures: { setting: { field }, mean, updates },
    outcome: ({ setting, mean, updates }) =>
      setting !== undefined &&
      isReached(setting) &&
      mean !== undefined &&
      updates !== undefined &&
      updates >= 600
        ? outcome(mean, updates)
        : null,
  })

/** Figures and actions that the guided paths of the environments share. */
import type { Action, Figure } from '../../shared/guide/guide'

export const mean: Figure = { metric: 'return_mean' }
export const updates: Figure = { progress: 'updates' }
export const steps: Figure = { progress: 'steps' }
/** Mean return of the last evaluation; unknown after a change of the world. */
export const evaluated: Figure = { element: 'evaluation-mean', attribute: 'text' }

export const evaluateUntrained: { label: string; does: readonly Action[] } = {
  label: 'Evaluate an untrained policy',
  does: [
    { kind: 'restart', preset: 'default', held: true },
    { kind: 'click', element: 'evaluate' },
  ],
}

export const trainFast: readonly Action[] = [
  { kind: 'speed', speed: 'max' },
  { kind: 'learn', on: true },
]

/** Sets a parameter of the environment and evaluates the policy without training it. */
export const testWith = (path: string, value: number): readonly Action[] => [
  { kind: 'learn', on: false },
  { kind: 'set', path, value },
  { kind: 'click', element: 'evaluate' },
]

/** Restarts with the settings of a preset, at full speed. */
export const trainPreset = (preset: string): readonly Action[] => [{ kind: 'restart', preset }, ...trainFast]

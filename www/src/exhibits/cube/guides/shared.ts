/** Actions and figures that the guided paths of the cubes share. */
import type { Action, Figure } from '../../shared/guide/guide'

/** Samples of the training run. */
export const samples: Figure = { progress: 'steps' }
/** States that the solver has evaluated. */
export const evaluated: Figure = { element: 'evaluated', attribute: 'text' }

/** Turns of the solution with which a solver has solved the cube. */
export const solution: Figure = { element: 'status', attribute: 'solution' }

/** 1 if the solver has found no solution. */
export const gaveUp: Figure = { element: 'status', attribute: 'gaveUp' }

/** 1 if the pretrained network or a network from a file solves the interactive cube. */
export const pretrained: Figure = { element: 'networks', attribute: 'opened' }

/** Opens the pretrained network, or selects it if it is open. */
export const loadPretrained: readonly Action[] = [
  { kind: 'click', element: 'trained-network', optional: true },
  { kind: 'fill', element: 'player', value: 'opened' },
]

/** Selects the network in training. */
export const trainOwn: readonly Action[] = [{ kind: 'fill', element: 'player', value: 'newest' }]

/** Scrambles a solved cube by this number of turns; `null` is a random state. */
export const scramble = (turns: number | null): readonly Action[] => [
  // A scramble continues from the current state.
  { kind: 'click', element: 'reset-cube', optional: true },
  { kind: 'fill', element: 'scramble-length', value: String(turns) },
  { kind: 'click', element: 'scramble' },
]

/** Solves the cube with a solver, by its index in the menu. */
export const solve = (solver: number): readonly Action[] => [
  { kind: 'fill', element: 'solver', value: String(solver) },
  { kind: 'click', element: 'solve' },
]

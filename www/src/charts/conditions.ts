/** Conditions under which runs have trained, in words: their training times are comparable only under the same conditions. */
import type { ComparedRun } from '../state/compared-run'
import type { TrainedOn } from '../state/saving'

type Trained = Pick<ComparedRun, 'trainedOn'>

function conditionText({ engine, threads, isBeside }: TrainedOn): string {
  const processor = engine === 'cpu' ? `CPU, ${threads} ${threads === 1 ? 'thread' : 'threads'}` : 'GPU'
  return isBeside ? `${processor}, beside another run` : processor
}

/** Returns all conditions under which runs have trained, such as “CPU, 2 threads; GPU”. */
export const conditionsText = (runs: readonly Trained[]): string =>
  [...new Set(runs.flatMap(({ trainedOn }) => trainedOn?.map(conditionText) ?? ['unknown']))]
    .sort()
    .join('; ')

/** Returns whether runs have trained under different conditions. Runs without steps have none. */
export const conditionsDiffer = (runs: readonly Trained[]): boolean =>
  new Set(runs.map((run) => conditionsText([run])).filter((text) => text !== '')).size > 1

/** Selects the metrics of an experiment that its charts and tables show. */
import type { ExperimentInfo } from '../engine/page/session'
import { get, type Config } from './config'

/** Returns the metrics of the small charts for a config. */
export function smallCurves({ readings }: ExperimentInfo, config: Config): readonly string[] {
  const holds = readings.small.find(({ when }) => !when || get(config, when.path) === when.value)
  return holds?.metrics ?? []
}

/** Returns the metrics that summarize a run: its results, and the metrics of its charts. */
export function mainMetrics(info: ExperimentInfo, config: Config): readonly string[] {
  const { results, large } = info.readings
  return [...new Set([...results, ...large, ...smallCurves(info, config)])]
}

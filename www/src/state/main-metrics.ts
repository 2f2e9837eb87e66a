/** Selects the metrics of an experiment that its charts and tables show. */
import type { ExperimentInfo } from '../engine/page/session'
import { get, type Config } from './config'

/** Returns the metrics of the small charts for a config. */
export function smallCurves({ readings }: ExperimentInfo, config: Config): readonly string[] {
  const holds = readings.small.find(({ when }) => !when || get(config, when.path) === when.value)
  return holds?.metrics ?? []
}

/**
 * Returns the metrics of the small charts if runs are compared: the results as well, which other parts of an exhibit show for the
 * current run only. The large chart draws the first of its metrics for all runs.
 */
export function comparedCurves(info: ExperimentInfo, config: Config): readonly string[] {
  const [large] = info.readings.large
  return mainMetrics(info, config).filter((name) => name !== large)
}

/** Returns the metrics that summarize a run: its results, and the metrics of its charts. */
export function mainMetrics(info: ExperimentInfo, config: Config): readonly string[] {
  const { results, large } = info.readings
  return [...new Set([...results, ...large, ...smallCurves(info, config)])]
}

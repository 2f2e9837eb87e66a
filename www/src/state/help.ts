/** Explanations of metrics and config fields, from the registry of experiments. */
import type { ExperimentInfo, FieldInfo } from '../engine/page/session'
import { short, withUnit } from '../lib/format'
import type { HelpText } from '../lib/help'
import { allowed, write } from './config'

export function helpOfMetric({ metrics, world }: ExperimentInfo, name: string): HelpText | undefined {
  const metric = metrics.find((metric) => metric.name === name)
  return metric && { text: metric.help, term: `${world.kind}/${name}` }
}

/** Explains a config field: effect, allowed values and default. */
export function helpOfField(field: FieldInfo): HelpText {
  const { path, help, unit, kind } = field
  const home = typeof field.default === 'number' ? short(field.default) : write(field.default)
  const range = kind.type === 'flag' || kind.type === 'text' ? '' : ` Allowed: ${allowed(field)}.`
  const usual = home === '' ? '' : ` Default: ${withUnit(home, unit)}.`
  return { text: help + range + usual, term: path }
}

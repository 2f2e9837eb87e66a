/** Caption of an exported chart as text: what its lines, bands and marks mean, and in which settings the runs differ. */
import type { ExperimentInfo } from '../engine/page/session'
import { changeSpans, spanText } from '../state/changes'
import { contrasts, type RunSettings } from '../state/compared-run'
import type { ComparedGroup } from './comparison.svelte'
import type { ChartData } from './figure'

/** What a caption names besides the chart. */
export interface CaptionSource {
  info: ExperimentInfo
  /** Experiment and runs, such as “CartPole, 5 runs”. */
  source: string
  /** The drawn runs by settings. */
  groups: readonly (ComparedGroup & { isBaseline: boolean })[]
  /** The current run, whose changes of settings are marked in the chart. */
  own: RunSettings
}

/** Returns the pattern of a line in words. */
const patternName = (dash: readonly number[] = []): string =>
  dash.length === 0 ? 'solid' : dash.length > 2 ? 'dash-dotted' : dash[0]! > dash[1]! ? 'dashed' : 'dotted'

/** Returns the settings in which the runs differ from the baseline, or from the first runs, as a sentence; empty if none. */
function settingsNote(info: ExperimentInfo, groups: CaptionSource['groups']): string {
  const base = groups.find(({ isBaseline }) => isBaseline) ?? groups[0]
  if (!base) return ''
  const notes = groups.flatMap((group) => {
    const differing = contrasts(info, group.runs[0]!, base.runs[0]!)
      .filter(({ path }) => path !== 'seed')
      .map(({ label, value, baseline }) => `${label} ${value} instead of ${baseline}`)
    return differing.length > 0 ? [`${group.name}: ${differing.join(', ')}`] : []
  })
  return notes.length > 0 ? `Settings that differ from ${base.name}: ${notes.join('; ')}.` : ''
}

function changesNote(info: ExperimentInfo, { config, changes = [] }: RunSettings): string {
  const spans = changeSpans(changes, config)
  return spans.length > 0
    ? `Dotted vertical lines: ${spans.map((span) => spanText(info, span)).join(', ')}.`
    : ''
}

/** Returns the caption of a chart. */
export function chartCaption(chart: ChartData, { info, source, groups, own }: CaptionSource): string {
  const { title, series, run, note, line, marks } = chart
  const ownLines = series.filter(({ positions }) => !positions)
  const lines = series.map(({ label, dash, positions }) => {
    const name = !positions && ownLines.length === 1 && series.length > 1 ? run : label
    return `${name} (${patternName(dash)})`
  })
  return [
    `${title}. ${source}.`,
    lines.length > 1 ? `Lines: ${lines.join('; ')}.` : ownLines.length === 0 ? `Line: ${lines.join()}.` : '',
    note,
    settingsNote(info, groups),
    line ? `Dashed horizontal line: ${line.label}.` : '',
    marks.length > 0 ? changesNote(info, own) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

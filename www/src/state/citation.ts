/** Citations of a run and of a comparison of runs: a BibTeX entry and a sentence. */
import type { ExperimentInfo } from '../engine/page/session'
import { number } from '../lib/format'
import { latex } from '../lib/latex'
import type { SettingChange } from './changes'
import type { ComparedRun } from './compared-run'
import { presetOf, settingsText, type Config } from './config'

/** What a citation names. */
export interface Citation {
  /** Version and commit of the program; absent in a development build. */
  release: string | undefined
  /** Time at which the cited run was last trained. */
  date: Date
  /** Link that opens the experiment. */
  link: string
  /** Name of the experiment. */
  experiment: string
  /** Name of the cited runs in the key of the BibTeX entry. */
  key: string
  /** Experiment, settings and seeds, such as “CartPole, Moon gravity, seed 3”. */
  subject: string
  /** Settings and extent of the runs as sentences. */
  details: readonly string[]
}

export interface CitedRun extends Pick<Citation, 'release' | 'date' | 'link'> {
  info: ExperimentInfo
  config: Config
  seed: number
  engine: string
  /** Number of trained steps. */
  steps: number
  /** Steps that opened weights were trained for before. */
  earlierSteps: number
  /** Changes of settings during the run. */
  changes: readonly SettingChange[]
}

/** Runs with equal settings in a cited comparison. */
export interface CitedGroup {
  /** Settings and seeds in words. */
  name: string
  runs: readonly Pick<ComparedRun, 'config' | 'curves'>[]
  isBaseline: boolean
}

const author = 'The Vivarium authors'

/** Returns the citation of a run. */
export function runCitation(run: CitedRun): Citation {
  const { info, config, seed, engine, steps } = run
  const preset = presetOf(info, config)
  const label = info.presets.find(({ name }) => name === preset)?.label ?? 'custom settings'
  const values = settingsText(info, config)
  const [changed, earlier] = history(run)
  return {
    ...run,
    experiment: info.name,
    key: `seed${seed}`,
    subject: `${info.title}, ${label}, seed ${seed}`,
    details: [
      values ? `Settings that differ from the defaults: ${values}` : 'Default settings',
      ...changed,
      `${number(steps, 0)} ${info.readings.unit} on the ${engine.toUpperCase()}`,
      ...earlier,
    ],
  }
}

/** A link with the learning curves of the cited runs. */
export interface CitedCurves {
  link: string
  /** Labels of the metrics that the link has no room for. */
  omitted: readonly string[]
}

/**
 * Returns the citation of the runs that are compared with the current run. `run`: the current run. `curves`: null if the runs
 * have no curves.
 */
export function comparisonCitation(
  run: CitedRun,
  groups: readonly CitedGroup[],
  curves: CitedCurves | null,
): Citation {
  const { info } = run
  const described = groups.map(({ name, runs, isBaseline }) => {
    const values = settingsText(info, runs[0]!.config) || 'default settings'
    const steps = runs.map(({ curves }) => curves.steps.at(-1) ?? 0)
    const ends = [...new Set([Math.min(...steps), Math.max(...steps)])]
    const extent = `${ends.map((end) => number(end, 0)).join(' to ')} ${info.readings.unit}`
    return `${isBaseline ? 'Baseline' : 'Runs'} ${name}: ${values}, ${extent}`
  })
  return {
    ...run,
    experiment: info.name,
    key: 'comparison',
    subject: `${info.title}, comparison of ${groups.map(({ name }) => name).join(' and ')}`,
    link: curves?.link ?? run.link,
    details: [...described, ...history(run).flat(), ...(curves ? [curvesNote(curves)] : [])],
  }
}

const curvesNote = ({ omitted }: CitedCurves): string =>
  `The link contains the learning curves of these runs${omitted.length > 0 ? `, without ${omitted.join(', ')}` : ''}`

/** Returns what a link does not contain, as sentences: changes of settings during the run, and earlier training. */
function history({ info, changes, earlierSteps }: CitedRun): [changed: string[], earlier: string[]] {
  const { unit } = info.readings
  const changed = changes.map(({ text, steps }) => `${text} at ${number(steps, 0)} ${unit}`).join(', ')
  return [
    changed ? [`Changed during the run: ${changed}`] : [],
    earlierSteps > 0 ? [`Opened weights, trained before for ${number(earlierSteps, 0)} ${unit}`] : [],
  ]
}

/** Returns the local date, such as `2026-11-28`. */
const isoDate = (date: Date): string => date.toLocaleDateString('sv')

/** Returns experiment, settings, extent and date as sentences. */
const detailsText = ({ experiment, details, date }: Citation): string =>
  [`Experiment ${experiment}`, ...details, `Run of ${isoDate(date)}`].join('. ')

/** Returns a citation as a sentence. */
export const citationText = (cited: Citation): string =>
  `${author} (${cited.date.getFullYear()}). Vivarium${cited.release ? `, version ${cited.release}` : ''} [Computer software]: ${cited.subject}. ${detailsText(cited)}. ${cited.link}`

/** Returns a citation as a BibTeX entry. The entry needs the LaTeX package `url` or `hyperref`. */
export function bibtex(cited: Citation): string {
  const { release, date, link, experiment, key, subject } = cited
  const fields = {
    author: `{${author}}`,
    title: `{Vivarium: ${latex(subject)}}`,
    year: String(date.getFullYear()),
    howpublished: `\\url{${link}}`,
    note: latex(`${release ? `Version ${release}. ` : ''}${detailsText(cited)}`),
  }
  const rows = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},\n`)
  return `@misc{vivarium-${experiment}-${key}-${isoDate(date)},\n${rows.join('')}}\n`
}

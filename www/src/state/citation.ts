/** Citations of a run: a BibTeX entry and a sentence. */
import type { ExperimentInfo } from '../engine/page/session'
import { number } from '../lib/format'
import type { SettingChange } from './changes'
import { presetOf, settingsText, type Config } from './config'

export interface CitedRun {
  /** Version and commit of the program; absent in a development build. */
  release: string | undefined
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
  /** Time at which the run was last trained. */
  date: Date
  /** Link that opens the experiment. */
  link: string
}

const author = 'The Vivarium authors'

/** Returns the subject of a run, such as “CartPole, Moon gravity, seed 3”. */
function subject({ info, config, seed }: CitedRun): string {
  const preset = presetOf(info, config)
  const label = info.presets.find(({ name }) => name === preset)?.label ?? 'custom settings'
  return `${info.title}, ${label}, seed ${seed}`
}

/** Returns the settings and the extent of a run as sentences. */
function details({ info, config, engine, steps, earlierSteps, changes, date }: CitedRun): string {
  const { unit } = info.readings
  const values = settingsText(info, config)
  const changed = changes.map(({ text, steps }) => `${text} at ${number(steps, 0)} ${unit}`).join(', ')
  return [
    `Experiment ${info.name}`,
    values ? `Settings that differ from the defaults: ${values}` : 'Default settings',
    ...(changed ? [`Changed during the run: ${changed}`] : []),
    `${number(steps, 0)} ${unit} on the ${engine.toUpperCase()}`,
    ...(earlierSteps > 0 ? [`Opened weights, trained before for ${number(earlierSteps, 0)} ${unit}`] : []),
    `Run of ${isoDate(date)}`,
  ].join('. ')
}

/** Returns the local date, such as `2026-11-28`. */
const isoDate = (date: Date): string => date.toLocaleDateString('sv')

/** Returns the citation of a run as a sentence. */
export const citationText = (run: CitedRun): string =>
  `${author} (${run.date.getFullYear()}). Vivarium${run.release ? `, version ${run.release}` : ''} [Computer software]: ${subject(run)}. ${details(run)}. ${run.link}`

/** Returns the citation of a run as a BibTeX entry. The entry needs the LaTeX package `url` or `hyperref`. */
export function bibtex(run: CitedRun): string {
  const key = `vivarium-${run.info.name}-seed${run.seed}-${isoDate(run.date)}`
  const fields = {
    author: `{${author}}`,
    title: `{Vivarium: ${latex(subject(run))}}`,
    year: String(run.date.getFullYear()),
    howpublished: `\\url{${run.link}}`,
    note: latex(`${run.release ? `Version ${run.release}. ` : ''}${details(run)}`),
  }
  const rows = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},\n`)
  return `@misc{${key},\n${rows.join('')}}\n`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Escapes a text for LaTeX. BibTeX counts braces although they are escaped, so that they have names. */
const latex = (text: string): string =>
  text.replace(/[\\{}~^&%$#_]/g, (character) => escapes[character] ?? `\\${character}`)

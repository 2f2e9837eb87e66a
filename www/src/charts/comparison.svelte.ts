/** Runs whose curves are drawn in the charts of a lab, beside the curves of the current run. */
import type { ExperimentInfo } from '../engine/page/session'
import { embedded } from '../host/embed'
import {
  besideId,
  currentState,
  linkedId,
  onEngine,
  runName,
  settingsAt,
  settingsName,
  trainedSettings,
  type ComparedRun,
  type RunSettings,
} from '../state/compared-run'
import { changeSpans } from '../state/changes'
import { differences } from '../state/config'
import { partOf } from '../state/context'
import type { Lab } from '../state/lab.svelte'
import { elapsed } from '../state/history'
import { decodeComparison, type RunStyles } from '../state/shared-curves'
import { toasts } from '../state/toasts.svelte'
import { bandMethod, bandName, bandOf, type BandKind, type Bounds, type Curve } from './band'
import { chartAxis, ownAxis } from './chart-axis.svelte'
import { runTones, type CurveTone, type Series } from './figure'
import { runAxis, type RunAxis } from './run-axis'
import { lastCommonStep } from './step-range'

/** Patterns of the lines. Their number and the number of colors have no common factor, so that twelve runs differ. */
const dashes = [
  [6, 3],
  [2, 3],
  [9, 3, 2, 3],
] as const

/** Color and pattern of a line. */
export type LineStyle = Pick<Series, 'tone' | 'width'> & { dash: readonly number[] }

/** Index of the style of the sender's run in a link: its color, dashed. The solid line is the run of the page. */
export const ownStyle = -1

const styleAt = (index: number): LineStyle => ({
  tone: index === ownStyle ? 'accent' : runTones[index % runTones.length]!,
  width: 1.25,
  dash: dashes[index === ownStyle ? 0 : index % dashes.length]!,
})

/** Runs whose settings differ in the seed only, or a single run. */
export interface ComparedGroup {
  /** Settings and seeds in words. */
  name: string
  runs: readonly ComparedRun[]
}

/** Runs that are drawn as one line. */
export interface RunGroup extends ComparedGroup {
  /** Whether the current run has the settings of the group, and another seed than its runs. */
  hasOwn: boolean
  /** Whether the band contains the current run: once it has as many steps as another run of the band. Its own line is drawn as well. */
  drawsOwn: boolean
  style: LineStyle
}

interface Selected {
  run: ComparedRun
  /** Index of the style of its own line. */
  style: number
  /** Index of the style of the line of its group. */
  groupStyle: number
}

/** Ratio of the ends of two runs from which on they count as equally long. */
const leastCommon = 0.98

/** Origin of the runs of a link. The reader of a frame does not know its link. */
const linkedOrigin = embedded ? 'Recorded' : 'From the link'

/** The current run: settings, seed and steps of its curve. */
type OwnRun = RunSettings & Pick<ComparedRun, 'seed'> & { steps: number }

class Comparison {
  /** The runs whose curves came with the link. */
  linked = $state.raw<readonly ComparedRun[]>([])
  /** Whether runs whose settings differ in the seed only are drawn as one line with a band. */
  combined = $state(true)
  /** What the bands show. */
  band = $state<BandKind>('interval')
  /** Color of the current run. */
  ownTone = $state<CurveTone>('accent')
  private selected = $state.raw<readonly Selected[]>([])
  /** Id of the run whose line is the baseline; null for none. The run may not be drawn. */
  pinned = $state<string | null>(null)
  /** Text of the curves in the last link. */
  private text: string | null = null
  /** Ends when the curves in the last link have been read. */
  private reading: Promise<void> = Promise.resolve()
  /** Baseline and bands of the sender of this link; null if the link does not contain them. */
  private sent: { baseline: string | null; band: BandKind | null } = { baseline: null, band: null }

  constructor(private readonly lab: Lab) {
    lab.onstored = (run) => this.keep(run)
  }

  // Getters, since a `$derived` would end with the component that has created this object.

  private get shown(): readonly Selected[] {
    const { info, runStorage } = this.lab
    // The current run may be one of these: it was resumed after it had been selected.
    return this.selected.filter(({ run }) => run.experiment === info?.name && run.id !== runStorage?.current)
  }

  /** The selected runs of the experiment: those that are drawn, and the current run if it was selected before it was opened. */
  get selectedRuns(): readonly ComparedRun[] {
    return this.selected.map(({ run }) => run).filter((run) => run.experiment === this.lab.info?.name)
  }

  /** Settings and seed of the trained steps of the current run, and the steps of its curve. */
  get own(): OwnRun {
    const { lab } = this
    // The history itself is not reactive; it changes with the latest values.
    void lab.latest
    return { ...trainedSettings(lab), seed: lab.seed, steps: lab.history.steps.at(-1) ?? 0 }
  }

  /**
   * Name of the current run beside the names of the others, such as “Moon gravity, seed 3”; with its engine if another run
   * trains now.
   */
  get ownName(): string {
    const { info, engine } = this.lab
    const isPaired = this.shown.some(({ run }) => run.engine !== undefined)
    return info ? runName(info, this.own, isPaired ? engine : undefined) : ''
  }

  /** Settings and seeds of all drawn runs; only the number of runs if their settings differ in more than the seed. */
  get drawnRuns(): string {
    const { info } = this.lab
    if (!info) return ''
    const own = { ...this.own, title: '' }
    const all = [own, ...this.runs]
    const key = groupKey(info, own)
    return all.every((run) => groupKey(info, { ...run, origin: '' }) === key)
      ? `${settingsName(info, own)}, ${seedsName(all.map(({ seed }) => seed))}`
      : `${all.length} runs`
  }

  /** The runs that are drawn. */
  get runs(): readonly ComparedRun[] {
    return this.shown.map(({ run }) => run)
  }

  /** The runs that are drawn, by lines. */
  get groups(): readonly RunGroup[] {
    const { info } = this.lab
    if (!info) return []
    const groups = groupsOf(info, this.shown, this.combined, this.own)
    if (this.ownTone === 'accent') return groups
    // The first lab has given its color of the second run to the second lab, so that the color of the first run is free.
    return groups.map((group) =>
      group.runs[0]!.id === besideId ? { ...group, style: { ...group.style, tone: 'accent' } } : group,
    )
  }

  /** Whether a band contains the current run. */
  get isInBand(): boolean {
    return this.groups.some(({ drawsOwn }) => drawsOwn)
  }

  /** Returns the color of a run; null if it is not drawn. */
  toneOf(id: string): CurveTone | null {
    return this.groups.find(({ runs }) => runs.some((run) => run.id === id))?.style.tone ?? null
  }

  /** Draws the current run in a color of other runs; by default in the accent color. */
  drawOwnAs(tone: string | null): void {
    this.ownTone = runTones.find((one) => one === tone) ?? 'accent'
  }

  /** Whether some runs can be combined into a band. */
  get hasSeeds(): boolean {
    const { info } = this.lab
    return info !== null && groupsOf(info, this.shown, true, this.own).some(({ runs }) => runs.length > 1)
  }

  /** The line whose runs the metrics are compared with; null if there is none. */
  get baseline(): RunGroup | null {
    return this.groups.find(({ runs }) => runs.some(({ id }) => id === this.pinned)) ?? null
  }

  /**
   * The runs that are compared, and the baseline; null without a baseline. The current run is compared with the other seeds in
   * its band. Before it has a curve, the drawn runs with its settings are compared, such as the runs of a link.
   */
  get sides(): { own: ComparedGroup; baseline: ComparedGroup } | null {
    const { baseline, current, groups, lab, own } = this
    if (!baseline) return null
    const isOther = (run: ComparedRun) => !baseline.runs.includes(run)
    const key = groupKey(lab.info, settingsOf(own))
    const runs = current
      ? [current, ...(groups.find(({ hasOwn }) => hasOwn)?.runs ?? []).filter(isOther)]
      : this.runs.filter((run) => groupKey(lab.info, { ...run, origin: '' }) === key).filter(isOther)
    return runs.length > 0
      ? { own: namedGroup(lab.info!, runs), baseline: namedGroup(lab.info!, baseline.runs) }
      : null
  }

  /** All drawn runs by settings, with the current run if it has a curve. */
  get compared(): readonly (ComparedGroup & { isBaseline: boolean })[] {
    const { baseline, current, groups, lab } = this
    const all = groups.map(({ runs, hasOwn }) => ({
      ...namedGroup(lab.info!, hasOwn && current ? [current, ...runs] : runs),
      isBaseline: runs[0] === baseline?.runs[0],
    }))
    return !current || groups.some(({ hasOwn }) => hasOwn)
      ? all
      : [{ ...namedGroup(lab.info!, [current]), isBaseline: false }, ...all]
  }

  /** The current run; null if it has no curve. */
  private get current(): ComparedRun | null {
    const { info, history, latest } = this.lab
    // The history itself is not reactive; it changes with the latest values.
    void latest
    if (!info || history.length === 0) return null
    const named = { id: '', experiment: info.name, title: '' }
    const { config, changes, seed } = this.own
    return { ...named, ...currentState(this.lab), config, changes, seed }
  }

  /** Selects the line of a run as the baseline by the id of the run; null for none. */
  pin(id: string | null): void {
    this.pinned = id
  }

  /** Returns the styles of a drawn run in a link; null if it is not drawn. */
  stylesOf(id: string): RunStyles | null {
    const selected = this.selected.find(({ run }) => run.id === id)
    return selected ? [selected.style, selected.groupStyle] : null
  }

  /** The styles of the current run in a link: the style of its group if other seeds of its settings are drawn. */
  get ownStyles(): RunStyles {
    const { info } = this.lab
    const key = groupKey(info, settingsOf(this.own))
    const seed = this.shown.find(({ run }) => groupKey(info, { ...run, origin: '' }) === key)
    return [ownStyle, seed?.groupStyle ?? ownStyle]
  }

  /** Draws a run, or its newer state. `styles`: the styles of a run of a link, unless other runs have them. */
  select(run: ComparedRun, styles: RunStyles | null = null): void {
    const isKnown = this.selected.some((selected) => selected.run.id === run.id)
    const key = groupKey(this.lab.info, run)
    const group = this.selected.find((selected) => groupKey(this.lab.info, selected.run) === key)
    this.selected = isKnown
      ? this.selected.map((selected) => (selected.run.id === run.id ? { ...selected, run } : selected))
      : [
          ...this.selected,
          {
            run,
            style: firstFree(
              this.selected.map(({ style }) => style),
              styles?.[0],
            ),
            groupStyle:
              group?.groupStyle ??
              firstFree(
                this.selected.map(({ groupStyle }) => groupStyle),
                styles?.[1],
              ),
          },
        ]
  }

  /** Draws a run that was replaced if other seeds of its settings are drawn, so that their band keeps it. */
  private keep(run: ComparedRun): void {
    const { info } = this.lab
    const key = groupKey(info, run)
    const others = this.runs.filter((other) => groupKey(info, other) === key)
    if (others.length > 0 && !others.some(({ seed }) => seed === run.seed)) this.select(run)
  }

  /** Returns the drawn runs with these settings and changes. */
  runsWith(settings: RunSettings): readonly ComparedRun[] {
    const { info } = this.lab
    const key = groupKey(info, settingsOf(settings))
    return this.runs.filter((run) => groupKey(info, { ...run, origin: '' }) === key)
  }

  deselect(id: string): void {
    this.selected = this.selected.filter(({ run }) => run.id !== id)
  }

  /**
   * Draws the curves in a link with the baseline and the bands of its sender. Malformed curves are reported and ignored. The link
   * that was opened last is not read again.
   */
  async open(text: string, info: ExperimentInfo): Promise<void> {
    if (text !== this.text) this.reading = this.read(text, info)
    await this.reading
    const { baseline, band } = this.sent
    if (text !== this.text) return
    if (baseline !== null) this.pin(baseline)
    // The link of a single run has no bands.
    this.band = band ?? 'interval'
  }

  /** Reads the curves in a link. Ignores them if another exhibit has been opened before they are decoded. */
  private async read(text: string, info: ExperimentInfo): Promise<void> {
    this.text = text
    this.sent = { baseline: null, band: null }
    try {
      const { runs, baseline, interval } = await decodeComparison(text)
      if (this.text !== text) return
      if (this.lab.info?.name !== info.name) return void (this.text = null)
      this.linked = runs.map((run, i) => {
        const { address, title, latest, solved, changes, trainedOn, steps, columns } = run
        const settings = settingsAt(info, address)
        if (!settings)
          throw { message: `The curves in this link are not of ${info.title}, or have unknown settings.` }
        const named = { id: linkedId(i), origin: linkedOrigin, experiment: info.name, title }
        return { ...named, ...settings, curves: { steps, columns }, latest, solved, changes, trainedOn }
      })
      for (const [i, run] of this.linked.entries()) this.select(run, runs[i]!.styles)
      this.sent = {
        baseline: baseline === null ? null : linkedId(baseline),
        band: runs.length > 1 ? (interval ? 'interval' : 'range') : null,
      }
    } catch (problem) {
      toasts.error(problem)
    }
  }

  /** Returns the curves of a metric. */
  series(metric: string): Series[] {
    const range = this.rangeOf(metric)
    return this.groups.flatMap(({ name: label, runs, drawsOwn, style }) => {
      const curves: Curve[] = runs.flatMap((run) => {
        const values = run.curves.columns[metric]
        return values ? curveOn(axisOf(run), values) : []
      })
      if (drawsOwn) curves.push(...curveOn(ownAxis(this.lab), this.lab.history.column(metric)))
      if (curves.length === 0) return []
      if (curves.length === 1) return [{ label, ...style, ...curves[0]! }]
      const { positions, mean, low, high, count } = bandOf(curves, this.band, range)
      const named = `${label}, ${bandName(this.band, count)}`
      return [{ label: named, ...style, positions, values: mean, band: { low, high } }]
    })
  }

  /** Returns how the bands of a metric are computed, in words; empty if no band is drawn. */
  bandNote(metric: string): string {
    return this.groups.some(({ runs }) => runs.length > 1) ? bandMethod(this.band, this.rangeOf(metric)) : ''
  }

  private rangeOf(metric: string): Bounds {
    return this.lab.info?.metrics.find(({ name }) => name === metric)?.range ?? [null, null]
  }

  /** Whether the current run has positions on the x axis. */
  private get isOwnDrawable(): boolean {
    return ownAxis(this.lab).positions.length > 0
  }

  /** The positions of each line; the x axes of all charts contain them. A band ends with the first of its runs. */
  get positions(): readonly (readonly number[])[] {
    return this.groups.flatMap(({ runs }) => {
      const all = runs.map((run) => axisOf(run).positions).filter(({ length }) => length > 0)
      const end = Math.min(...all.map((positions) => positions.at(-1)!))
      return all.map((positions) => positions.filter((position) => position <= end))
    })
  }

  /** The last position that all drawn runs have reached; null if all end there, or if no other run is drawn. */
  get commonEnd(): number | null {
    const all = [ownAxis(this.lab), ...this.runs.map(axisOf)].map(({ positions }) => positions.at(-1) ?? 0)
    const ends = all.filter((end) => end > 0)
    const first = Math.min(...ends)
    return this.runs.length > 0 && ends.length > 1 && first < leastCommon * Math.max(...ends) ? first : null
  }

  /** Returns the number of runs in a line, without runs that have no positions on the x axis. */
  drawnCount({ runs, drawsOwn }: RunGroup): number {
    return runs.filter(isDrawable).length + (drawsOwn && this.isOwnDrawable ? 1 : 0)
  }

  /** Names of the runs that are not drawn, because they have no training times. */
  get withoutTimes(): readonly string[] {
    const { info, history } = this.lab
    if (!info || chartAxis.kind === 'steps') return []
    const isUntimed = !this.isOwnDrawable && history.length > 0
    const others = this.runs.filter((run) => !isDrawable(run))
    return [...(isUntimed ? ['this run'] : []), ...others.map((run) => groupName(info, [run]))]
  }
}

const axisOf = ({ curves: { steps, columns } }: ComparedRun): RunAxis =>
  runAxis(chartAxis.kind, steps, columns[elapsed] ?? [])

const isDrawable = (run: ComparedRun) => axisOf(run).positions.length > 0

/** Returns a curve on an axis; none if the run has no positions there. */
const curveOn = ({ positions, valuesAt }: RunAxis, values: Curve['values']): Curve[] =>
  positions.length > 0 ? [{ positions, values: valuesAt(values) }] : []

/** Returns the preferred index if it is not used, otherwise the smallest index that is not used. */
function firstFree(used: readonly number[], preferred?: number): number {
  if (preferred !== undefined && !used.includes(preferred)) return preferred
  let free = 0
  while (used.includes(free)) free++
  return free
}

/** Returns a text that runs have in common if they differ in the seed only. */
const groupKey = (
  info: ExperimentInfo | null,
  { origin = '', config, changes = [] }: RunSettings & Pick<ComparedRun, 'origin'>,
): string => {
  const during = changeSpans(changes, config).map(({ path, steps, before }) => [path, steps, before])
  return origin + JSON.stringify([info ? differences(info.fields, config, info.defaults) : config, ...during])
}

/** Returns the settings of the current run, without its place in a comparison. */
const settingsOf = ({ config, changes }: RunSettings): RunSettings => ({ config, changes })

/**
 * Returns the runs by lines. `combined`: whether runs that differ in the seed only are one line. The current run `own` belongs to
 * a band of at least two other runs with its settings.
 */
function groupsOf(
  info: ExperimentInfo,
  selected: readonly Selected[],
  combined: boolean,
  own: OwnRun,
): RunGroup[] {
  const groups = new Map<string, Selected[]>()
  for (const one of selected) {
    const key = combined ? groupKey(info, one.run) : one.run.id
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const ownKey = groupKey(info, settingsOf(own))
  return [...groups].map(([key, group]) => {
    const runs = group.map(({ run }) => run)
    const { style, groupStyle } = group[0]!
    const hasOwn = runs.length > 1 && key === ownKey && !runs.some(({ seed }) => seed === own.seed)
    const drawsOwn = hasOwn && own.steps >= lastCommonStep(runs)
    const name = groupName(info, runs, drawsOwn ? [own.seed] : [])
    return { name, runs, hasOwn, drawsOwn, style: styleAt(combined ? groupStyle : style) }
  })
}

/**
 * Returns origin, settings and seeds in words, such as “From the link: Moon gravity, seed 3”. `further`: further seeds of the
 * group.
 */
export function groupName(
  info: ExperimentInfo,
  runs: readonly ComparedRun[],
  further: readonly number[] = [],
): string {
  const [first] = runs as [ComparedRun]
  const seeds = seedsName([...runs.map(({ seed }) => seed), ...further])
  const name = `${settingsName(info, first)}, ${seeds}${onEngine(first.engine)}`
  return first.origin ? `${first.origin}: ${name}` : name
}

/** Returns runs, sorted by seed, with their settings and seeds in words, without their origin. */
const namedGroup = (info: ExperimentInfo, runs: readonly ComparedRun[]): ComparedGroup => ({
  name: groupName(
    info,
    runs.map((run) => ({ ...run, origin: '' })),
  ),
  runs: runs.toSorted((a, b) => a.seed - b.seed),
})

/** Returns seeds in words, such as “seeds 1, 3”; more than two consecutive ones as “seeds 1 to 5”. */
function seedsName(seeds: readonly number[]): string {
  const sorted = [...new Set(seeds)].sort((a, b) => a - b)
  const [first, last] = [sorted[0]!, sorted.at(-1)!]
  if (sorted.length === 1) return `seed ${first}`
  const isRow = sorted.length > 2 && last - first === sorted.length - 1
  return `seeds ${isRow ? `${first} to ${last}` : sorted.join(', ')}`
}

export const [useComparison, comparisonOf] = partOf((lab) => new Comparison(lab))

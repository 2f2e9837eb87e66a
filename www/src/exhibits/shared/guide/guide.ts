/** A guided path through an exhibit: steps that set a state, ask a question and report the outcome. */
import type { Command, Speed, StepEnd } from '../../../engine/page/session'
import type { Point } from '../../../state/history'
import type { World } from '../../../worlds'

/**
 * Source of a figure: a metric, the mean of its last three values (`recent`), its first value, the steps of its last value, a
 * counter, a config field, the training time, the time or steps until the run was solved, the steps at the last change of the
 * environment, or the attribute `data-value` or the value of an element.
 */
export type Figure =
  | { metric: string }
  | { recent: string }
  | { first: string }
  | { 'last-steps': string }
  | { progress: 'steps' | 'updates' | 'episodes' }
  | { field: string }
  | { run: 'seconds' | 'solved-seconds' | 'solved-steps' | 'changed-steps' }
  /**
   * Reads the number from another data attribute, named `attribute`, or from the element's text if `attribute` is
   * `text`. `missing`: the value while the page lacks the element; default: unknown.
   */
  | { element: string; attribute?: string; missing?: number }

/** Current value of each figure of a step; undefined while unknown. */
export type Values<Names extends string = string> = Readonly<Partial<Record<Names, number>>>

/**
 * Returns the first point of the stored curve of a metric that a test accepts; undefined if none. The values of figures are later
 * than the moment that a step reports: they are read a few times a second, and training continues until it pauses.
 */
export type FindPoint = (metric: string, accepts: (point: Point) => boolean) => Point | undefined

/**
 * Action that a guide step performs on the page, when the step is opened or when its button is clicked. Elements are
 * named by their test id.
 */
export type Action =
  | { kind: 'learn'; on: boolean }
  | { kind: 'act'; on: boolean }
  | { kind: 'speed'; speed: Speed }
  | { kind: 'single-step'; until: StepEnd }
  /**
   * Restarts the run with its settings, or with the settings of a preset. `held`: training stays paused. `from`: only a
   * run with the settings of this preset restarts.
   */
  | { kind: 'restart'; preset?: string; held?: boolean; from?: string }
  | { kind: 'set'; path: string; value: unknown }
  /** Sends a command to the experiment, if no control of the page sends it. */
  | { kind: 'command'; command: Command }
  /** Clicks an element. `optional`: a missing or disabled element is skipped. */
  | { kind: 'click'; element: string; optional?: boolean }
  /** Performs actions unless a figure has this value. */
  | { kind: 'unless'; figure: Figure; is: number; does: readonly Action[] }
  /** Waits until a control, such as a button that loads a file, is enabled again. */
  | { kind: 'wait'; element: string }
  /** Waits until a figure is at least this value. */
  | { kind: 'reach'; figure: Figure; value: number }
  /** Presses a key on an element. */
  | { kind: 'press'; element: string; key: string }
  /** Sets the value of an input or a select. */
  | { kind: 'fill'; element: string; value: string }

/** Actions that train at full speed. */
export const trainFast: readonly Action[] = [
  { kind: 'speed', speed: 'max' },
  { kind: 'learn', on: true },
]

/** Actions that replace the run by a new one with its settings, and train at full speed. */
export const trainNew: readonly Action[] = [{ kind: 'restart' }, ...trainFast]

/** Returns whether the actions start training. */
export const trains = (actions: readonly Action[]): boolean =>
  actions.some(
    (action) => (action.kind === 'learn' && action.on) || (action.kind === 'unless' && trains(action.does)),
  )

/** Condition for the experiment of a step, such as a trained policy. */
export interface Requirement<Names extends string = string> {
  isMet: (now: Values<Names>) => boolean
  /** States why the experiment is not possible yet. */
  text: string
  /** Returns how far the run is from the condition, with the figure that is needed; null while it is unknown. */
  progress?: (now: Values<Names>) => string | null
  /** Returns which part of the way to the condition is complete, from 0 to 1, if it grows evenly. */
  part?: (now: Values<Names>) => number
  /** Returns what the visitor sees once the condition is met, before the experiment starts; null for nothing. */
  met?: (now: Values<Names>) => string | null
  /** Button that makes the run meet the condition. It replaces the button of the experiment until then. */
  action: StepAction
  /** Actions that are performed once the condition is met after a click of the button. */
  finish?: readonly Action[]
  /** Whether the condition must hold for a repetition as well, because the experiment itself ends it. */
  again?: true
}

/** Button of a step, and its actions. */
interface StepAction {
  label: string
  does: readonly Action[]
}

/** Outcome of a step with guesses. */
export interface Answer {
  /** Sentences that follow the right guess, see {@link verdictOf}. They do not begin with “Yes” or “No”. */
  text: string
  /** Index of the guess that came true. */
  right: number
}

/** Suggestion for a further experiment, in the summary of a guide and in the end panel of a run. */
export interface NextStep {
  label: string
  /** Actions of the button, or the environment that it opens. */
  does: readonly Action[] | World
  /** Element that the actions concern: scrolled into view and focused. */
  target?: string
  /** Elements whose parts of a guided exhibit are shown besides the target. Default: the controls that the actions use. */
  shows?: readonly string[]
  /** Whether the button plays the run again. */
  again?: true
}

/** Short sentence of a summary. It describes what usually happens, so that it also holds if a visitor has skipped its steps. */
export interface Lesson {
  text: string
  /** Numbers of the steps whose experiments show it, from 1. */
  steps: readonly number[]
}

/** Summary of a guide, shown after its last step. */
export interface GuideSummary {
  learned: readonly Lesson[]
  /** One further experiment, which the card shows after the summary: a step, or actions without a question. */
  next: NextStep | GuideStep
}

export interface GuideStep {
  title: string
  /** Explanation. `[label](slug)` is a term of the glossary. */
  text: string
  question: string
  /** Answers to the question, one of which the visitor may choose before the experiment. */
  guesses?: readonly string[]
  /** Element that the step explains: highlighted and scrolled into view. */
  target: string
  /** Second element that is scrolled into view. */
  also?: string
  /** Element that the outcome suggests to try: highlighted and scrolled into view then, instead of the target. */
  tries?: string
  /**
   * Elements whose parts of the exhibit are shown besides that of the target, see `focus.ts`. Default: the controls that the
   * buttons use, and the elements that display the figures.
   */
  shows?: readonly string[]
  /** Elements among these that show the answer: their parts of the exhibit are hidden until the button is clicked. */
  reveals?: readonly string[]
  /** Whether the picture of training is hidden unless the step names an element of it: the step explains another part. */
  hidesPicture?: true
  /** Actions that prepare the exhibit when the step is opened, see {@link setupOf}. They do not restart the run. */
  setup?: readonly Action[]
  /** What {@link setup} prepares, such as “Loading the pretrained network”. Default: “Preparing this step”. */
  preparing?: string
  /** Actions that undo the changes of the step, performed when the visitor leaves the step or the guide. */
  leave?: readonly Action[]
  requirement?: Requirement
  /** Button that performs the experiment for the visitor. */
  action: StepAction
  figures: Readonly<Record<string, Figure>>
  /** Activity of the visitor or the page after a click of the button, fixed or computed from the figures. Default: “Training” or “Running”. */
  running?: string | ((now: Values) => string)
  /** Returns which part of the experiment is complete, from 0 to 1. Default: unknown. */
  progress?: (now: Values, then: Values) => number
  /** Whether {@link progress} grows evenly, so that the time of the experiment can be estimated from it. */
  isSteady?: true
  /** Actions that cancel the experiment, besides a pause of training. */
  stop?: readonly Action[]
  /**
   * Returns the text of the outcome, or null if the outcome has not occurred yet. `now`: current values of the figures.
   * `then`: their values when the button was clicked, or their first known values since then. A text without an
   * {@link Answer} does not decide which guess came true. See {@link Outcome} for the texts that are frozen.
   */
  outcome: (now: Values, then: Values, find?: FindPoint) => string | Answer | null
  /**
   * Returns whether the outcome is final: its text does not change until the button is clicked again, and {@link finish}
   * is performed. Default: never; a text that decides the guess is frozen without it.
   */
  isFinal?: (now: Values, then: Values, find?: FindPoint) => boolean
  /** Clause after “Usually”: the result that the next step states if the visitor has skipped the experiment. */
  usually?: string
  /**
   * Whether the first answer stays if the experiment is repeated: the question is about the run as it was then, which
   * training has changed since.
   */
  keepsAnswer?: true
  /** Actions that are performed once the outcome is final. */
  finish?: readonly Action[]
  /** Summary of the guide, at its last step only. */
  summary?: GuideSummary
}

export type Guide = readonly GuideStep[]

/** Returns a step with checked names of its figures. */
export function step<Names extends string>(
  given: Omit<GuideStep, 'requirement' | 'figures' | 'outcome' | 'isFinal' | 'progress' | 'running'> & {
    requirement?: Requirement<NoInfer<Names>>
    figures: Readonly<Record<Names, Figure>>
    outcome: (now: Values<Names>, then: Values<Names>, find?: FindPoint) => string | Answer | null
    isFinal?: (now: Values<Names>, then: Values<Names>, find?: FindPoint) => boolean
    progress?: (now: Values<Names>, then: Values<Names>) => number
    running?: string | ((now: Values<Names>) => string)
  },
): GuideStep {
  return given as GuideStep
}

/**
 * Returns the sentence about an experiment that the visitor has skipped, so that no result is stated as one of the run. `number`: of
 * the step, from 1.
 */
export const skippedText = ({ usually }: Pick<GuideStep, 'usually'>, number: number): string =>
  `You skipped step ${number}.${usually ? ` Usually ${usually}` : ''}`

/** Returns the sentences of a summary whose experiments the visitor has seen, and the others. `done`: indices of the steps with an outcome. */
export const lessonsOf = (
  learned: readonly Lesson[],
  done: ReadonlySet<number>,
): { seen: readonly string[]; skipped: readonly string[] } => {
  const isSeen = ({ steps }: Lesson) => steps.every((number) => done.has(number - 1))
  const textsOf = (lessons: readonly Lesson[]) => lessons.map(({ text }) => text)
  return {
    seen: textsOf(learned.filter(isSeen)),
    skipped: textsOf(learned.filter((lesson) => !isSeen(lesson))),
  }
}

/** Ranges of a number as guesses, such as “Under 100 k”, “100 k to 200 k” and “Over 200 k”. */
export interface Ranges {
  guesses: readonly string[]
  /** Returns the index of the range that contains a value. A limit belongs to the range above it. */
  indexOf: (value: number) => number
}

/** Returns the ranges between these ascending limits. `unit` follows the numbers, such as ` s`. */
export function ranges(limits: readonly number[], text: (limit: number) => string, unit = ''): Ranges {
  const between = limits.slice(1).map((limit, i) => `${text(limits[i]!)} to ${text(limit)}${unit}`)
  return {
    guesses: [`Under ${text(limits[0]!)}${unit}`, ...between, `Over ${text(limits.at(-1)!)}${unit}`],
    indexOf: (value) => limits.filter((limit) => value >= limit).length,
  }
}

/** Text above an outcome: the guess while it is not decided, then the right guess. */
export interface Verdict {
  kind: 'open' | 'answer' | 'right' | 'wrong'
  text: string
}

/** Returns the text above an outcome; null without a guess and a decision. `guess`, `right`: indices in `guesses`. */
export function verdictOf(
  guesses: readonly string[],
  guess: number | null,
  right: number | null,
): Verdict | null {
  const quoted = (index: number) => `“${guesses[index]}”`
  if (right === null) return guess === null ? null : { kind: 'open', text: `Your guess: ${quoted(guess)}.` }
  if (guess === null) return { kind: 'answer', text: `Answer: ${quoted(right)}.` }
  if (guess === right) return { kind: 'right', text: `Right: ${quoted(right)}.` }
  return {
    kind: 'wrong',
    text: `Not quite. Answer: ${quoted(right)}.`,
  }
}

/** Part of a text; `term` is the slug of a glossary term, `after` the punctuation that follows it in the same line. */
export interface TextPart {
  text: string
  term: string | null
  after: string
}

/** Splits a text at its terms, such as `a [policy](policy)`. */
export const textParts = (text: string): TextPart[] =>
  text.split(/(\[[^\]]+\]\([\w-]+\)[.,;:?)]*)/).flatMap((part): TextPart[] => {
    const [, label, term, after = ''] = /^\[(.+)\]\(([\w-]+)\)([.,;:?)]*)$/.exec(part) ?? []
    if (label && term) return [{ text: label, term, after }]
    return part ? [{ text: part, term: null, after: '' }] : []
  })

/**
 * Returns the further experiment of a guide as a step, which keeps the run until its button is clicked; null if it is another
 * exhibit. A suggestion without a question reports that its actions are performed.
 */
export function furtherStepOf(guide: Guide): GuideStep | null {
  const next = guide.at(-1)?.summary?.next
  if (!next) return null
  if ('question' in next) return next
  const { label, does, target = 'living-view', shows } = next
  if (typeof does === 'string') return null
  const restarts = does.filter((action) => action.kind === 'restart')
  return {
    title: label,
    text: `The button starts the experiment in the exhibit.${restarts.length > 0 ? ' A new run then replaces the present one.' : ''}`,
    question: '',
    target,
    ...(shows && { shows }),
    leave: restarts.flatMap(({ preset = 'default' }) => (preset === 'default' ? [] : leavePreset(preset))),
    action: { label: 'Start the experiment', does },
    figures: {},
    outcome: () => 'The experiment has started. “Explore freely” keeps it and shows all controls.',
    isFinal: () => true,
  }
}

/** Restarts a run of this preset with the default settings, paused, when the visitor leaves the step or the guide. */
export const leavePreset = (preset: string): readonly Action[] => [
  { kind: 'restart', preset: 'default', from: preset, held: true },
]

/** Returns the index of the step with this number, counted from 1. Numbers beyond the end return the last step. */
export const indexOf = (guide: Guide, number: number): number =>
  Math.min(Math.max(1, Math.trunc(number)), guide.length) - 1

/** Training time in seconds in which a run counts as new. */
const newSeconds = 10

/**
 * Returns the actions that prepare a step. `moved`: the visitor has opened a step of the open guide. The first step
 * describes the untrained start, so that a new run restarts and stays paused if the guide is opened there. A restored
 * run does not change when a reload opens its step.
 */
export function setupOf(
  guide: Guide,
  step: GuideStep,
  run: { moved: boolean; fromFile: boolean; running: boolean; seconds: number },
): readonly Action[] {
  const { setup = [] } = step
  if (run.moved) return setup
  if (run.fromFile) return []
  const isNew = step === guide[0] && run.running && run.seconds < newSeconds
  return isNew ? [{ kind: 'restart', held: true }, ...setup] : setup
}

/** Returns the values of all figures that are finite numbers. */
export function valuesOf({ figures }: Pick<GuideStep, 'figures'>, read: (figure: Figure) => unknown): Values {
  const values: Record<string, number> = {}
  for (const [name, figure] of Object.entries(figures)) {
    const value = read(figure)
    if (typeof value === 'number' && Number.isFinite(value)) values[name] = value
  }
  return values
}

/** Growth of a part from which on its time is estimated. */
const estimable = 0.1

/** Returns the estimated time until a part becomes 1 that grows evenly; null while unknown. `passed`: time since it was `from`. */
export const remainingTime = (part: number, from: number, passed: number): number | null =>
  part < 1 && part - from >= estimable ? (passed * (1 - part)) / (part - from) : null

/** Returns a part between 0 and 1; null if it is unknown. */
export const boundedPart = (part: number | undefined): number | null =>
  part !== undefined && Number.isFinite(part) ? Math.max(0, Math.min(1, part)) : null

/** Returns the first number in a text, with the minus sign of the page; null if it has none. */
export function numberIn(text: string): number | null {
  const found = /[−-]?\d[\d,]*(\.\d+)?/.exec(text)
  return found ? Number(found[0].replace('−', '-').replaceAll(',', '')) : null
}

/**
 * The outcome of a step. It has no text before the experiment has started. A text that decides the guess is frozen, with
 * the values that it states, until the experiment is repeated or the step is opened again. So is the first text of a step
 * without guesses, unless the step defines when its outcome is final. Other texts follow the current values.
 */
export class Outcome {
  text: string | null = null
  /** Index of the guess that came true; null while it is not decided. */
  right: number | null = null
  /** Values at the start of the experiment; null before. */
  private then: Values | null = null
  /** Whether the condition of the step for a final outcome was met since the start. */
  final = false
  private frozen = false
  /** First index of the guess that came true, also of earlier experiments; null before. */
  private first: number | null = null
  /** Whether the text was frozen before the outcome was final. */
  private frozenEarly = false

  constructor(private readonly step: GuideStep) {}

  /** Removes the outcome of an earlier experiment. */
  clear(): void {
    this.then = this.text = this.right = null
    this.final = this.frozen = this.frozenEarly = false
  }

  /** Starts the experiment, or repeats it: changes are measured from these values. */
  start(now: Values): void {
    this.clear()
    this.then = now
  }

  /** Whether the experiment has started and its text can still change. */
  get open(): boolean {
    return this.then !== null && !this.frozen && !this.final
  }

  /** Returns which part of the experiment is complete; null if unknown. */
  progress(now: Values): number | null {
    return this.then ? boundedPart(this.step.progress?.(now, this.then)) : null
  }

  /** Returns the requirement if it prevents the start of the experiment, or its repetition, else null. */
  unmet(now: Values): Requirement | null {
    const { requirement } = this.step
    const started = this.then !== null && !(this.final && requirement?.again)
    return started || !requirement || requirement.isMet(now) ? null : requirement
  }

  /**
   * Computes a final outcome again, from the values of the run that has stopped since. These may no longer meet the
   * condition for a final outcome.
   */
  settle(now: Values, find?: FindPoint): void {
    if (!this.final) return
    this.final = false
    if (!this.frozenEarly) {
      this.frozen = false
      this.text = this.right = null
    }
    this.update(now, find)
    if (this.frozen) this.final = true
  }

  /** Updates the text with the current values. The first known value of a figure since the start is its value then. */
  update(now: Values, find?: FindPoint): string | null {
    if (!this.then) return null
    if (this.final) return this.text
    this.then = { ...now, ...this.then }
    const outcome = this.step.outcome(now, this.then, find)
    if (outcome === null) return this.text
    const [text, newest] = typeof outcome === 'string' ? [outcome, null] : [outcome.text, outcome.right]
    this.first ??= newest
    const right = this.step.keepsAnswer ? this.first : newest
    this.final = this.step.isFinal?.(now, this.then, find) ?? false
    if (this.frozen) return this.text
    this.text = text
    this.right = right
    this.frozen = this.final || right !== null || !(this.step.guesses || this.step.isFinal)
    this.frozenEarly = this.frozen && !this.final
    return this.text
  }
}

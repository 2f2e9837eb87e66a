/** Training texts (corpora) that the user has opened. A run that lacks its corpus receives it from here. */
import type { ExperimentInfo, LanguageInfo } from '../../../engine/page/session'
import { get, presetConfig, set, type Config } from '../../../state/config'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { asProblem } from '../../../lib/problem'
import type { Steer } from '../../shared/family'
import {
  leastLength,
  lengthOf,
  modelFiles,
  presetFor,
  textOf,
  tooShort,
  type OwnText,
  type TextFile,
} from './textFiles'

export class OwnTexts {
  /** Problem of the last opened files; null if there is none. */
  problem = $state<string | null>(null)
  busy = $state(false)
  /** Name of the corpus of the last run that was started here; null if there is none. */
  #begun: string | null = $state(null)
  /** Number of the last run whose corpus was rejected. */
  #refused = $state(-1)
  #known = new Map<string, OwnText>()
  /** Number of the last run that received its corpus; a run receives its corpus once. */
  #given = -1

  constructor(private readonly lab: Lab) {
    // Some errors of a corpus are reported only during tokenization.
    lab.listen(({ cause, message }) => {
      if (cause?.code !== 'invalid' || cause.field !== 'data') return false
      this.problem = message
      this.#refused = this.lab.run
      return true
    })
  }

  /** Returns whether the corpus is missing because the experiment has rejected it. */
  refused(missing: string | null): boolean {
    return missing !== null && missing === this.#begun && this.lab.run === this.#refused
  }

  /** Opens files of the user: a model in the format of Hugging Face, or a corpus for {@link learnFrom}. */
  async open(...given: Parameters<OwnTexts['learnFrom']>): Promise<void> {
    const model = modelFiles(given[0])
    if (!model) return this.learnFrom(...given)
    this.busy = true
    try {
      const { openModel } = await import('./huggingFace')
      this.problem = await openModel(this.lab, model)
    } finally {
      this.busy = false
    }
  }

  /** Returns the minimum length in bytes of a corpus of `length` bytes; the length determines the preset. */
  leastLength(length: number, info: ExperimentInfo, missing: string | null): number {
    return leastLength(Number(get(this.#configFor(length, info, missing), 'learner.context')))
  }

  /** Returns the name of the corpus that the run waits for and can still use; null if a new run starts. */
  #replaced = (missing: string | null): string | null =>
    missing !== null && !this.refused(missing) ? missing : null

  /** Returns the config of the run that trains on a corpus of `length` bytes. */
  #configFor = (length: number, info: ExperimentInfo, missing: string | null): Config =>
    this.#replaced(missing) === null ? fitting(length, info) : this.lab.config

  /**
   * Restarts with a corpus and a suitable preset. If the run waits for a corpus, supplies the corpus without a restart.
   */
  async learnFrom(
    files: readonly TextFile[],
    info: ExperimentInfo,
    world: LanguageInfo,
    steer: Steer,
    missing: string | null,
  ): Promise<void> {
    const replaced = this.#replaced(missing)
    this.busy = true
    this.problem = null
    try {
      const text = await textOf(files, world.max_text_bytes)
      if ('problem' in text) return void (this.problem = text.problem)
      const config = this.#configFor(lengthOf(text.files), info, missing)
      // Checked before the restart, which cannot be undone.
      this.problem = tooShort(text, Number(get(config, 'learner.context')))
      if (this.problem !== null) return
      if (replaced !== null) {
        const opened = { ...text, name: replaced }
        this.#known.set(replaced, opened)
        this.#given = -1
        await this.give(replaced, opened)
        if (!theme.reducedMotion) this.lab.play()
        return
      }
      this.#known.set(text.name, text)
      this.#begun = text.name
      // Starts training, but not if the restart fails.
      await steer.restart(set(config, 'data', text.name))
    } finally {
      this.busy = false
    }
  }

  /**
   * Supplies the waiting run with the corpus named `name`: `opened`, or the corpus that is stored with the run, or a
   * corpus that was opened on this page. Other texts may have the same name as the stored one.
   */
  async give(name: string, opened: OwnText | null = null): Promise<void> {
    if (this.#given === this.lab.run) return
    const kept = this.lab.runStorage?.attached()
    const text = opened ?? (kept?.name === name ? kept : null) ?? this.#known.get(name)
    if (!text) return
    this.#given = this.lab.run
    try {
      const files = await Promise.all(
        text.files.map(async (file) => new Uint8Array(await file.arrayBuffer())),
      )
      await this.lab.session?.bringText(
        text.files.map(({ name }) => name),
        files,
      )
      if (text !== kept) this.lab.runStorage?.attach(text)
    } catch (problem) {
      const { message, hint } = asProblem(problem)
      this.problem = hint ? `${message} ${hint}` : message
      this.#known.delete(name)
    }
  }
}

/** Returns the config of the preset that suits a corpus of `length` bytes. */
function fitting(length: number, info: ExperimentInfo): Config {
  const preset = info.presets.find(({ name }) => name === presetFor(length, isPhone()))
  return preset ? presetConfig(info, preset) : info.defaults
}

/** Returns whether the device is a phone: coarse pointer and small screen. */
function isPhone(): boolean {
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600
}

export const [useOwnTexts, ownTextsOf] = partOf((lab) => new OwnTexts(lab))

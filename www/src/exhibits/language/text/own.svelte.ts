/** The texts that were brought to this page. A run that misses one of them is given it. */
import type { ExperimentInfo, LanguageInfo } from '../../../engine/page/session'
import { get, leaves, set, withSettings, type Config } from '../../../state/config'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { asProblem } from '../../../lib/problem'
import type { Steer } from '../../shared/family'
import { lengthOf, presetFor, textOf, tooShort, type OwnText, type TextFile } from './bring'

export class OwnTexts {
  /** What was wrong with the files that were brought last; null where nothing was. */
  problem = $state<string | null>(null)
  busy = $state(false)
  /** The text that a run was begun with here, and the last run whose text could not be learned from. */
  #begun: string | null = $state(null)
  #refused = $state(-1)
  #known = new Map<string, OwnText>()
  /** The run that was last given its text: it is given once. */
  #given = -1

  constructor(private readonly lab: Lab) {
    // What is wrong with a text may show only while it is read.
    lab.listen(({ field, message }) => {
      if (field !== 'data') return false
      this.problem = message
      this.#refused = this.lab.run
      return true
    })
  }

  /** Whether the run waits for a text because the one that it was begun with here could not be learned from. */
  refused(missing: string | null): boolean {
    return missing !== null && missing === this.#begun && this.lab.run === this.#refused
  }

  /** Begins anew with a text, and the preset that fits it; where a run waits for a text, it is given this one. */
  async learnFrom(
    files: readonly TextFile[],
    info: ExperimentInfo,
    world: LanguageInfo,
    steer: Steer,
    missing: string | null,
  ): Promise<void> {
    const replaced = missing !== null && !this.refused(missing) ? missing : null
    this.busy = true
    this.problem = null
    try {
      const text = await textOf(files, world.largest_text)
      if ('problem' in text) return void (this.problem = text.problem)
      const config = replaced === null ? fitting(text, info) : this.lab.config
      // A run that has begun anew cannot be had back.
      this.problem = tooShort(text, Number(get(config, 'learner.context')))
      if (this.problem !== null) return
      if (replaced !== null) {
        this.#known.set(replaced, { ...text, name: replaced })
        this.#given = -1
        await this.give(replaced)
        if (!theme.reducedMotion) this.lab.play()
        return
      }
      this.#known.set(text.name, text)
      this.#begun = text.name
      await steer.restart(set(config, 'data', text.name))
      if (!theme.reducedMotion) this.lab.play()
    } finally {
      this.busy = false
    }
  }

  /** Gives the run that waits for it the text of this name, if it was brought to this page or is kept with the run. */
  async give(name: string): Promise<void> {
    if (this.#given === this.lab.run) return
    const kept = this.lab.keeper?.attached()
    const text = this.#known.get(name) ?? (kept?.name === name ? kept : null)
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
      if (text !== kept) this.lab.keeper?.attach(text)
    } catch (problem) {
      const { message, hint } = asProblem(problem)
      this.problem = hint ? `${message} ${hint}` : message
      this.#known.delete(name)
    }
  }
}

/** The config of the preset that fits a text. */
function fitting(text: OwnText, info: ExperimentInfo): Config {
  const preset = info.presets.find(({ name }) => name === presetFor(lengthOf(text.files), isPhone()))
  return withSettings(info.defaults, leaves((preset?.config ?? {}) as Config))
}

/** Whether this is a machine with little memory, worked by a finger. */
function isPhone(): boolean {
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600
}

export const [useOwnTexts, ownTextsOf] = partOf((lab) => new OwnTexts(lab))

/** The texts that were brought to this page. A run that misses one of them is given it. */
import type { ExperimentInfo, LanguageInfo } from '../../../session'
import { leaves, set, withSettings, type Config } from '../../../state/config'
import { lab } from '../../../state/lab.svelte'
import { theme } from '../../../state/theme.svelte'
import { asProblem } from '../../../state/toasts.svelte'
import type { Steer } from '../../frame/Exhibit.svelte'
import { presetFor, textOf, type OwnText, type TextFile } from './bring'

class OwnTexts {
  /** What was wrong with the files that were brought last; null where nothing was. */
  problem = $state<string | null>(null)
  busy = $state(false)
  #known = new Map<string, OwnText>()
  /** The run that was last given its text: it is given once. */
  #given = -1

  /** Begins anew with a text, and the preset that fits it; where a run waits for a text, it is given this one. */
  async learnFrom(
    files: readonly TextFile[],
    info: ExperimentInfo,
    world: LanguageInfo,
    steer: Steer,
    missing: string | null,
  ): Promise<void> {
    this.busy = true
    this.problem = null
    try {
      const text = await textOf(files, world.largest_text)
      if ('problem' in text) return void (this.problem = text.problem)
      if (missing !== null) {
        this.#known.set(missing, { ...text, name: missing })
        this.#given = -1
        await this.give(missing)
        if (!theme.reducedMotion) lab.play()
        return
      }
      this.#known.set(text.name, text)
      const length = text.files.reduce((sum, file) => sum + file.size, 0)
      const preset = info.presets.find(({ name }) => name === presetFor(length, isPhone()))
      const fitting = withSettings(info.defaults, leaves((preset?.config ?? {}) as Config))
      await steer.restart(set(fitting, 'data', text.name))
    } finally {
      this.busy = false
    }
  }

  /** Gives the run that waits for it the text of this name, if it is known here. */
  async give(name: string): Promise<void> {
    const text = this.#known.get(name)
    if (!text || this.#given === lab.run) return
    this.#given = lab.run
    try {
      const files = await Promise.all(
        text.files.map(async (file) => new Uint8Array(await file.arrayBuffer())),
      )
      await lab.session?.bringText(
        text.files.map(({ name }) => name),
        files,
      )
    } catch (problem) {
      const { message, hint } = asProblem(problem)
      this.problem = hint ? `${message} ${hint}` : message
      this.#known.delete(name)
    }
  }
}

/** Whether this is a machine with little memory, worked by a finger. */
function isPhone(): boolean {
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600
}

export const ownTexts = new OwnTexts()

/** How a person's texts are written, and asking for them. */
import type { LanguageSampling } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { languageOf, type LanguageState } from './reading.svelte'

export class Writing {
  constructor(private readonly language: LanguageState) {}

  prompt = $state('')
  settings = $state.raw<LanguageSampling>({ temperature: 0.7, top_k: 40, tokens: 160 })
  /** What is wrong with the prompt, or with a setting. */
  problem = $state<string | null>(null)

  /** Has a text written, in place of the one that is. */
  async write(prompt: string): Promise<void> {
    this.prompt = prompt
    this.problem = await this.language.trial({ kind: 'write', prompt, ...this.settings })
  }

  /** Has it go on from another token in the text that is shown. */
  async goOn(writing: number, place: number, token: number): Promise<void> {
    this.problem = await this.language.trial({ kind: 'go_on', writing, place, token, ...this.settings })
  }

  stop(): void {
    void this.language.ask({ kind: 'stop_writing' })
  }
}

export const [useWriting] = partOf((lab) => new Writing(languageOf(lab)))

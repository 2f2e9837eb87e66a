/** Prompt and sampling settings of the user, and the generation commands. */
import type { LanguageSampling } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { languageOf, type LanguageState } from './language.svelte'

export class GenerationControls {
  constructor(private readonly language: LanguageState) {}

  prompt = $state('')
  settings = $state.raw<LanguageSampling>({ temperature: 0.7, top_k: 40, tokens: 160 })
  /** Error of the prompt or of a setting. */
  problem = $state<string | null>(null)

  /** Generates text after a prompt, replacing the current text. */
  async generate(prompt: string): Promise<void> {
    this.prompt = prompt
    this.problem = await this.language.trial({ kind: 'generate', prompt, ...this.settings })
  }

  /** Continues the displayed text with another token at a position. */
  async continueFrom(draft: number, position: number, token: number): Promise<void> {
    this.problem = await this.language.trial({
      kind: 'continue_from',
      draft,
      position,
      token,
      ...this.settings,
    })
  }

  stop(): void {
    void this.language.ask({ kind: 'stop_generating' })
  }
}

export const [useGeneration, generationOf] = partOf((lab) => new GenerationControls(languageOf(lab)))

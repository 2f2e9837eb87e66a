/** Prompt and sampling settings of the user, and the generation commands. */
import type { LanguageSampling } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { languageOf, type LanguageState } from './language.svelte'

export class GenerationControls {
  constructor(
    lab: Lab,
    private readonly language: LanguageState,
  ) {
    // The numbers of the texts restart with each run.
    lab.watchStarts(() => {
      this.replaced = null
      this.problem = null
    })
  }

  prompt = $state('')
  settings = $state.raw<LanguageSampling>({ temperature: 0.7, top_k: 40, tokens: 160, min_tokens: 0 })
  /** Error of the prompt or of a setting. */
  problem = $state<string | null>(null)
  /** Temperature of the newest text that the user requested. */
  temperature = $state(0)
  /** ID of the text that a requested text will replace (−1 for none); null without a request. */
  private replaced = $state<number | null>(null)

  /** Whether a requested text has not started yet. */
  get pending(): boolean {
    return this.replaced !== null && this.replaced === (this.language.draft?.id ?? -1)
  }

  /** Generates text after a prompt, replacing the current text. */
  async generate(prompt: string): Promise<void> {
    const { settings } = this
    this.prompt = prompt
    this.replaced = this.language.draft?.id ?? -1
    this.problem = await this.language.trial({ kind: 'generate', prompt, sampling: settings })
    if (this.problem === null) this.temperature = settings.temperature
    else this.replaced = null
  }

  /** Continues the displayed text with another token at a position. */
  async continueFrom(draft: number, position: number, token: number): Promise<void> {
    const { settings } = this
    this.problem = await this.language.trial({
      kind: 'continue_from',
      draft,
      position,
      token,
      sampling: settings,
    })
    if (this.problem === null) this.temperature = settings.temperature
  }

  /** Shows the current text beside the next ones. */
  keep(): void {
    const { draft } = this.language
    if (draft) this.language.keptText = { draft, temperature: this.temperature }
  }

  /** Shows only the newest text. */
  drop(): void {
    this.language.keptText = null
  }

  stop(): void {
    this.replaced = null
    void this.language.ask({ kind: 'stop_generating' })
  }

  /** Shows the samples instead of the texts that the user requested. */
  showSamples(): void {
    this.drop()
    // The first command stops a text that is being generated, the second one removes it.
    if (this.pending || this.language.draft?.status === 'writing') this.stop()
    this.stop()
  }
}

export const [useGeneration, generationOf] = partOf((lab) => new GenerationControls(lab, languageOf(lab)))

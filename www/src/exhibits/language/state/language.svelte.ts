/** State of the language-model page: the newest documents of the experiment. */
import type {
  Frame,
  LanguageDraft,
  LanguageEmbeddings,
  LanguageQuizView,
  LanguageRun,
  LanguageSamples,
  LanguageView,
} from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { Commands } from '../../../state/session-commands'
import { documentsOf } from '../../shared/documents'
import { attentionOf, type Attention } from '../model/attention'
import { mergeTokens } from '../model/tokenText'
import { checkedFact, type CheckedFact } from '../model/examples'

/** Token map: tokens and their positions. */
export interface TokenMap extends LanguageEmbeddings {
  /** Coordinates from −1 to 1, two per token. */
  positions: Float32Array
}

/** Text that is shown beside the newest one, with the temperature of its generation. */
export interface KeptText {
  draft: LanguageDraft
  temperature: number
}

export class LanguageState extends Commands {
  run = $state.raw<LanguageRun | null>(null)
  draft = $state.raw<LanguageDraft | null>(null)
  keptText = $state.raw<KeptText | null>(null)
  samples = $state.raw<LanguageSamples | null>(null)
  quiz = $state.raw<LanguageQuizView | null>(null)
  map = $state.raw<TokenMap | null>(null)
  /** The newest sentence after each example prompt, and whether it was true. */
  facts = $state.raw<Readonly<Record<string, CheckedFact>>>({})
  attention = $state.raw<Attention | null>(null)
  /** Index of the selected sample; null for the newest. */
  selectedSample = $state<number | null>(null)
  /** Whether the quiz shows the answers of the model to all questions. */
  quizShown = $state(false)
  #embeddings: LanguageEmbeddings | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => this.receive(frame))
  }

  private receive(frame: Frame | null): void {
    if (!frame) {
      this.run =
        this.draft =
        this.keptText =
        this.samples =
        this.quiz =
        this.map =
        this.attention =
        this.selectedSample =
          null
      this.quizShown = false
      this.facts = {}
      this.#embeddings = null
      return
    }
    const { language, draft, samples, quiz, embeddings } = documentsOf(frame, 'language')
    this.run = language ?? this.run
    if (draft !== undefined) this.draft = draft && mergeTokens(this.draft, draft)
    const fact = draft && this.draft && checkedFact(this.draft)
    if (fact) this.facts = { ...this.facts, [fact.prompt]: fact }
    this.samples = samples ?? this.samples
    if (quiz !== undefined) this.quiz = quiz
    this.#embeddings = embeddings ?? this.#embeddings
    const positions = frame.arrays['embeddings/positions']?.data
    if (positions instanceof Float32Array && this.#embeddings?.tokens.length === positions.length / 2)
      this.map = { ...this.#embeddings, positions }
    this.attention = attentionOf(frame) ?? this.attention
  }

  view(request: Omit<LanguageView, 'kind'>): () => void {
    return this.lab.view({ kind: 'language', ...request })
  }
}

export const [useLanguage, languageOf] = partOf((lab) => new LanguageState(lab))

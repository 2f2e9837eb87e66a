/** Field for typed plays: a play in standard notation, a column, or a word such as “roll”. */
import { elementOf } from '../../../lib/element'
import { partOf } from '../../../state/context'
import { readEntry, type Entry } from '../model/entry'
import { readAnswer, type QuizEntry } from '../model/quizEntry'
import { quizOf, type Quiz } from './quiz.svelte'
import { gameOf, type GameState } from './table.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

export class TypedPlay {
  isOpen = $state(false)
  #text = $state('')
  /** Whether Enter was pressed on the text. */
  #isRefused = $state(false)
  /** Element that had the focus before the field was opened. */
  #before: Element | null = null

  constructor(
    private readonly game: GameState,
    private readonly ui: TableUi,
    private readonly quiz: Quiz,
  ) {}

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#isRefused = false
  }

  /** Meaning of the text. */
  readonly entry: Entry | QuizEntry = $derived.by(() => {
    const { quiz } = this
    const { table } = this.game
    if (!table) return { kind: 'problem', text: 'The game is loading.' }
    if (this.ui.editing) return { kind: 'problem', text: 'End the setup of the position first.' }
    if (quiz.typed) return readAnswer(this.#text, quiz.typed)
    if (quiz.phase === 'rating') return { kind: 'problem', text: 'The answer is evaluated …' }
    if (quiz.phase === 'verdict') return { kind: 'problem', text: 'This question is answered.' }
    if (!this.ui.isPresent)
      return {
        kind: 'problem',
        text: 'The board shows an earlier position: return to the current one first.',
      }
    return readEntry(this.#text, table)
  })

  /** Whether Enter was pressed although the text is not complete or has a problem. */
  get isRefused(): boolean {
    const { kind } = this.entry
    return this.#isRefused && (kind === 'problem' || kind === 'part')
  }

  /** Closes the field when the visitor leaves the page; the focus belongs to the next page. */
  leave(): void {
    this.#before = null
    this.isOpen = false
    this.text = ''
  }

  /** Opens the field; the component moves the focus to it. */
  open(): void {
    if (this.isOpen) return void elementOf('typed-play')?.focus()
    this.#before = document.activeElement
    this.isOpen = true
  }

  /** Closes the field. The focus returns to the element that had it, or to the board. */
  close(): void {
    const before = this.#before
    const isGone = !(before instanceof HTMLElement) || !before.isConnected || before === document.body
    this.leave()
    ;(isGone ? elementOf('board') : before)?.focus()
  }

  /** Performs the entry, and empties the field for the next play. */
  async submit(): Promise<void> {
    const { entry, quiz, text, ui } = this
    if (entry.kind === 'problem' || entry.kind === 'part') return void (this.#isRefused = true)
    if (entry.kind === 'moves' || entry.kind === 'answer') {
      // The field is empty for the next question.
      this.text = ''
      return entry.kind === 'moves' ? quiz.play(entry.moves) : quiz.choose(entry.answer)
    }
    const isDone =
      entry.kind === 'play'
        ? await ui.play(entry.moves)
        : entry.kind === 'command'
          ? await ui.act(entry.command)
          : await ui.proceed(entry.action)
    // Keeps text typed in the meantime.
    if (isDone && this.#text === text) this.text = ''
  }
}

export const [useTypedPlay, typedPlayOf] = partOf(
  (lab) => new TypedPlay(gameOf(lab), tableUiOf(lab), quizOf(lab)),
)

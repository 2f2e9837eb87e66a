/** The field for typed plays during a quiz: meaning of its text as the answer to a question. */
import type { Checkers, Seat } from './checkers'
import type { DieMove, Roll } from './legalPlays'
import type { DoublingAction } from './quiz'
import { readPlay } from './readPlay'

/** Question of the quiz: a play in a position before its moves, or the actions of a doubling decision. */
export type TypedQuestion =
  | {
      kind: 'play'
      checkers: Checkers
      seat: Seat
      dice: Roll
      /** Moves on the board if they are a complete play; null otherwise. */
      made: readonly DieMove[] | null
    }
  | { kind: 'doubling'; choices: readonly DoublingAction[] }

/** Action of Enter, as in {@link Entry}. `moves` and `answer`: answers the question; `part` and `problem`: nothing. */
export type QuizEntry = { text: string } & (
  | { kind: 'moves'; moves: readonly DieMove[] }
  | { kind: 'answer'; answer: DoublingAction }
  | { kind: 'part' }
  | { kind: 'problem' }
)

const words: Readonly<Record<DoublingAction, readonly string[]>> = {
  double: ['double', 'd', 'redouble'],
  'no double': ['no double', 'n', 'no', 'no redouble', 'nd', 'roll'], // spellchecker:disable-line
  take: ['take', 't'],
  pass: ['pass', 'p', 'drop'],
}

const hint = (choices: readonly DoublingAction[]): string =>
  `Type ${choices.map((choice) => `“${choice}” (${words[choice][1]})`).join(' or ')}.`

function readAction(text: string, choices: readonly DoublingAction[]): QuizEntry {
  const answer = choices.find((choice) => words[choice].includes(text))
  if (answer) return { kind: 'answer', answer, text: `Enter answers “${answer}”.` }
  const begun = choices.some((choice) => words[choice].some((word) => word.startsWith(text)))
  return { kind: begun ? 'part' : 'problem', text: hint(choices) }
}

/** Returns the meaning of the text of the field as an answer. */
export function readAnswer(typed: string, question: TypedQuestion): QuizEntry {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  if (question.kind === 'doubling') return readAction(text, question.choices)
  const { checkers, seat, dice, made } = question
  if (text === '' && made)
    return { kind: 'moves', moves: made, text: 'Enter answers with the play on the board.' }
  if (text === '') return { kind: 'part', text: `Type a play with ${dice.join('-')}, such as 24/18.` }
  const read = readPlay(typed, checkers, seat, dice)
  if (read.kind !== 'play') return read
  return { kind: 'moves', moves: read.play.moves, text: `Enter answers ${read.notation}.` }
}

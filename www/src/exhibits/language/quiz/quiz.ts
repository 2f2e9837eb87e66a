/** The quiz as a person looks at it. */
import type { LanguageAnswer, LanguageEvaluationRow, LanguageScore } from '../../../engine/page/session'

/** Answers about a topic; null for all of them. */
export const about = (answers: readonly LanguageAnswer[], topic: string | null): readonly LanguageAnswer[] =>
  topic === null ? answers : answers.filter((answer) => answer.topic === topic)

/** The share of right answers; null where nothing was asked. */
export const shareOf = ({ asked, right }: LanguageScore): number | null => (asked > 0 ? right / asked : null)

/** Evaluations with a quiz, by the tokens before them. */
export const quizzes = (rows: readonly LanguageEvaluationRow[]): { tokens: number; share: number }[] =>
  rows.flatMap(({ tokens, quiz }) => (quiz === null ? [] : [{ tokens, share: quiz }]))

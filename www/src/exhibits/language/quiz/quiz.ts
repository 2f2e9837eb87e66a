/** Filters and scores of the quiz. */
import type { LanguageAnswer, LanguageEvaluationRow, LanguageScore } from '../../../engine/page/session'

/** Answers about a topic; null selects all topics. */
export const about = (answers: readonly LanguageAnswer[], topic: string | null): readonly LanguageAnswer[] =>
  topic === null ? answers : answers.filter((answer) => answer.topic === topic)

/** Accuracy; null without questions. */
export const shareOf = ({ asked, right }: LanguageScore): number | null => (asked > 0 ? right / asked : null)

/** Quiz accuracy of each evaluation, with the training tokens before it. */
export const quizzes = (rows: readonly LanguageEvaluationRow[]): { tokens: number; share: number }[] =>
  rows.flatMap(({ tokens, quiz }) => (quiz === null ? [] : [{ tokens, share: quiz }]))

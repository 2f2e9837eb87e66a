/** Filters and scores of the quiz. */
import type { LanguageAnswer, LanguageEvaluationRow, LanguageScore } from '../../../engine/page/session'

/** Returns the answers about a topic; `topic` null selects all topics. */
export const about = (answers: readonly LanguageAnswer[], topic: string | null): readonly LanguageAnswer[] =>
  topic === null ? answers : answers.filter((answer) => answer.topic === topic)

/** Returns the fraction of correct answers, 0 to 1; null without questions. */
export const shareOf = ({ asked, right }: LanguageScore): number | null => (asked > 0 ? right / asked : null)

/**
 * Returns whether the model answers nearly all questions of a topic: at least 80 % of at least four questions, which
 * guessing reaches in 2 % of the topics at most.
 */
export const isKnown = ({ asked, right }: LanguageScore): boolean => asked >= 4 && right >= 0.8 * asked

/** Returns the quiz accuracy of each evaluation, with the number of training tokens before the evaluation. */
export const quizzes = (rows: readonly LanguageEvaluationRow[]): { tokens: number; share: number }[] =>
  rows.flatMap(({ tokens, quiz }) => (quiz === null ? [] : [{ tokens, share: quiz }]))

/** Number of right answers of the visitor and of the model to the questions that the visitor has answered. */
export interface ComparedScore {
  asked: number
  visitor: number
  model: number
}

/** Compares the visitor with the model. `choices`: index of the ending that the visitor chose, by the start of the sentence. */
export function compareScores(
  answers: readonly LanguageAnswer[],
  choices: Readonly<Record<string, number>>,
): ComparedScore {
  const answered = answers.filter(({ prompt }) => prompt in choices)
  const count = (isRight: (answer: LanguageAnswer) => boolean) => answered.filter(isRight).length
  return {
    asked: answered.length,
    visitor: count(({ prompt, right }) => choices[prompt] === right),
    model: count(({ right, chosen }) => chosen === right),
  }
}

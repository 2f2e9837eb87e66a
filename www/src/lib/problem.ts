/** Messages and hints of errors. */
import type { Problem } from '../protocol/types'

export interface Explained {
  message: string
  /** Advice on the remedy; may be empty. */
  hint: string
}

/** Returns the message and the hint of a thrown value. */
export function asProblem(problem: unknown): Explained {
  if (typeof problem === 'object' && problem !== null && 'message' in problem) {
    const { message, hint } = problem as { message: unknown; hint?: unknown }
    return { message: String(message), hint: typeof hint === 'string' ? hint : '' }
  }
  return { message: String(problem), hint: '' }
}

/** Returns a message as a sentence, with a capital letter and a period. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** Adds the name of a file to the message of a problem. */
export function inFile(name: string, problem: unknown): Explained {
  const { message, hint } = asProblem(problem)
  const { cause } = Object(problem) as Partial<Problem>
  return {
    message:
      cause?.code === 'checkpoint' ? `${name} cannot be opened: ${cause.defect}.` : `${name}: ${message}`,
    hint,
  }
}

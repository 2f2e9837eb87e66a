/** Errors in words. */

export interface Explained {
  message: string
  /** Advice; empty where there is none. */
  hint: string
}

/** The message and the hint of anything thrown. */
export function asProblem(problem: unknown): Explained {
  if (typeof problem === 'object' && problem !== null && 'message' in problem) {
    const { message, hint } = problem as { message: unknown; hint?: unknown }
    return { message: String(message), hint: typeof hint === 'string' ? hint : '' }
  }
  return { message: String(problem), hint: '' }
}

/** The same problem, with a message that names the file that it was found in. */
export function inFile(name: string, problem: unknown): Explained {
  const { message, hint } = asProblem(problem)
  const named = message.replace(/^(The|This) (file|checkpoint)\b/, name)
  return { message: named === message ? `${name}: ${message}` : named, hint }
}

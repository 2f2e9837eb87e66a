import type { Problem } from '../protocol/types'

/** Why a request was refused. */
export class SessionError extends Error implements Problem {
  readonly hint: string
  readonly field?: string
  readonly engine?: boolean
  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'SessionError'
    this.hint = problem.hint
    if (problem.field !== undefined) this.field = problem.field
    if (problem.engine !== undefined) this.engine = problem.engine
  }
}

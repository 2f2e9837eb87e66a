import type { Problem } from '../../protocol/types'

/** Why a request was refused. */
export class SessionError extends Error implements Problem {
  readonly hint: string
  readonly field?: string
  readonly allowed?: string
  readonly engine?: boolean
  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'SessionError'
    this.hint = problem.hint
    if (problem.field !== undefined) this.field = problem.field
    if (problem.allowed !== undefined) this.allowed = problem.allowed
    if (problem.engine !== undefined) this.engine = problem.engine
  }
}

/** A worker or its module did not start: nothing is wrong with what was asked of it, and it may start later. */
export class StartError extends SessionError {}

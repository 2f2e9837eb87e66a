import type { Problem } from '../../protocol/types'

/** Error of a rejected request. */
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

/** A worker or its module did not start. The request itself is valid and may be retried. */
export class StartError extends SessionError {}

/** Reasons for the rejection of requests to a terminated worker. */
export const closed: Problem = { message: 'The session was closed.', hint: '' }
export const replaced: Problem = { message: 'The experiment was replaced.', hint: '' }
export const restarted: Problem = { message: 'The worker was restarted.', hint: '' }

export const notRunning = () =>
  new SessionError({ message: 'The training worker is not running.', hint: 'Restart the run, or try again.' })

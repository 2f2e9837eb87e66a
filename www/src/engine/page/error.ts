import type { Problem, ProblemCause } from '../../protocol/types'

/** Error of a rejected request. */
export class SessionError extends Error implements Problem {
  readonly hint: string
  declare readonly cause?: ProblemCause
  constructor(problem: Problem) {
    super(problem.message)
    if (problem.cause) this.cause = problem.cause
    this.name = 'SessionError'
    this.hint = problem.hint
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

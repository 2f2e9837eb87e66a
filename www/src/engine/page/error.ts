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

/** Why a worker that was ended refuses what it was asked. */
export const closed: Problem = { message: 'The session was closed.', hint: '' }
export const left: Problem = { message: 'Another experiment has taken its place.', hint: '' }
export const again: Problem = { message: 'The worker was started again.', hint: '' }

export const notRunning = () =>
  new SessionError({ message: 'The training worker is not running.', hint: 'Begin anew, or try again.' })

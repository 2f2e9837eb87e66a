/** Pace of a run: the speed limit of training, its automatic increase, its stop, and whether the preview acts. */
import type { Session, Speed } from '../engine/page/session'

/** Training time in seconds at each speed of the opening. */
export const secondsPerSpeed = 5

/** Returns the speed after `seconds` of training with the opening `speeds`, slowest first. */
export function openingSpeed(speeds: readonly Speed[], seconds: number): Speed {
  return speeds[Math.floor(seconds / secondsPerSpeed)] ?? speeds.at(-1)!
}

export class Pace {
  speed = $state<Speed>('max')
  /** Speeds of the opening, slowest first, while the speed increases by itself; null after the user has set a speed. */
  opening = $state.raw<readonly Speed[] | null>(null)
  /** Whether the speed has increased by itself and the user has not set one since, so that the next run begins slowly too. */
  isAutomatic = $state(false)
  /** Number of steps at which training pauses, at the end of an update; null for none. */
  stop = $state<number | null>(null)
  /** Whether the environments of the preview act, independent of learning. */
  acting = $state(true)

  constructor(private readonly sessions: () => readonly Session[]) {}

  /** Sets the speed limit, and cancels its automatic increase. */
  set(speed: Speed): void {
    this.hold()
    this.limit(speed)
  }

  /** Cancels the automatic increase at the present speed. */
  hold(): void {
    this.opening = null
    this.isAutomatic = false
  }

  /** Removes the speed limit, and cancels its automatic increase; {@link apply} sends it. */
  reset(): void {
    this.hold()
    this.speed = 'max'
  }

  /** Starts at the first of these speeds; {@link advance} raises the limit to the next ones. */
  open(speeds: readonly Speed[]): void {
    if (speeds.length === 0) return
    this.isAutomatic = true
    this.opening = speeds.length > 1 ? speeds : null
    this.limit(speeds[0]!)
  }

  /** Raises the limit of an opening. `seconds`: training time of the run. */
  advance(seconds: number): void {
    const { opening } = this
    if (!opening) return
    const speed = openingSpeed(opening, seconds)
    if (speed === this.speed) return
    this.limit(speed)
    if (speed === opening.at(-1)) this.opening = null
  }

  /** Sends the pace to sessions, by default to all. */
  apply(...sessions: readonly Session[]): void {
    for (const session of sessions.length > 0 ? sessions : this.sessions()) {
      session.setSpeed(this.speed)
      session.stopAt(this.stop)
      session.act(this.acting)
    }
  }

  stopAt(steps: number | null): void {
    this.stop = steps
    this.apply()
  }

  act(on: boolean): void {
    this.acting = on
    this.apply()
  }

  private limit(speed: Speed): void {
    this.speed = speed
    this.apply()
  }
}

/** Smooth motion between the steps of a world, whose own step is coarser than a screen's frame. */

export interface Herd {
  members: number
  dims: number
  /** [members, dims] */
  state: Float32Array
  /** [members] steps into the episode. */
  ages: Float32Array
}

/**
 * Follows the states it is shown with a time constant of about a step. A member whose episode began anew is set down
 * at once instead of gliding there, and an angle takes the short way round.
 */
export class Smoother {
  state = new Float32Array(0)
  private ages = new Float32Array(0)

  constructor(
    private readonly angles: readonly boolean[],
    private readonly timeConstant: number,
  ) {}

  follow(herd: Herd, elapsed: number): Float32Array {
    if (this.state.length !== herd.state.length) {
      this.state = herd.state.slice()
      this.ages = herd.ages.slice()
      return this.state
    }
    const share = 1 - Math.exp(-elapsed / this.timeConstant)
    for (let m = 0; m < herd.members; m++) {
      const anew = herd.ages[m]! < this.ages[m]!
      this.ages[m] = herd.ages[m]!
      for (let d = 0; d < herd.dims; d++) {
        const i = m * herd.dims + d
        const [from, to] = [this.state[i]!, herd.state[i]!]
        const way = this.angles[d] ? wrap(to - from) : to - from
        this.state[i] =
          anew || !Number.isFinite(from) ? to : this.angles[d] ? wrap(from + share * way) : from + share * way
      }
    }
    return this.state
  }
}

/** An angle brought into [−π, π]. */
export function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}

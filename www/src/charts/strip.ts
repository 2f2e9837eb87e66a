/** Where the points of a learning curve lie in a strip. */

export interface StripBox {
  width: number
  /** Of `high`. */
  top: number
  /** Of `low`. */
  bottom: number
  low: number
  high: number
}

/** The run from its first step to its newest fills the width; values outside of the range lie a little beyond its ends. */
export function stripPoints(
  steps: readonly number[],
  values: readonly (number | null)[],
  { width, top, bottom, low, high }: StripBox,
): { x: number; y: number }[] {
  const [first, last] = [steps[0] ?? 0, steps.at(-1) ?? 0]
  const room = (bottom - top) * 0.08
  return values.flatMap((value, i) => {
    if (value === null || !Number.isFinite(value)) return []
    const y = bottom - ((value - low) / (high - low)) * (bottom - top)
    return [
      {
        x: last > first ? ((steps[i]! - first) / (last - first)) * width : width,
        y: Math.max(top - room, Math.min(bottom, y)),
      },
    ]
  })
}

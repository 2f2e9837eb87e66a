/** Layout of the home page's learning curve. */

export interface StripBox {
  width: number
  /** y coordinate at which the value `high` is drawn. */
  top: number
  /** y coordinate at which the value `low` is drawn. */
  bottom: number
  low: number
  high: number
}

/**
 * Scales points to the box. The range of steps fills the width; values outside [low, high] are drawn slightly outside.
 */
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

/** Number of states of the 2×2×2 cube at each distance from the solved one, in quarter turns. */
export const states: readonly number[] = [
  1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276,
]

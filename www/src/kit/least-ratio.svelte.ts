/** Minimum resolution of all canvases, which a picture for print raises for some frames. */
let least = $state(0)

/** Returns the minimum number of device pixels per CSS pixel. Reactive: views are drawn again if it changes. */
export const leastRatio = (): number => least

export function setLeastRatio(ratio: number): void {
  least = ratio
}

/** Results of the solves of a session over time, for the plot. */
import type { PlotPoint } from '../../../kit/plot'
import { averageAt, resultOf, type Solve } from './timer'

/** Numbers of solves of the averages that the plot draws. */
export const plottedAverages = [5, 12] as const

/** Maximum number of plotted solves: the newest ones. */
export const mostPlotted = 200

export interface TimesPlot {
  /** Finite results; a DNF has none. */
  solves: PlotPoint[]
  /** Averages of 5 and 12 up to each solve, as pieces of a line: a DNF average ends a piece. */
  averages: Record<(typeof plottedAverages)[number], PlotPoint[][]>
  /** Range of the times in milliseconds, rounded to ticks. */
  ticks: readonly { y: number; time: number }[]
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return power * ([1, 2, 5].find((factor) => factor * power >= step) ?? 10)
}

/** Places the newest solves in a plot of this size. */
export function timesPlot(all: readonly Solve[], width: number, height: number): TimesPlot {
  const from = Math.max(0, all.length - mostPlotted)
  const times = all.slice(from).map(resultOf)
  const finite = times.filter(Number.isFinite)
  const [least, most] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 1000]
  const step = Math.max(10, roundStep((most - least || least || 1000) / 3))
  const low = Math.floor(least / step) * step
  const high = Math.max(low + step, Math.ceil(most / step) * step)
  const at = (index: number, time: number): PlotPoint => ({
    x: times.length > 1 ? (width * index) / (times.length - 1) : width / 2,
    y: height * (1 - (time - low) / (high - low)),
  })
  const average = (count: number) => {
    const pieces: PlotPoint[][] = [[]]
    for (let i = 0; i < times.length; i++) {
      const time = averageAt(from + i, count, all)
      if (time !== null && Number.isFinite(time)) pieces.at(-1)!.push(at(i, time))
      else if (pieces.at(-1)!.length > 0) pieces.push([])
    }
    return pieces.filter((piece) => piece.length > 0)
  }
  const ticks = []
  for (let time = low; time <= high + step / 2; time += step) ticks.push({ y: at(0, time).y, time })
  return {
    solves: times.flatMap((time, i) => (Number.isFinite(time) ? [at(i, time)] : [])),
    averages: { 5: average(5), 12: average(12) },
    ticks,
  }
}

/**
 * Two labs in one window: the page, and a second exhibit in a frame. Each document sends its run to the other one, which draws
 * the curves.
 */
import { isBeside } from '../host/embed'
import { besideId, currentState, type ComparedRun } from './compared-run'
import type { Lab } from './lab.svelte'
import { queryOf, shortHash } from './route'

/** The run of the other document. */
export interface RunReport {
  kind: 'run'
  run: ComparedRun
  /** Query of the shortest link of the run. */
  query: string
  /** Whether the run trains. */
  running: boolean
  /** Changes with the curves and the settings. */
  version: string
  /** Color of the receiver's run in the charts of the sender; null if the sender determines no color. */
  tone: string | null
  /** Number of steps at which the run stops, and the receiver's run if the sender is the first document; null for none. */
  stop: number | null
}

type Message = RunReport | { kind: 'hold'; on: boolean }

/** Interval in milliseconds between reports. */
const reportEvery = 500

/** Duration in milliseconds of the turn of a run. */
export const turn = 250

/** Minimum number of processor threads with which two runs train at the same time. */
const threadsForTwo = 4

/** Returns whether two runs train by turns on a processor with this number of threads. */
export const takesTurns = (threads: number): boolean => threads < threadsForTwo

/** Returns the number of threads of the second run, given the number of threads of the first run. */
export const secondThreads = (threads: number): number =>
  takesTurns(threads) ? threads : Math.floor(threads / 2)

/** Returns the report on the current run; null if its exhibit is not ready. `tone`: color of the receiver's run. */
export function reportOf(lab: Lab, tone: string | null = null): RunReport | null {
  const { info, config, seed, engine } = lab
  if (!info || !lab.exhibitReady) return null
  const query = queryOf(shortHash(info, config, seed, { engine }))
  return {
    kind: 'run',
    run: {
      ...{ id: besideId, origin: isBeside ? 'Second run' : 'First run', experiment: info.name },
      ...{ title: '', config, seed, engine },
      ...currentState(lab),
    },
    query,
    running: lab.running === 'running',
    version: `${lab.run} ${lab.revision} ${query}`,
    tone,
    stop: lab.pace.stop,
  }
}

/** Name of the option of a frame's address with the stop of the first run: the second run may train before it has a report. */
const stopOption = 'stop'

/**
 * Returns the options of the address of the second document: the options of the page, the number of threads of the second run,
 * and the stop of the first run.
 */
export function frameOptions(search: string, threads: number, stop: number | null): string {
  const options = new URLSearchParams(search)
  options.set('threads', String(threads))
  if (stop !== null) options.set(stopOption, String(stop))
  return options.toString()
}

/** Returns the stop of the first run in the options of the second document; null for none. */
export function stopInOptions(search: string): number | null {
  const steps = Number(new URLSearchParams(search).get(stopOption))
  return Number.isSafeInteger(steps) && steps > 0 ? steps : null
}

/** Stops the run of the second document where the run of the first one stops. */
export function followStop({ pace }: Pick<Lab, 'pace'>, { stop }: Pick<RunReport, 'stop'>): void {
  if (pace.stop !== stop) pace.stopAt(stop)
}

/**
 * Exchanges runs with another document of the same origin. Calls `receive` with each report. Holds the training of `lab` while the
 * other document requests it. `tone`: returns the color of the run of the other document, if this document determines the color.
 * Returns a function that ends the exchange.
 */
export function exchange(
  lab: Lab,
  other: Window,
  receive: (report: RunReport) => void,
  tone: () => string | null = () => null,
): () => void {
  const onMessage = ({ source, origin, data }: MessageEvent<Message | null>) => {
    if (source !== other || origin !== location.origin) return
    if (data?.kind === 'run') receive(data)
    else if (data?.kind === 'hold') lab.session?.hold(data.on)
  }
  addEventListener('message', onMessage)
  const timer = setInterval(() => {
    const report = reportOf(lab, tone())
    if (report) post(other, report)
  }, reportEvery)
  return () => {
    removeEventListener('message', onMessage)
    clearInterval(timer)
  }
}

/** Holds or resumes the training of the other document. */
export const holdOther = (other: Window, on: boolean): void => post(other, { kind: 'hold', on })

const post = (other: Window, message: Message) => other.postMessage(message, location.origin)

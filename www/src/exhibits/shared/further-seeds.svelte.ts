/** Training of further runs with the settings of the current one and other seeds, in a worker of their own. */
import { comparisonOf } from '../../charts/comparison.svelte'
import { stepsIn } from '../../lib/files'
import { partOf } from '../../state/context'
import { Lab } from '../../state/lab.svelte'
import type { Runs } from '../../state/storage/runs.svelte'
import { toasts } from '../../state/toasts.svelte'

/** Returns the next `count` seeds after `seed` that are not among `used`. */
export function nextSeeds(seed: number, count: number, used: ReadonlySet<number>): number[] {
  const seeds: number[] = []
  for (let next = seed + 1; seeds.length < count; next++) if (!used.has(next)) seeds.push(next)
  return seeds
}

/** Trains until the end of an update; resolves when its metrics are recorded. */
const stepOnce = (lab: Lab): Promise<void> =>
  new Promise((done, fail) => {
    const session = lab.session!
    const ends = [
      session.on('stepped', () => end(done)),
      session.on('error', (problem) => end(() => fail(problem))),
    ]
    const end = (then: () => void) => {
      for (const stop of ends) stop()
      then()
    }
    lab.step('update')
  })

export class FurtherSeeds {
  /** Chosen number of further seeds. */
  count = $state(4)
  /** Whether further runs train. */
  isTraining = $state(false)
  private isStopped = false

  constructor(
    private readonly lab: Lab,
    private readonly makeLab = () => new Lab(),
  ) {}

  /**
   * Pauses the current run, and trains `count` runs with its settings up to the number of steps of its last complete update. With a
   * stop of the pace, the current run, if it has fewer steps, and the others train up to the stop.
   * Each run is stored and drawn when it ends. A message shows the progress, and has a button that ends the training.
   */
  async train(count: number, runs: Runs): Promise<void> {
    const { lab } = this
    const { info, config, seed } = lab
    if (!info || !lab.session || this.isTraining) return
    lab.pause()
    this.isTraining = true
    this.isStopped = false
    const comparison = comparisonOf(lab)
    // Runs with other settings get the same seeds, so that they can be compared in pairs.
    const seeds = nextSeeds(seed, count, new Set(comparison.runsWith({ config }).map(({ seed }) => seed)))
    const stop = { label: 'Stop', run: () => void (this.isStopped = true) }
    const activity = toasts.activity('busy', 'Training further seeds …', stop)
    const other = this.makeLab()
    try {
      const { stop: stopSteps } = lab.pace
      const target = stopSteps ?? stepsIn(await lab.session.pack()) ?? lab.progress.steps
      const trainUp = async (trained: Lab, message: string) => {
        while (trained.progress.steps < target && !this.isStopped) {
          await stepOnce(trained)
          activity.message = message
          activity.hint = `${Math.min(100, Math.floor((100 * trained.progress.steps) / target))}\u00a0%`
        }
      }
      if (stopSteps !== null && lab.progress.steps < stopSteps) {
        await trainUp(lab, 'Training this run …')
        if (this.isStopped) return
        lab.stoppedAt = lab.progress.steps
      }
      await other.start(info.name)
      for (const [i, seed] of seeds.entries()) {
        if (!(await other.create(info.name, config, seed))) return
        await trainUp(other, `Training seed ${seed}, ${i + 1} of ${count} …`)
        if (this.isStopped) return
        comparison.select(await runs.add(other, await other.session!.pack()))
        lab.mark('compared')
      }
    } catch (problem) {
      toasts.error(problem)
    } finally {
      activity.close()
      this.isTraining = false
      other.dispose()
      await runs.refresh()
    }
  }
}

export const [useFurtherSeeds, furtherSeedsOf] = partOf((lab) => new FurtherSeeds(lab))

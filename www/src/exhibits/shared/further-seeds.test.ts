import { beforeEach, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../tests/fixtures/fake-session'
import { comparisonOf } from '../../charts/comparison.svelte'
import type { ComparedRun } from '../../state/compared-run'
import type { Config } from '../../state/config'
import { Lab } from '../../state/lab.svelte'
import type { Runs } from '../../state/storage/runs.svelte'
import { toasts } from '../../state/toasts.svelte'
import { FurtherSeeds, nextSeeds } from './further-seeds.svelte'
import { readStop } from './stop'

vi.mock('../../engine/page/start', () => ({ startSession: async () => new FakeSession() }))

beforeEach(() => toasts.dismissAll())

/** Returns a run of three updates with seed 7, the training of further seeds, and a list of the stored runs. */
async function trained() {
  const lab = new Lab()
  await lab.start()
  const cartpole = lab.experiments.find(({ name }) => name === 'cartpole')!
  await lab.create('cartpole', cartpole.defaults as Config, 7)
  for (let i = 0; i < 3; i++) lab.session!.step('update')
  const stored: ComparedRun[] = []
  const runs = {
    async add({ info, config, seed, history, latest }: Lab) {
      const run = { id: `run ${seed}`, experiment: info!.name, title: '', config, seed, latest }
      stored.push({ ...run, curves: history.dump() })
      return stored.at(-1)!
    },
    refresh: async () => {},
  } as unknown as Runs
  const others: Lab[] = []
  const further = new FurtherSeeds(lab, () => {
    others.push(new Lab())
    return others.at(-1)!
  })
  return { lab, runs, stored, others, further }
}

test('seeds that are used are skipped', () => {
  expect(nextSeeds(7, 3, new Set([8, 10]))).toEqual([9, 11, 12])
})

test('further seeds train to the step of the current run, are stored, and are drawn as one band', async () => {
  const { lab, runs, stored, others, further } = await trained()
  const { steps } = lab.progress
  expect(steps).toBe(3 * 4096)
  const training = further.train(2, runs)
  expect(further.isTraining).toBe(true)
  await further.train(9, runs)
  await training
  expect(stored.map(({ seed, curves }) => [seed, curves.steps.at(-1)])).toEqual([
    [8, steps],
    [9, steps],
  ])
  expect(comparisonOf(lab).groups.map(({ name }) => name)).toEqual(['Default, seeds 7 to 9'])
  // The run of the visitor is still open and unchanged, and is stored when another run replaces it.
  expect(lab.marks).toEqual(['compared'])
  expect([lab.seed, lab.progress.steps, lab.running]).toEqual([7, steps, 'paused'])
  expect([further.isTraining, toasts.list, others.length]).toEqual([false, [], 1])
})

test('runs with other settings get the same seeds', async () => {
  const { lab, runs, stored, further } = await trained()
  const elsewhere = { ...lab.config, learner: 'dqn' }
  const other = { id: 'other', experiment: 'cartpole', title: '', config: elsewhere, seed: 8 }
  comparisonOf(lab).select({ ...other, latest: {}, curves: lab.history.dump() })
  await further.train(1, runs)
  await further.train(1, runs)
  expect(stored.map(({ seed }) => seed)).toEqual([8, 9])
})

test('with a stop, this run and further seeds end at the first update with these steps', async () => {
  const { lab, runs, stored, others, further } = await trained()
  lab.pace.stopAt(20_000)
  await further.train(2, runs)
  expect([lab, ...others].map(({ progress }) => progress.steps)).toEqual([20_480, 20_480])
  expect(stored.map(({ curves }) => curves.steps.at(-1))).toEqual([20_480, 20_480])
  expect([lab.stoppedAt, lab.running]).toEqual([20_480, 'paused'])
  // The stop is no setting: the further runs are seeds of this run.
  expect(comparisonOf(lab).groups.map(({ name }) => name)).toEqual(['Default, seeds 7 to 9'])
})

test('the stop is a number of steps; empty for none', () => {
  expect(['', ' ', '100,000', '1e5', '100 000', '2.5e3'].map(readStop)).toEqual([
    ...[null, null, 100_000, 100_000, 100_000, 2500],
  ])
  expect(['0', '-5', '1.5', 'x', '1e99'].map(readStop)).toEqual(Array(5).fill(undefined))
})

test('after a stop, the completed runs stay', async () => {
  const { runs, stored, others, further } = await trained()
  const { add } = runs
  runs.add = async (...args) => {
    toasts.list.find(({ action }) => action?.label === 'Stop')!.action!.run()
    return add(...args)
  }
  await further.train(4, runs)
  expect(stored.map(({ seed }) => seed)).toEqual([8])
  expect(others[0]!.progress.steps).toBeLessThan(3 * 4096)
  expect(toasts.list).toEqual([])
})

import { expect, test } from 'vitest'
import type { CubeExhaustiveEvaluation, Documents, ExperimentInfo, Frame } from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import { cubeOf } from './table.svelte'

/** Returns the state of a fake exhibit, and a function that shows a frame: an evaluation, and the solved shares of the map. */
function opened() {
  const lab = new Lab()
  const table = cubeOf(lab)
  lab.info = { name: 'cube2' } as ExperimentInfo
  lab.exhibit = 'cube2'
  const show = (evaluation: Partial<CubeExhaustiveEvaluation> | null, solved: number[] | null) =>
    (lab as unknown as { show(frame: Frame | null): void }).show({
      arrays: solved ? { 'map/solved': { shape: [1, solved.length], data: new Float32Array(solved) } } : {},
      documents: (evaluation
        ? { kind: 'cube', exhaustive: { samples: 0, solved: 1, ...evaluation } }
        : { kind: 'cube' }) as unknown as Documents,
    })
  return { lab, table, show }
}

const own = { player: 'newest', samples: 900 } as const

test('the complete map of a network stays beside the map of the next one', () => {
  const { table, show } = opened()
  show({ ...own, complete: false }, [1, -1])
  show({ ...own, complete: true }, [1, 0])
  show({ ...own, complete: true, samples: 1900 }, [1, 0.5])
  expect(table.otherMap).toBeNull()
  show({ player: 'opened', complete: false }, [-1, -1])
  const kept = { evaluation: { samples: 1900 }, solved: new Float32Array([1, 0.5]) }
  expect(table.otherMap).toMatchObject(kept)
  show({ player: 'opened', complete: true }, [1, 1])
  expect(table.otherMap).toMatchObject(kept)
  show({ ...own, complete: false }, [-1, -1])
  expect(table.otherMap).toMatchObject({ evaluation: { player: 'opened' }, solved: new Float32Array([1, 1]) })
})

test('a map that is not complete, or older than its evaluation, is not kept with figures of another one', () => {
  const { table, show } = opened()
  show({ ...own, complete: false }, [1, -1])
  show({ player: 'opened', complete: false }, [-1, -1])
  expect(table.otherMap).toBeNull()
  show({ ...own, complete: true }, [1, 0])
  // The map was not visible during the next evaluation.
  show({ ...own, complete: true, samples: 1900 }, null)
  show({ player: 'opened', complete: false }, null)
  expect(table.otherMap).toMatchObject({ evaluation: { samples: 900 }, solved: new Float32Array([1, 0]) })
})

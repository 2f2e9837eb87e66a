import { expect, test } from 'vitest'
import type { CubeExhaustiveEvaluation, Documents, ExperimentInfo, Frame } from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import { cubeOf } from './table.svelte'

/**
 * Returns the state of a fake exhibit, and a function that shows a frame: an evaluation, and the solved shares of a map with one
 * state in each of two sectors.
 */
function opened() {
  const lab = new Lab()
  const table = cubeOf(lab)
  lab.info = { name: 'cube2' } as ExperimentInfo
  lab.exhibit = 'cube2'
  const show = (evaluation: Partial<CubeExhaustiveEvaluation> | null, solved: number[] | null) =>
    (lab as unknown as { show(frame: Frame | null): void }).show({
      arrays: solved
        ? {
            'map/counts': { shape: [1, 2], data: new Float32Array([1, 1]) },
            'map/solved': { shape: [1, 2], data: new Float32Array(solved) },
          }
        : {},
      documents: (evaluation
        ? { kind: 'cube', exhaustive: { samples: 0, ...evaluation } }
        : { kind: 'cube' }) as unknown as Documents,
    })
  return { lab, table, show }
}

const own = { player: 'newest', samples: 900 } as const

test('the complete map of a network stays beside the map of the next one', () => {
  const { table, show } = opened()
  show({ ...own, complete: false }, [1, -1])
  show({ ...own, complete: true, solved: 0.5 }, [1, 0])
  show({ ...own, complete: true, solved: 0.75, samples: 1900 }, [1, 0.5])
  expect(table.otherMap).toBeNull()
  show({ player: 'opened', complete: false }, [-1, -1])
  const kept = { evaluation: { samples: 1900 }, solved: new Float32Array([1, 0.5]) }
  expect(table.otherMap).toMatchObject(kept)
  show({ player: 'opened', complete: true, solved: 1 }, [1, 1])
  expect(table.otherMap).toMatchObject(kept)
  show({ ...own, complete: false }, [-1, -1])
  expect(table.otherMap).toMatchObject({ evaluation: { player: 'opened' }, solved: new Float32Array([1, 1]) })
})

test('the network in training keeps its complete map during its next evaluation, which restarts after an evaluation of another network', () => {
  const { table, show } = opened()
  const kept = { evaluation: { samples: 900 }, solved: new Float32Array([1, 0]) }
  show({ ...own, complete: true, solved: 0.5 }, [1, 0])
  show({ player: 'opened', complete: true, solved: 1 }, [1, 1])
  show({ ...own, complete: false, samples: 1900, done: 0.14 }, [-1, -1])
  expect(table.wholeMap).toMatchObject(kept)
  // The map of the opened network is not complete.
  show({ player: 'opened', complete: false }, [-1, -1])
  show({ ...own, complete: false, samples: 1900, done: 0.14 }, [-1, -1])
  expect([table.wholeMap, table.otherMap]).toMatchObject([kept, null])
  // Another file may be opened.
  show({ player: 'opened', complete: false }, [-1, -1])
  expect(table.wholeMap).toBeNull()
})

test('a map that is not complete is not kept, and an older map has the figures of its own evaluation', () => {
  const next = { player: 'opened', complete: false } as const
  const { table, show } = opened()
  show({ ...own, complete: false, solved: 1 }, [1, -1])
  show(next, [-1, -1])
  expect(table.otherMap).toBeNull()
  // The map of a complete evaluation is computed over several frames.
  show({ ...own, complete: true, solved: 0.5 }, [-1, -1])
  show(next, [-1, -1])
  expect(table.otherMap).toBeNull()
  show({ ...own, complete: true, solved: 0.5 }, [1, 0])
  show({ ...own, complete: true, solved: 0.75, samples: 1900 }, null)
  expect(table.wholeMap).toMatchObject({ evaluation: { samples: 900 } })
  show(next, null)
  expect(table.wholeMap).toBeNull()
  expect(table.otherMap).toMatchObject({ evaluation: { samples: 900 }, solved: new Float32Array([1, 0]) })
})

import { expect, test } from 'vitest'
import type {
  Command,
  CubeTable,
  Documents,
  ExperimentInfo,
  Frame,
  Session,
} from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { cubeActionsOf } from './actions.svelte'
import { cubeOf } from './table.svelte'

/** Returns the actions of a fake exhibit, which records commands and shows cubes. */
function exhibitReady() {
  const asked: Command[] = []
  const lab = new Lab()
  const [table, actions] = [cubeOf(lab), cubeActionsOf(lab)]
  lab.info = { name: 'cube2' } as ExperimentInfo
  lab.exhibit = 'cube2'
  lab.session = {
    command: async (command: Command) => (asked.push(command), { kind: 'done' }),
  } as unknown as Session
  const show = (cube: Partial<CubeTable>) =>
    (lab as unknown as { show(frame: Frame): void }).show({
      arrays: {},
      documents: { kind: 'cube', cube } as unknown as Documents,
    })
  return { asked, table, actions, show }
}

test('turns of the demonstration are not part of the user’s history', async () => {
  const { asked, table, show } = exhibitReady()
  show({ stickers: 'shown', history: [{ turn: 'U', by: 'scramble' }] })
  // The first turn starts a new history; commands are sent in this order.
  for (const turn of ['R', 'F']) {
    table.takeOver()
    void table.ask({ kind: 'turn', turn })
  }
  await Promise.resolve()
  expect(asked).toEqual([
    { kind: 'set_cube', stickers: 'shown' },
    { kind: 'turn', turn: 'R' },
    { kind: 'turn', turn: 'F' },
  ])
})

test('a cube changed by the user can be restored after a scramble', async () => {
  const { asked, actions, show } = exhibitReady()
  show({ stickers: 'own', solved: false })
  // An untouched cube is not offered for restoring.
  await actions.scrambleBy(null)
  expect(toasts.list).toEqual([])
  await actions.scrambleBy(null)
  toasts.list[0]!.action!.run()
  expect(asked.at(-1)).toEqual({ kind: 'set_cube', stickers: 'own' })
})

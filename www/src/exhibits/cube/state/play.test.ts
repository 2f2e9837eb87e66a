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
import { playOf } from './play.svelte'
import { cubeOf } from './table.svelte'

/** A cube's exhibit: the commands that it asks for, and how another cube comes on the table. */
function exhibited() {
  const asked: Command[] = []
  const lab = new Lab()
  const [table, play] = [cubeOf(lab), playOf(lab)]
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
  return { asked, table, play, show }
}

test('what the cube showed by itself is no part of a person’s turns', async () => {
  const { asked, table, show } = exhibited()
  show({ stickers: 'shown', history: [{ turn: 'U', by: 'scramble' }] })
  // The first turn begins a history of its own; the commands are asked for in this order.
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

test('a cube that somebody has turned can be had back from a scramble', async () => {
  const { asked, play, show } = exhibited()
  show({ stickers: 'own', solved: false })
  // Nobody has taken hold of it yet: there is nothing to miss.
  await play.scrambleBy(null)
  expect(toasts.list).toEqual([])
  await play.scrambleBy(null)
  toasts.list[0]!.action!.run()
  expect(asked.at(-1)).toEqual({ kind: 'set_cube', stickers: 'own' })
})

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

test('a cube that somebody has turned can be had back from a scramble', async () => {
  const asked: Command[] = []
  const lab = new Lab()
  const play = playOf(lab)
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
  show({ stickers: 'own', solved: false })
  // Nobody has taken hold of it yet: there is nothing to miss.
  await play.scrambleBy(null)
  expect(toasts.list).toEqual([])
  await play.scrambleBy(null)
  toasts.list[0]!.action!.run()
  expect(asked.at(-1)).toEqual({ kind: 'set_cube', stickers: 'own' })
})

import { expect, test, vi } from 'vitest'
import type {
  Command,
  CubeActor,
  CubeTable,
  Documents,
  ExperimentInfo,
  Frame,
  Session,
} from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import { solved, turned } from '../model/stickers'
import { readTurn } from '../model/turns'
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

test('the first scramble starts from a solved cube, not from a cube of the demonstration', () => {
  const { asked, actions, show } = exhibitReady()
  show({ stickers: 'shown', history: [{ turn: 'U', by: 'scramble' }] })
  actions.scrambleBy(4)
  actions.scrambleBy(2)
  expect(asked).toEqual([
    { kind: 'reset_cube' },
    { kind: 'scramble', moves: 4 },
    { kind: 'scramble', moves: 2 },
  ])
})

test('an easier scramble replaces the cube and is solved', () => {
  const { asked, actions, show } = exhibitReady()
  show({ stickers: 'shown', history: [{ turn: 'U', by: 'person' }] })
  actions.trySolving(4, { kind: 'greedy' })
  expect(asked).toEqual([
    { kind: 'reset_cube' },
    { kind: 'scramble', moves: 4 },
    { kind: 'solve', by: { kind: 'greedy' } },
  ])
  expect(actions.scramble).toBe(4)
})

const shuffled = solved(2).split('').reverse().join('')
const made = (turns: string, by: CubeActor = 'person') => turns.split(' ').map((turn) => ({ turn, by }))
const after = (turns: string, first = solved(2)) =>
  turns.split(' ').reduce((stickers, turn) => turned(stickers, readTurn(turn)!), first)

test('undo and redo of turns, and of a whole scramble at once', () => {
  const { asked, actions, show } = exhibitReady()
  const history = [...made('R U F', 'scramble'), ...made("F' U'")]
  const steps = (at: number, by: -1 | 1) => {
    show({ stickers: '', history, at })
    actions.undo(by)
    return asked.at(-1)
  }
  expect(steps(5, -1)).toEqual({ kind: 'cube_step', to: 4 })
  expect(steps(4, -1)).toEqual({ kind: 'cube_step', to: 3 })
  expect(steps(3, -1)).toEqual({ kind: 'cube_step', to: 0 })
  expect(steps(0, 1)).toEqual({ kind: 'cube_step', to: 3 })
  expect(steps(3, 1)).toEqual({ kind: 'cube_step', to: 4 })
  const count = asked.length
  expect(steps(5, 1)).toBe(asked[count - 1])
  expect(asked.length).toBe(count)
})

test('two quick undos go back by two turns, before the first one is displayed', () => {
  const { asked, actions, show } = exhibitReady()
  const history = made("R U F'")
  show({ stickers: '', history, at: 3 })
  actions.undo(-1)
  actions.undo(-1)
  expect(asked.at(-1)).toEqual({ kind: 'cube_step', to: 1 })
  show({ stickers: '', history, at: 1 })
  actions.undo(1)
  expect(asked.at(-1)).toEqual({ kind: 'cube_step', to: 2 })
})

test('a cube changed by the user is restored by undo after a scramble or reset, and replaced again by redo', async () => {
  const { asked, table, actions, show } = exhibitReady()
  const [own, random] = [after("R U2 F'"), shuffled]
  const shows = (stickers: string, history: CubeTable['history'] = [], at = history.length) =>
    show({ stickers, history, at, solved: false })
  shows(own, made("R U2 F'"))
  // Cubes of the demonstration are not stored.
  actions.scrambleBy(null)
  shows(own, [])
  expect(actions.canGoBack).toBe(false)
  table.touch()
  // An undone turn is restored too, and so are the originators of the turns.
  shows(after('R U2'), [...made('R U2', 'scramble'), ...made("F'")], 2)
  actions.scrambleBy(null)
  shows(random)
  expect([actions.canGoBack, actions.canGoOn]).toEqual([true, false])
  asked.length = 0
  actions.undo(-1)
  await vi.waitFor(() => expect(asked.length).toBe(4))
  expect(asked).toEqual([
    { kind: 'set_cube', stickers: solved(2) },
    { kind: 'apply', turns: 'R U2', by: 'scramble' },
    { kind: 'apply', turns: "F'", by: 'person' },
    { kind: 'cube_step', to: 2 },
  ])
  // Redo: first the undone turn, then the random state.
  shows(after('R U2'), made("R U2 F'"), 2)
  actions.undo(1)
  expect(asked.at(-1)).toEqual({ kind: 'cube_step', to: 3 })
  shows(own, made("R U2 F'"))
  expect(actions.canGoOn).toBe(true)
  // Another turn discards the undone cube.
  shows(after("R U2 F' U"), made("R U2 F' U"))
  expect(actions.canGoOn).toBe(false)
  shows(own, made("R U2 F'"))
  actions.undo(1)
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ kind: 'set_cube', stickers: random }))
})

test('a step covers a listed move: both quarter turns of a half turn', async () => {
  const { asked, actions, show } = exhibitReady()
  const history = made('R U U F', 'solver')
  const steps = (at: number, by: -1 | 1) => {
    show({ stickers: solved(2), history, at, solving: null })
    asked.length = 0
    actions.step(by)
    return asked
  }
  expect(steps(1, 1)).toEqual([{ kind: 'cube_step', to: 3 }])
  expect(steps(3, -1)).toEqual([{ kind: 'cube_step', to: 1 }])
  expect(steps(2, -1)).toEqual([{ kind: 'cube_step', to: 1 }])
  expect(steps(2, 1)).toEqual([{ kind: 'cube_step', to: 3 }])
  const playing = { status: 'playing', solution: ['U', 'U', 'R'], made: 0 } as unknown as CubeTable['solving']
  show({ stickers: solved(2), history: [], at: 0, solving: playing })
  asked.length = 0
  actions.step(1)
  expect(asked).toEqual([{ kind: 'move_now' }, { kind: 'move_now' }])
})

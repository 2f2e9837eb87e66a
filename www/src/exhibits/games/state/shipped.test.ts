import { beforeEach, expect, test, vi } from 'vitest'
import { checkpointOf } from '../../../../../tests/fixtures/checkpoint'
import { FakeSession } from '../../../../../tests/fixtures/fake-session'
import type { Command, Frame, GamePlayer } from '../../../engine/page/session'
import type { Config } from '../../../state/config'

let session: FakeSession
let replay: FakeSession
/** Ends the download of the pretrained network. */
let arrive: () => void

vi.mock('../../../engine/page/start', () => ({
  startSession: async () => session,
  startReplay: async () => replay,
}))
vi.mock('../../shared/networks', () => ({
  isShipped: () => true,
  network: () => new Promise((next) => (arrive = () => next(pretrained))),
}))

const pretrained = Uint8Array.of(1)
const own = Uint8Array.of(2)
const opened: GamePlayer = { kind: 'opened', simulations: 100 }

/** Returns the state of a new run whose pretrained network is being downloaded. */
async function downloading() {
  vi.resetModules()
  session = new FakeSession()
  replay = new FakeSession()
  const [{ Lab }, { gameOf }, { shippedOf }] = await Promise.all([
    import('../../../state/lab.svelte'),
    import('./table.svelte'),
    import('./shipped.svelte'),
  ])
  const lab = new Lab()
  const listeners = vi.spyOn(session, 'on')
  await lab.start()
  const onFrame = listeners.mock.calls.find(([event]) => event === 'frame')![1] as (frame: Frame) => void
  const info = lab.experiments.find(({ name }) => name === 'connect-four')!
  expect(await lab.create('connect-four', info.defaults as Config, 1)).toBe(true)
  lab.exhibit = 'connect-four'
  const game = gameOf(lab)
  const [players, commands] = [vi.spyOn(session, 'openPlayer'), vi.spyOn(session, 'command')]
  const shipped = shippedOf(lab)
  const seated = shipped.seat('connect-four')
  return {
    lab,
    shipped,
    game,
    players,
    commands,
    seated,
    frame: (documents = {}) => onFrame({ documents: { kind: 'games', ...documents } } as Frame),
  }
}

const kinds = (calls: Command[][]) => calls.map(([command]) => command!.kind)

beforeEach(() => void vi.useRealTimers())

test('the pretrained network becomes the opponent and the analyst, and the displayed snapshot stays', async () => {
  const { lab, shipped, players, commands, seated } = await downloading()
  replay.openSnapshot = async () => replay.create('connect-four', {}, 1)
  await lab.timeline.add(checkpointOf({ experiment: 'connect-four', steps: 0 }))
  await lab.timeline.show(0)
  expect(shipped.loading).toBe(true)
  arrive()
  await seated
  expect(shipped.loading).toBe(false)
  expect(players.mock.calls).toEqual([[pretrained]])
  expect(commands).toHaveBeenCalledWith({ kind: 'set_seats', seats: [{ kind: 'person' }, opened] })
  expect(kinds(commands.mock.calls)).toEqual(['set_seats', 'set_analysis'])
  expect([lab.timeline.shown, lab.viewed]).toEqual([0, replay])
})

test('a network that the user opens during the download is kept', async () => {
  const { lab, game, players, commands, seated } = await downloading()
  expect(await game.openPlayer(own)).toBe(true)
  arrive()
  await seated
  expect([players.mock.calls, commands.mock.calls, lab.marks]).toEqual([[[own]], [], []])
})

test('an opponent chosen during the download is kept, and the pretrained network analyzes', async () => {
  const { lab, game, commands, seated } = await downloading()
  game.chosen.players = lab.run
  arrive()
  await seated
  expect(kinds(commands.mock.calls)).toEqual(['set_analysis'])
})

test('a file that the run refuses does not replace the pretrained network', async () => {
  const { game, players, seated } = await downloading()
  players.mockRejectedValueOnce(new Error('The file is not a checkpoint.'))
  const refused = game.openPlayer(own)
  arrive()
  await seated
  expect([await refused, players.mock.calls]).toEqual([false, [[own], [pretrained]]])
})

test('the labels tell the network of the visitor and the pretrained one apart', async () => {
  const { lab, shipped } = await downloading()
  const labeled = (kind: 'newest' | 'opened' | 'random') =>
    shipped.named([
      { player: { kind, simulations: 0 } as GamePlayer, label: kind, help: '', searches: true },
    ])[0]!.label
  expect([labeled('newest'), labeled('opened'), labeled('random')]).toEqual([
    'Network in training',
    'opened',
    'random',
  ])
  lab.mark('shipped')
  expect(labeled('opened')).toBe('Trained network')
})

test('the first network of the run has the name of its card', async () => {
  const { shipped } = await downloading()
  const labels = [0, 1].map(
    (promotion) =>
      shipped.named([
        {
          player: { kind: 'earlier', promotion, simulations: 0 },
          label: 'earlier',
          help: '',
          searches: true,
        },
      ])[0]!.label,
  )
  expect(labels).toEqual(['Network before training', 'earlier'])
})

test('the documents show a change with the frame after its reply', async () => {
  const { game, seated, frame } = await downloading()
  frame()
  expect(game.changing).toBe(true)
  arrive()
  await seated
  expect(game.changing).toBe(true)
  frame()
  expect(game.changing).toBe(false)
})

test('a search tree that belongs to an earlier table is dropped', async () => {
  const { game, frame } = await downloading()
  frame({ table: {}, tree: { turn: 0 } })
  frame({ analysis: {} })
  expect(game.tree).toEqual({ turn: 0 })
  frame({ table: {} })
  expect(game.tree).toBeNull()
})

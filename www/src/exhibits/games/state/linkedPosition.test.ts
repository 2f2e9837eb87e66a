import { afterEach, expect, test, vi } from 'vitest'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { tools } from '../../../engine/page/tools'
import { address } from '../../../state/address.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { gameOf } from './table.svelte'
import { linkedPositionOf } from './linkedPosition.svelte'
import { shippedOf } from './shipped.svelte'

vi.mock('../../../state/address.svelte', () => ({ address: { position: null } }))

const check = vi.spyOn(tools, 'ask').mockResolvedValue('XGID=…')

/** Returns the linked position of a table, and the commands that set up a position. `problem`: the reply to them. */
function linkAt(some: Parameters<typeof seated>[0], problem: string | null = null) {
  const { lab, show } = seated(some)
  vi.spyOn(shippedOf(lab), 'seat').mockResolvedValue()
  const trial = vi.spyOn(gameOf(lab), 'trial').mockResolvedValue(problem)
  return { linked: linkedPositionOf(lab), trial, show }
}
afterEach(() => (address.position = null))

const set = { kind: 'set_position', position: { kind: 'id', id: 'ID' }, seat: null, dice: null }

test('a link opens its position, or returns why the position is not valid', async () => {
  const { linked, trial } = linkAt({})
  expect(await linked.open('backgammon', 'ID')).toBeNull()
  expect(trial.mock.calls).toEqual([[set]])
  expect(await linkAt({}, 'Not an ID.').linked.open('backgammon', 'ID')).toBe('Not an ID.')
})

test('a link does not end a match that the visitor plays, unless the visitor accepts', async () => {
  const { linked, trial } = linkAt({ moves: [move(24, 18)] })
  expect(await linked.open('backgammon', 'ID')).toBeNull()
  expect(linked.pending).toBe('ID')
  linked.keep()
  await linked.accept()
  expect(trial).not.toHaveBeenCalled()
  await linked.open('backgammon', 'ID')
  await linked.accept()
  expect(trial.mock.calls).toEqual([[set]])
  expect(linked.pending).toBeNull()
})

test('a link without a valid position asks nothing', async () => {
  const { linked } = linkAt({ moves: [move(24, 18)] })
  check.mockRejectedValueOnce(new Error('Not an ID.'))
  expect(await linked.open('backgammon', 'ID')).toBe('Not an ID.')
  expect(linked.pending).toBeNull()
})

test('the position of a link is awaited until a frame shows it, except behind a match', async () => {
  const { linked, show } = linkAt({})
  expect(linked.isAwaited).toBe(false)
  address.position = 'ID'
  expect(linked.isAwaited).toBe(true)
  await linked.open('backgammon', 'ID')
  address.position = null
  expect(linked.isAwaited, 'before the frame').toBe(true)
  show({ id: 'ID' })
  expect(linked.isAwaited).toBe(false)
  address.position = 'other'
  show({ moves: [move(24, 18)] })
  expect(linked.isAwaited, 'a match that continues').toBe(false)
})

test('a position that is not valid is no longer awaited', async () => {
  const { linked } = linkAt({}, 'Not an ID.')
  await linked.open('backgammon', 'ID')
  expect(linked.isAwaited).toBe(false)
})

test('a newer link replaces the one in the dialog with a message, also if the check of the earlier one ends last', async () => {
  const report = vi.spyOn(toasts, 'report')
  const { linked } = linkAt({ moves: [move(24, 18)] })
  await linked.open('backgammon', 'first')
  expect(report).not.toHaveBeenCalled()
  await linked.open('backgammon', 'second')
  expect(linked.pending).toBe('second')
  expect(report).toHaveBeenLastCalledWith('A newer link was opened.', expect.stringContaining('first'))
  let checked = (_: string) => {}
  check.mockReturnValueOnce(new Promise<string>((resolve) => (checked = resolve)) as never)
  const slow = linked.open('backgammon', 'third')
  await vi.waitFor(() => expect(check).toHaveBeenLastCalledWith('xgid', { id: 'third' }))
  await linked.open('backgammon', 'fourth')
  checked('XGID=…')
  await slow
  expect(linked.pending).toBe('fourth')
  // A link without a valid position ends the dialog about the earlier one.
  check.mockRejectedValueOnce(new Error('Not an ID.'))
  expect(await linked.open('backgammon', 'fifth')).toBe('Not an ID.')
  expect(linked.pending).toBeNull()
})

import { expect, test, vi } from 'vitest'
import type { Frame } from '../../../engine/page/session'
import { tools } from '../../../engine/page/tools'
import { Lab } from '../../../state/lab.svelte'
import { solved, turned } from '../model/stickers'
import { readTurn } from '../model/turns'
import { twoPhaseOf } from './two-phase.svelte'

vi.mock('../../../engine/page/tools', () => ({ tools: { ask: vi.fn() } }))

const after = (turns: string) =>
  turns.split(' ').reduce((stickers, turn) => turned(stickers, readTurn(turn)!), solved(3))

type Shown = { show(frame: Frame | null): void }

/** Returns the solver with fake tools: `answer` returns the solution of the search in a metric. */
function solver() {
  const searches = new Map<string, (turns: string) => void>()
  vi.mocked(tools.ask).mockImplementation(((tool: string, { metric }: { metric: string }) =>
    tool === 'prepareTwoPhase'
      ? Promise.resolve(null)
      : new Promise((resolve) => searches.set(metric, resolve))) as never)
  const answer = async (metric: string, turns: string) => {
    await vi.waitFor(() => expect(searches.has(metric)).toBe(true))
    searches.get(metric)!(turns)
    searches.delete(metric)
  }
  const lab = new Lab()
  return { twoPhase: twoPhaseOf(lab), answer, restart: () => (lab as unknown as Shown).show(null) }
}

test('the solution in few half turns does not wait for the search in quarter turns', async () => {
  const { twoPhase, answer } = solver()
  const start = after('F2 R2 U')
  const solution = twoPhase.solve(start)
  await answer('half', "U' R2 F2")
  expect(await solution).toBe("U' R2 F2")
  expect(twoPhase.phase).toBeNull()
  expect(twoPhase.known).toEqual({
    start,
    twoPhase: { nodes: 500_000, moves: "U' R2 F2", half: 3, quarter: null },
  })
  await answer('quarter', 'U F R')
  await vi.waitFor(() =>
    expect(twoPhase.known?.twoPhase).toEqual({
      nodes: 500_000,
      moves: "U' R2 F2",
      half: 3,
      quarter: 3,
      quarterMoves: 'U F R',
    }),
  )
})

test('another run has no search and no known solutions', async () => {
  const { twoPhase, answer, restart } = solver()
  const solution = twoPhase.solve(after('F2 R2 U'))
  restart()
  expect([await solution, twoPhase.phase, twoPhase.known]).toEqual([null, null, null])
  const again = twoPhase.solve(after('F2 R2 U'))
  await answer('half', "U' R2 F2")
  await again
  restart()
  expect(twoPhase.known).toBeNull()
})

test('each longer search visits 8 times as many nodes, up to a limit', async () => {
  const { twoPhase, answer } = solver()
  const start = after('F2 R2 U')
  const search = async (nodes?: number) => {
    const solution = twoPhase.solve(start, nodes)
    await answer('half', "U' R2 F2")
    await solution
    expect(twoPhase.longerNodes).toBeNull()
    await answer('quarter', "U' R2 F2")
    await vi.waitFor(() => expect(twoPhase.known?.twoPhase?.quarter).toBe(5))
    return twoPhase.longerNodes
  }
  expect(twoPhase.longerNodes).toBeNull()
  expect(await search()).toBe(4_000_000)
  expect(await search(4_000_000)).toBe(32_000_000)
  expect(await search(32_000_000)).toBeNull()
})

test('a search in quarter turns is ignored after another cube was solved', async () => {
  const { twoPhase, answer } = solver()
  const first = twoPhase.solve(after('F'))
  await answer('half', "F'")
  await first
  const start = after('U2')
  twoPhase.follow({
    stickers: solved(3),
    history: ['U', 'U'].map((turn) => ({ turn, by: 'solver' as const })),
    at: 2,
    solving: { by: { kind: 'greedy' }, status: 'solved', solution: ['U', 'U'], made: 2 } as never,
  })
  await answer('quarter', "F'")
  // A macrotask: all microtasks of the answer have run.
  await new Promise((resolve) => setTimeout(resolve))
  expect(twoPhase.known).toEqual({ start, network: { half: 1, quarter: 2 } })
})

test('the turns of a policy that has failed are no solution', () => {
  const { twoPhase } = solver()
  const history = ['U', 'F'].map((turn) => ({ turn, by: 'scramble' as const }))
  const tried = { turn: 'R', by: 'solver' as const }
  const solving = { by: { kind: 'greedy' }, solution: ['R'], made: 1, optimal: 2 }
  const follow = (status: string) =>
    twoPhase.follow({
      stickers: after('U F R'),
      history: [...history, tried],
      at: 3,
      solving: { ...solving, status } as never,
    })
  const optimal = { half: null, quarter: 2 }
  follow('playing')
  expect(twoPhase.known).toEqual({ start: after('U F'), optimal })
  follow('gave_up')
  expect(twoPhase.known).toEqual({ start: after('U F'), optimal, network: null })
})

test('a search that has found nothing is recorded as no solution', () => {
  const { twoPhase } = solver()
  const by = { kind: 'beam', width: 128 }
  const solving = { by, solution: [], made: 0, optimal: null }
  const history = [{ turn: 'U', by: 'scramble' as const }]
  const follow = (status: string) =>
    twoPhase.follow({ stickers: after('U'), history, at: 1, solving: { ...solving, status } as never })
  follow('searching')
  expect(twoPhase.known).toBeNull()
  follow('gave_up')
  expect(twoPhase.known).toEqual({ start: after('U'), network: null })
})

test('solutions of another starting position are dropped', () => {
  const { twoPhase } = solver()
  const scrambled = { turn: 'U', by: 'scramble' as const }
  const solution = { turn: "U'", by: 'solver' as const }
  const solving = { by: { kind: 'greedy' }, status: 'solved', solution: ["U'"], made: 1 } as never
  const history = [scrambled, solution]
  twoPhase.follow({ stickers: solved(3), history, at: 2, solving })
  const known = { start: after('U'), network: { half: 1, quarter: 1 } }
  expect(twoPhase.known).toEqual(known)
  // Other positions of the same history keep them.
  twoPhase.follow({ stickers: solved(3), history, at: 0, solving: null })
  expect(twoPhase.known).toEqual(known)
  // Another scramble on the solved cube.
  const again = [...history, { turn: 'F', by: 'scramble' as const }]
  twoPhase.follow({ stickers: after('F'), history: again, at: 3, solving: null })
  expect(twoPhase.known).toBeNull()
})

test('the optimum of a state is known for each metric, from the optimal solver or with the solution of the network', () => {
  const { twoPhase } = solver()
  const start = turned(solved(2), readTurn('U2')!)
  const follow = (kind: 'greedy' | 'exact' | 'exact_half', solution: string[], optimal: number | null) =>
    twoPhase.follow({
      stickers: solved(2),
      history: solution.map((turn) => ({ turn, by: 'solver' as const })),
      at: solution.length,
      solving: { by: { kind }, status: 'solved', solution, made: solution.length, optimal } as never,
    })
  follow('greedy', ["U'", "U'"], 2)
  const network = { half: 1, quarter: 2 }
  expect(twoPhase.known).toEqual({ start, network, optimal: { half: null, quarter: 2 } })
  follow('exact_half', ['U2'], null)
  expect(twoPhase.known).toEqual({ start, network, optimal: { half: 1, quarter: 2 } })
  follow('exact', ['U', 'U'], 2)
  expect(twoPhase.known).toEqual({ start, network, optimal: { half: 1, quarter: 2 } })
})

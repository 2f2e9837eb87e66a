import { describe, expect, test } from 'vitest'
import { Outcome, type Answer, type Values } from '../shared/guide/guide'
import { columns, completing, dropped, empty, height, rows } from './connect-four/cells'
import { guide, tactical, winning } from './guides/connect-four'
import { guide as backgammon } from './guides/backgammon'
import { gamesIn, hideHints } from './guides/shared'

describe('the guide of Connect Four', () => {
  test('begins with a move that wins by force: each reply leaves one of the named columns open', () => {
    const before = [...tactical].reduce(
      (cells, column, i) => dropped(cells, Number(column) - 1, i % 2),
      empty,
    )
    const after = dropped(before, winning - 1, 0)
    /** Returns the columns, from 1, in which a stone of `seat` completes four at once, and their rows. */
    const wins = (cells: typeof empty, seat: number) =>
      completing(cells, seat).flatMap((cell) => {
        const [column, row] = [Math.floor(cell / rows), cell % rows]
        return row === height(cells, column) ? [{ column: column + 1, row: row + 1 }] : []
      })
    expect([wins(before, 0), wins(before, 1), wins(after, 1)]).toEqual([[], [], []])
    expect(wins(after, 0)).toEqual([1, 5].map((column) => ({ column, row: 1 })))
    for (let reply = 0; reply < columns; reply++) expect(wins(dropped(after, reply, 1), 0)).not.toEqual([])
  })

  test('compares the network without search with the search', () => {
    const figures = { simulations: 400, chosenEquity: 0.98 }
    const at = (some: Values) => guide[0]!.outcome({ ...figures, glance: 6, chosen: winning, ...some }, {})
    expect(guide[0]!.guesses).toEqual(['Column 2', 'Column 4', 'Column 6'])
    expect(at({})).toMatchObject({
      right: 0,
      text: expect.stringMatching(
        /^Without search .*column 6; the search .* column 2\. Column 2 wins: column 1 and column 5 then both/,
      ) as string,
    })
    expect(at({ glance: winning })).toMatchObject({
      right: 0,
      text: expect.stringMatching(/^Network and search both/) as string,
    })
    // Another network, whose search does not find the move.
    expect(at({ chosen: 6 })).toEqual({
      right: 2,
      text: expect.stringMatching(/^Network and search both choose column 6\.$/) as string,
    })
    expect(at({ chosen: 5 })).toMatch(/^Without search/)
    expect(at({ simulations: 10 })).toBeNull()
  })

  test('judges the policy loss by a point of the chart that averages only moves since the click', () => {
    const outcome = new Outcome(guide[3]!)
    const generation = 16_384
    outcome.start({
      policy: 1.38,
      firstPolicy: 1.87,
      lastSteps: 160_000,
      steps: 165_000,
      generation,
      seconds: 40,
    })
    const at = (policy: number, lastSteps: number, seconds: number) => {
      outcome.update({ policy, firstPolicy: 1.87, lastSteps, steps: lastSteps + 5000, generation, seconds })
      return outcome
    }
    // A slow computer has no newer point after 20 s, and then a point with moves before the click.
    expect([at(1.38, 160_000, 70).right, outcome.final]).toEqual([null, false])
    expect([at(1.2, 177_000, 90).right, outcome.final]).toEqual([null, false])
    expect(outcome.text).toMatch(/^Measuring/)
    expect([at(1.31, 194_000, 110).right, outcome.final]).toEqual([0, true])
    expect(outcome.text).toMatch(
      /^The policy loss was 1\.38 before the click, and is 1\.31 in the games since then\. The network learns/,
    )
  })

  test.each([
    [1.31, 0, / The network learns the moves/],
    [1.37, 2, / has fallen before, from 1\.87/],
    [1.45, 1, / The search improves as well/],
  ])('gives the reason for a policy loss of %d after 1.38', (policy, right, text) => {
    const then = { policy: 1.38, lastSteps: 160_000, steps: 165_000, seconds: 40 }
    const now = {
      policy,
      firstPolicy: 1.87,
      lastSteps: 194_000,
      steps: 195_000,
      generation: 16_384,
      seconds: 60,
    }
    expect(guide[3]!.outcome(now, then)).toEqual({ right, text: expect.stringMatching(text) as string })
    expect(guide[3]!.outcome({ ...now, seconds: 50 }, then)).toMatch(/^Measuring/)
  })

  test('a new run has a policy loss to compare with after its second point', () => {
    const outcome = new Outcome(guide[3]!)
    outcome.start({ steps: 0, seconds: 0, generation: 16_384 })
    const at = (policy: number, lastSteps: number) =>
      outcome.update({
        policy,
        firstPolicy: 1.87,
        lastSteps,
        steps: lastSteps,
        generation: 16_384,
        seconds: 30,
      })
    expect(at(1.87, 19_200)).toMatch(/^Measuring/)
    expect(at(1.8, 35_840)).toMatch(/1\.87 before the click, and is 1\.80/)
    expect(outcome.final).toBe(true)
  })
})

test('games that show no gain by search get the reason and other measurements', () => {
  const step = backgammon.at(-1)!
  const match = { points: 0.4, simulations: 100, games: 100, without: 0.4, with: 0.5 }
  const unsure = { ...match, withoutLow: 0.1, withoutHigh: 0.7, withLow: 0.2, withHigh: 0.8 }
  expect(step.outcome(unsure, {})).toMatchObject({
    right: 0,
    text: expect.stringContaining('Single plays show a gain') as string,
  })
  const sure = { ...match, with: 0.9, withoutLow: 0.3, withoutHigh: 0.5, withLow: 0.8, withHigh: 1 }
  expect(step.outcome(sure, {})).toMatchObject({
    right: 2,
    text: expect.not.stringContaining('luck') as string,
  })
})

test('the strength is judged by matches whose network was trained since the click', () => {
  const { figures, reveals } = guide[5]!
  const players = {
    ...{ last0: 1, low0: 0.98 },
    ...{ last1: 0.28, low1: 0.12 },
    // The band includes an even result.
    ...{ last2: 0.08, low2: -0.08 },
    ...{ last3: -0.28, low3: -0.4 },
  }
  const outcome = new Outcome(guide[5]!)
  outcome.start({ ...players, matches: 210_000, steps: 220_000 })
  // The match of a network that was trained before the click.
  outcome.update({ ...players, matches: 218_000, steps: 225_000 })
  expect([outcome.right, outcome.final]).toEqual([null, false])
  outcome.update({ ...players, matches: 235_000, steps: 236_000 })
  expect([outcome.right, outcome.final]).toEqual([1, true])
  expect(outcome.text).toMatch(
    /^The network clearly beats 2 of 4 players\. Games won in the newest matches: random moves 100 %, 2 moves ahead 64 %; not clearly above “even”: 4 moves ahead 54 %, 6 moves ahead 36 %\./,
  )
  expect(figures.last3).toEqual({ element: 'ladder-3' })
  // The chart shows the answer.
  expect(reveals).toEqual(['ladder'])
})

test.each([
  [[0.9, 0.1, 0.2, 0.1], 2],
  [[0.9, 0.1, 0, -0.1], 1],
  [[0.9, -0.1, -0.2, -0.3], 0],
  [[-0.9, -0.9, -0.9, -0.9], 0],
])('results %j give the answer %i', (results, right) => {
  const values = Object.fromEntries(
    results.flatMap((result, i) => [
      [`last${i}`, result],
      [`low${i}`, result],
    ]),
  ) as Values
  expect(
    guide[5]!.outcome({ ...values, matches: 300, steps: 310 }, { ...values, matches: 100, steps: 200 }),
  ).toMatchObject({ right })
})

test('the strength against the players of backgammon is in points per game', () => {
  const now = {
    ...{ last0: 1.1, low0: 0.9 },
    ...{ last1: 0.4, low1: 0.1 },
    ...{ last2: -1.9, low2: -2.1 },
  }
  expect(backgammon[5]!.outcome({ ...now, matches: 9, steps: 9 }, { matches: 1, steps: 2 })).toMatchObject({
    right: 1,
    text: expect.stringMatching(
      /^The network clearly beats 2 of 3 players\. Points per game in the newest matches: random moves \+1\.10, pip counter \+0\.40; not clearly above “even”: Pubeval −1\.90\./,
    ) as string,
  })
})

test.each([
  [39, 0],
  [40, 1],
  [86, 2],
])('a move with %i of 100 simulations gives the answer %i', (most, right) => {
  const tree = { complete: 1, depth: 6, states: 90, all: 100, most, moves: 7, end: 0 }
  expect(guide[1]!.outcome(tree, {})).toMatchObject({
    right,
    text: expect.stringContaining(`gets ${most} of 100 simulations, ${most} %`) as string,
  })
})

test('the tree states where the best line ends', () => {
  const tree = { complete: 1, depth: 6, states: 51, all: 400, most: 380, moves: 7 }
  const text = (some: Values) => (guide[1]!.outcome({ ...tree, ...some }, {}) as Answer).text
  expect(text({ end: 3 })).toMatch(/best line ends after 3 moves, because the game is over\.$/)
  expect(text({ end: 0 })).not.toMatch(/best line/)
  // The best line is not unfolded yet.
  expect(guide[1]!.outcome(tree, {})).toBeNull()
})

test('no rate is stated for less than a tenth of a second', () => {
  expect(gamesIn(3, 0.04)).toBe('3 games in 0.0 s')
  expect(gamesIn(3, 0.06)).toBe('3 games in 0.1 s, 1,800 per minute')
})

test('the fields of the matches show what the button of the guide measures', () => {
  for (const { setup = [], action } of [guide[6]!, backgammon.at(-1)!])
    expect(action.does.slice(0, setup.length)).toEqual(setup)
})

test('the effect of search names its opponent and reports each match while it is played', () => {
  const { outcome, text } = guide[6]!
  expect(text).toMatch(/minimax/)
  expect(outcome({ points: 0.16, newest: 0.16, newestSimulations: 0 }, {})).toMatch(
    /without search .* 58 % .* so far/,
  )
  expect(outcome({ points: 0.16, newest: 0.68, newestSimulations: 100 }, {})).toMatch(
    /without search .* 58 % .*; with 100 simulations per move, 84 % so far/,
  )
})

test('the rates of games before and after the change are the displayed ones', () => {
  const { figures, outcome, requirement } = guide[4]!
  expect(figures.rate).toEqual({ element: 'games-per-minute', attribute: 'text', missing: -1 })
  // A restored run displays no rate yet.
  expect(requirement!.isMet({ games: 9540, seconds: 32 })).toBe(false)
  expect(requirement!.isMet({ games: 9540, seconds: 32, rate: 13_655 })).toBe(true)
  const then = { share: 0.25, games: 9540, seconds: 32, rate: 13_655 }
  const at = (rate: number, seconds = 53) => outcome({ share: 1, games: 10_040, rate, seconds }, then)
  expect(at(8000, 42)).toMatch(/^Measuring/)
  expect(at(1655)).toEqual({
    right: 1,
    text: expect.stringMatching(
      /^Fewer games .*: 13,655 games per minute before the click, 1,655 now\. /,
    ) as string,
  })
  expect(at(9000)).toMatchObject({ right: 2 })
  expect(at(14_000)).toMatchObject({ right: 0, text: expect.not.stringContaining('Fewer games') as string })
  // Projector mode displays no rate.
  expect(outcome({ share: 1, games: 10_940, seconds: 53, rate: -1 }, { ...then, rate: -1 })).toMatchObject({
    right: 1,
    text: expect.stringContaining('17,888 games per minute before the click, 4,000 now') as string,
  })
})

test.each([
  [
    16.9,
    25.4,
    0,
    /^A game took 16\.9 moves .* 25\.4 at its end: the network learns .* 9,540 games in 31\.8 s, 18,000 per minute\.$/,
  ],
  [25.4, 16.9, 1, /^A game took 25\.4 moves/],
  [20, 20.5, 2, /^A game took/],
])('games of %d moves, then of %d moves: answer %i', (firstLength, length, right, text) => {
  const values = { games: 9540, seconds: 31.8, firstLength }
  expect(guide[2]!.outcome({ ...values, length }, {})).toEqual({
    right,
    text: expect.stringMatching(text) as string,
  })
  // The first point of the chart alone shows no change.
  expect(guide[2]!.outcome({ ...values, length: firstLength }, {})).toMatch(/^Measuring/)
})

test('the guide of backgammon names the play that the search has chosen', () => {
  const outcome = (chosen: number) => backgammon[1]!.outcome({ simulations: 400, chosen }, {})
  expect(outcome(8565)).toMatchObject({
    right: 0,
    text: expect.stringContaining('chooses 8/5 6/5') as string,
  })
  expect(outcome(24231310)).toMatchObject({ right: 1 })
  expect(outcome(6532)).toMatchObject({ right: 2 })
})

test('no step of a game answers before the search of the position has ended', () => {
  const complete = { equity: 0.1, win: 52, depth: 6, states: 90, all: 100, most: 60, moves: 7, end: 0 }
  for (const step of [backgammon[0]!, backgammon[2]!, guide[1]!]) {
    expect(step.outcome({ ...complete, complete: 0 }, {})).toBeNull()
    expect(step.outcome({ ...complete, complete: 1 }, {})).not.toBeNull()
  }
})

test('training pauses at the final outcome of the steps that count games, compare strengths and play matches', () => {
  for (const step of [guide[2]!, guide[3]!, guide[4]!, guide[5]!, guide[6]!, backgammon[4]!, backgammon[5]!])
    expect([step.title, step.finish]).toEqual([step.title, [{ kind: 'learn', on: false }]])
})

test('before the first point of the chart, the step about self-play states when it follows', async () => {
  const { guide } = await import('./guides/connect-four')
  const selfPlay = guide.find(({ title }) => title === 'Self-play')!
  expect(selfPlay.outcome({ games: 40, seconds: 3, moves: 900, generation: 8192 }, {})).toMatch(
    /begins after the first round of 8\.19.k moves; now 900\./,
  )
})

test('hints that a guide has turned on are turned off when the visitor leaves the step', () => {
  const shown = [...guide, ...backgammon].filter(({ action }) =>
    action.does.some((act) => act.kind === 'click' && act.element === 'show-hints'),
  )
  expect(shown).toHaveLength(2)
  for (const { leave } of shown) expect(leave).toBe(hideHints)
})

import { describe, expect, test, vi } from 'vitest'
import type { DoublingReport, GameDoubling, GameTable, GameTurn } from '../../engine/page/session'
import { Lab } from '../../state/lab.svelte'
import { cubeSpot, geometry } from './backgammon/geometry'
import {
  chosenRules,
  costsText,
  cubeText,
  doublingLoss,
  decisionText,
  equitySeat,
  isValidChoice,
  matchText,
  nextGameLabel,
  otherLength,
  ruleKey,
  ruleOptions,
  rulesOf,
  playedCube,
  rolledReport,
  shownCube,
  withRedouble,
} from './model/doubling'
import { shownMatch } from './model/playedMatch'
import { matchKeys, tableKeys } from './model/keys'
import { namesOf } from './model/players'
import { doublingStanding } from './model/plays'
import {
  answersDouble,
  asksToRoll,
  decides,
  decidesDoubling,
  isInGame,
  mayDouble,
  pendingDecision,
  analyzesDoubling,
  playsMatch,
  takeBackProblem,
} from './model/seats'
import { status, withoutPlays } from './model/status'
import { resultTexts, tableTexts, texts } from './model/texts'
import { gameOf } from './state/table.svelte'
import { tableUiOf } from './state/tableUi.svelte'

const session = (some: Partial<GameDoubling> = {}): GameDoubling => ({
  length: 5,
  jacoby: false,
  crawford: false,
  cube: 1,
  owner: null,
  can_double: false,
  points: [1, 2, 3],
  match_winner: null,
  can_take_back: false,
  pending: null,
  last: null,
  ...some,
})
const report = (some: Partial<DoublingReport> = {}): DoublingReport => ({
  seat: 0,
  chosen: 'double',
  best: 'double',
  too_good: false,
  player: { kind: 'opened', simulations: 100 },
  probabilities: [0.7, 0.2, 0.01, 0.1, 0],
  equities: [0.4, 0.5, 1],
  costs: [0.1, 0, 0, 0.5],
  ...some,
})
const table = (some: object = {}) =>
  ({
    board: { kind: 'backgammon' },
    seats: [{ kind: 'person' }, { kind: 'opened', simulations: 100 }],
    seat: 0,
    stage: 'roll',
    dice: null,
    dice_mode: 'ask',
    moves: [],
    history: [],
    outcome: null,
    score: [0, 0],
    doubling: session(),
    ...some,
  }) as unknown as GameTable
const twoPersons = table({ seats: [{ kind: 'person' }, { kind: 'person' }] })
const names = ['You', 'Trained network, 100 simulations'] as const

describe('the rules of the games', () => {
  test('each choice has a key, and each session the key of its choice', () => {
    for (const { value } of ruleOptions.filter(({ value }) => value !== otherLength)) {
      const { length, jacoby } = rulesOf(value, 9)
      expect(ruleKey(length === null ? null : session({ length, jacoby }))).toBe(value)
    }
    expect(rulesOf(otherLength, 9)).toEqual({ length: 9, jacoby: false })
    expect(ruleKey(session({ length: 9 }))).toBe(otherLength)
  })

  test('are sent with the command that starts a match', async () => {
    const lab = new Lab()
    const ask = vi.spyOn(gameOf(lab), 'ask').mockResolvedValue(null)
    const ui = tableUiOf(lab)
    ui.turn = 3
    expect(await ui.startMatch({ length: 0, jacoby: true })).toBe(false)
    expect(ask.mock.calls).toEqual([[{ kind: 'start_match', length: 0, jacoby: true }]])
    expect(ui.turn).toBeNull()
  })

  test('the next game belongs to the match until its end', () => {
    const label = (stage: string, doubling: GameDoubling | null) =>
      nextGameLabel(table({ stage, doubling }), null)
    expect(label('over', null)).toBe('New game')
    expect(label('over', session({ length: 0 }))).toBe('New game')
    expect(label('over', session())).toBe('Next game')
    expect(label('over', session({ match_winner: 1 }))).toBe('New match')
    expect(label('person', session())).toBe('New match')
    expect(nextGameLabel(null, null)).toBe('New game')
    expect(nextGameLabel(table({ stage: 'over' }), { length: 7, jacoby: false })).toBe('New match')
    expect(nextGameLabel(table(), { length: null, jacoby: false })).toBe('New game')
  })

  test('a choice of rules is valid and differs from the present ones', () => {
    const of = (key: string, other: number | null = 9) => chosenRules({ key, other }, session())
    expect([of('5'), of(otherLength, 5), chosenRules(null, session())]).toEqual([null, null, null])
    expect(of('7')).toEqual({ length: 7, jacoby: false })
    expect(of('cubeless')).toEqual({ length: null, jacoby: false })
    for (const other of [null, 0, 2.5, 65]) {
      expect(isValidChoice({ key: otherLength, other })).toBe(false)
      expect(of(otherLength, other)).toBeNull()
    }
    expect(of(otherLength, 64)).toEqual({ length: 64, jacoby: false })
  })
})

describe('available actions', () => {
  const may = session({ can_double: true })

  test('the human player on roll may double; automatic rolls wait for the decision', () => {
    expect(mayDouble(table())).toBe(false)
    expect(mayDouble(table({ doubling: may }))).toBe(true)
    expect(mayDouble(table({ doubling: may, seat: 1 }))).toBe(false)
    expect(mayDouble(table({ doubling: null }))).toBe(false)
    expect(asksToRoll(table({ dice_mode: 'roll' }))).toBe(false)
    expect(asksToRoll(table({ dice_mode: 'roll', doubling: may }))).toBe(true)
    expect(asksToRoll(table({ dice_mode: 'by_hand', doubling: may }))).toBe(false)
  })

  test('the opponent of the seat to move takes or passes', () => {
    expect(answersDouble(table({ stage: 'doubled', seat: 1 }))).toBe(true)
    expect(answersDouble(table({ stage: 'doubled', seat: 0 }))).toBe(false)
    expect(answersDouble(table({ seat: 1 }))).toBe(false)
  })
})

describe('captions', () => {
  test.each([
    [session(), 'Match to 5: You 2, Trained network 4.'],
    [session({ crawford: true }), 'Match to 5: You 2, Trained network 4. Crawford game: no doubling cube.'],
    [
      session({ length: 1, crawford: true }),
      'Match to 1: You 2, Trained network 4. It has no doubling cube.',
    ],
    [session({ match_winner: 1 }), 'Match to 5: You 2, Trained network 4. Trained network wins the match.'],
    [session({ match_winner: 0 }), 'Match to 5: You 2, Trained network 4. You win the match.'],
    [session({ length: 0, jacoby: true }), 'Money session with the Jacoby rule: You 2, Trained network 4.'],
    [session({ length: 0 }), 'Money session without the Jacoby rule: You 2, Trained network 4.'],
  ])('of the match %#', (doubling, text) => {
    expect(matchText(doubling, [2, 4], names)).toBe(text)
  })

  test.each<[Partial<GameDoubling>, [number, number], string]>([
    [{}, [2, 4], 'Doubling cube: 1, in the middle: both sides may double.'],
    [{ cube: 2, owner: 0 }, [0, 0], 'Doubling cube: 2, owned by you.'],
    [{ cube: 4, owner: 1 }, [0, 0], 'Doubling cube: 4, owned by Trained network.'],
    // Double match point: both players need one point.
    [{}, [4, 4], 'Doubling cube: 1. This game decides the match, so that a double changes nothing.'],
    [
      { cube: 4, owner: 1 },
      [1, 2],
      'Doubling cube: 4. This game decides the match, so that a double changes nothing.',
    ],
    // A money session has no end.
    [{ length: 0 }, [9, 9], 'Doubling cube: 1, in the middle: both sides may double.'],
  ])('of the cube %j at %j', (doubling, score, text) => {
    expect(cubeText(session(doubling), score, names, 'roll')).toBe(text)
    expect(cubeText(session(doubling), score, names, null), 'at an earlier position').toBe(text)
  })

  test('of the cube while a double is offered, and after the game', () => {
    expect(cubeText(session(), [0, 0], names, 'doubled')).toBe('Doubling cube: 2, offered.')
    expect(cubeText(session(), [0, 0], names, 'over')).toBeNull()
  })

  test('of a match between two people names the sides', () => {
    expect(matchText(session(), [2, 4], namesOf(twoPersons, []))).toBe(
      'Match to 5: the side below 2, the side above 4.',
    )
  })

  test('of a cube between two people names the side', () => {
    const own = session({ cube: 2, owner: 1 })
    expect(cubeText(own, [0, 0], namesOf(twoPersons, []), 'roll')).toMatch('owned by the side above.')
  })

  test('of a decision between two people have its loss', () => {
    const made = report({ seat: 1, chosen: 'no_double' })
    expect(decisionText(made, namesOf(twoPersons, []))).toBe(
      'Side above does not double, which loses 0.100; the best decision is double, take.',
    )
  })

  test.each([
    [report(), 'You double: the best decision.'],
    [
      report({ chosen: 'no_double' }),
      'You do not double, which loses 0.100; the best decision is double, take.',
    ],
    [
      report({ seat: 1, chosen: 'take', best: 'take' }),
      'You double: the best decision. Trained network takes.',
    ],
    [
      report({ seat: 1, chosen: 'drop', best: 'drop' }),
      'You double: the best decision. Trained network passes.',
    ],
    [report({ seat: 1, chosen: 'no_double', best: 'no_double' }), 'Trained network does not double.'],
    [
      report({ seat: 1, chosen: 'no_double', best: 'no_double', too_good: true }),
      'Trained network does not double: too good, a gammon is worth more.',
    ],
    [report({ chosen: null, best: 'take' }), 'Best decision: take.'],
    [
      report({ chosen: null, best: 'take', costs: [0, 0.997, 0, 1] }),
      'The double loses 0.997. Best decision: take.',
    ],
    [report({ chosen: null }), 'Best decision: double, take.'],
    [report({ chosen: null, costs: [0.1, 0, 0.351, 0] }), 'Best decision: double, pass.'],
    [report({ chosen: null, best: 'no_double' }), 'Best decision: no double, take.'],
    [report({ chosen: null, best: 'no_double', too_good: true }), 'Best decision: too good to double, pass.'],
    [report({ chosen: 'drop', best: 'take' }), 'You pass, which loses 0.500; the best decision is take.'],
  ])('of a decision %#', (made, text) => {
    expect(decisionText(made, names)).toBe(text)
  })

  test('of an owned cube have the word redouble', () => {
    const made = decisionText(report({ chosen: 'no_double' }), names)
    expect(withRedouble(made, true)).toBe(
      'You do not redouble, which loses 0.100; the best decision is redouble, take.',
    )
    expect(withRedouble('Double, take', true)).toBe('Redouble, take')
    expect(withRedouble(made, false)).toBe(made)
    const isRedouble = (doubling: GameDoubling) => shownMatch(table({ doubling }), null, null)?.isRedouble
    expect(isRedouble(session({ cube: 2, owner: 0, pending: report({ chosen: null }) }))).toBe(true)
    expect(isRedouble(session({ pending: report({ chosen: null }) }))).toBe(false)
    // The opponent owns the cube after the take.
    const take = report({ seat: 1, chosen: 'take' })
    expect([2, 4].map((cube) => isRedouble(session({ cube, owner: 1, last: take })))).toEqual([false, true])
  })

  test('of the losses, from the view of the seat to move', () => {
    expect(costsText(report())).toBe('Losses: no double 0.100, pass 0.500.')
    expect(costsText(report(), 'rollout')).toBe('Losses by the rollout: no double 0.100, pass 0.500.')
    expect(costsText(report({ costs: [0, 0, 0, 0] }))).toBe('All decisions are equal.')
    expect([equitySeat(report()), equitySeat(report({ best: 'no_double', seat: 1 }))]).toEqual([0, 1])
    expect([equitySeat(report({ best: 'take' })), equitySeat(report({ best: 'drop', seat: 1 }))]).toEqual([
      1, 0,
    ])
  })

  test.each([
    [{ doubling: session({ can_double: true }) }, 'Your turn: roll or double.'],
    [{ doubling: session({ can_double: true, cube: 2, owner: 0 }) }, 'Your turn: roll or redouble.'],
    [
      { stage: 'doubled', doubling: session({ cube: 2, owner: 0 }) },
      'You redouble to 4: Trained network decides.',
    ],
    [{ stage: 'doubled', doubling: session({ cube: 2 }) }, 'You double to 4: Trained network decides.'],
    [{ stage: 'doubled', seat: 1 }, 'Trained network doubles to 2: take or pass?'],
    [{ seat: 1, waits: true }, 'Trained network to roll: press “Roll now”.'],
    [
      { seat: 1, waits: true, doubling: session({ can_double: true, cube: 2, owner: 1 }) },
      'Trained network to redouble or roll: press “Roll now”.',
    ],
    [{ seat: 1, waits: true, dice_mode: 'by_hand' }, 'Trained network to roll: press “Continue”.'],
    [{ stage: 'doubled', waits: true }, 'You double to 2: press “Answer now”.'],
    [{ stage: 'computer', seat: 1, waits: true }, 'Trained network to play: press “Move now”.'],
    [
      { score: [2, 0], outcome: { winner: 0, points: 2, win: 1, how: 'dropped' } },
      'You win 2 points: the double was passed.',
    ],
    [
      { score: [4, 0], outcome: { winner: 0, points: 4, win: 2, how: 'gammon' } },
      'You win a gammon: 4 points.',
    ],
  ])('of the status %#', (some, text) => {
    expect(status(table(some), null, names)).toBe(text)
  })
})

test('a turn or double of a human player can be taken back, otherwise the reason is named', () => {
  const reason = 'Nothing to take back: you have not played a turn, and rolls are final'
  const problem = (some: object) => takeBackProblem(table(some))
  const turn = (seat: number) => ({ seat }) as GameTurn
  expect(problem({ stage: 'person' }), 'after the opening roll').toBe(reason)
  expect(problem({ history: [turn(1)] }), 'after a turn of the computer').toBe(reason)
  expect(problem({ history: [turn(1), turn(0), turn(1)] })).toBeNull()
  expect(problem({ doubling: session({ can_take_back: true }) })).toBeNull()
  expect(problem({ doubling: null, board: { kind: 'connect_four' } })).toBe(
    'Nothing to take back: you have not played a turn',
  )
})

test('the missing list of plays is explained, with the label of the next game', () => {
  const text = (some: object) => withoutPlays(table(some), null)
  expect(text({ stage: 'doubled' })).toBeNull()
  expect(text({ stage: 'over' })).toBe('The game is over. “Next game” starts another one.')
  expect(text({ stage: 'over', doubling: null })).toBe('The game is over. “New game” starts another one.')
})

describe('the cube on the board', () => {
  const turn = (seat: number, doubled: number | null) => ({ seat, doubled }) as GameTurn

  test('is shown unless it is not in use', () => {
    expect(shownCube(table({ doubling: null }), null)).toBeNull()
    expect(shownCube(table({ doubling: session({ crawford: true }) }), null)).toBeNull()
    expect(shownCube(table(), null)).toEqual({ value: 1, owner: null, offered: false })
    expect(shownCube(table({ stage: 'doubled', doubling: session({ cube: 2, owner: 0 }) }), null)).toEqual({
      value: 4,
      owner: 0,
      offered: true,
    })
  })

  test('has its earlier values at earlier turns', () => {
    const history = [turn(0, null), turn(1, 2), turn(0, null), turn(0, 4)]
    const now = table({ history, doubling: session({ cube: 4, owner: 1 }) })
    const at = [0, 1, 2, 3].map((index) => shownCube(now, index)!)
    expect(at.map(({ value, owner }) => [value, owner])).toEqual([
      [1, null],
      [2, 0],
      [2, 0],
      [4, 1],
    ])
    // A position was set up with a turned cube.
    const late = table({ history: [turn(1, null), turn(0, 4)], doubling: session({ cube: 4, owner: 1 }) })
    expect(shownCube(late, 0)).toMatchObject({ value: 2, owner: 0 })
  })

  test('is inside the bar at each size, and at the side of its owner', () => {
    for (const [width, height] of [
      [1000, 620],
      [358, 430],
    ] as const) {
      const g = geometry(width, height)
      const spots = ([null, 0, 1] as const).map((owner) => cubeSpot(g, owner))
      for (const { x, y, size } of spots) {
        expect(Math.abs(x - (g.bar.x + g.bar.width / 2)) + size / 2).toBeLessThanOrEqual(g.bar.width / 2)
        expect(y - size / 2).toBeGreaterThanOrEqual(g.bar.y)
        expect(y + size / 2).toBeLessThanOrEqual(g.bar.y + g.bar.height)
      }
      expect(spots[2]!.y).toBeLessThan(spots[0]!.y)
      expect(spots[0]!.y).toBeLessThan(spots[1]!.y)
    }
  })
})

test('a match is played from its start to its end, a game without the cube from the first turn of the human player', () => {
  const cubeless = (some: object) => playsMatch(table({ doubling: null, ...some }))
  const [mine, theirs] = [{ seat: 0 }, { seat: 1 }]
  expect(playsMatch(table())).toBe(true)
  expect(playsMatch(table({ stage: 'over' })), 'between two games').toBe(true)
  expect(playsMatch(table({ doubling: session({ match_winner: 1 }) }))).toBe(false)
  expect(playsMatch(table({ seats: [{ kind: 'pips' }, { kind: 'random' }] }))).toBe(false)
  expect(cubeless({ history: [] })).toBe(false)
  expect(cubeless({ history: [theirs] }), 'the network has begun').toBe(false)
  expect(cubeless({ history: [theirs, mine] })).toBe(true)
  expect(cubeless({ history: [theirs, mine], stage: 'over' })).toBe(false)
})

test('two people at a backgammon board have the names of the sides', () => {
  expect(namesOf(twoPersons, [])).toEqual(['Side below', 'Side above'])
  expect(namesOf(table(), [])[0]).toBe('You')
  expect(namesOf({ ...twoPersons, board: { kind: 'connect_four' } as GameTable['board'] }, [])).toEqual([
    'You',
    'You',
  ])
})

test('the cube of a recorded game follows from its doubles', () => {
  const turn = (seat: number, doubled: number | null = null) => ({ seat, doubled }) as unknown as GameTurn
  const game = (crawford: boolean, ...turns: GameTurn[]) => ({
    score: [0, 0] as [number, number],
    crawford,
    turns,
    doubles: [],
    outcome: null,
  })
  const doubled = game(false, turn(0), turn(1, 2), turn(0))
  const at = (count: number) => playedCube({ length: 5 }, doubled, count)
  expect(at(1)).toEqual({ value: 1, owner: null, offered: false })
  expect(at(2)).toEqual({ value: 2, owner: 0, offered: false })
  expect(playedCube({ length: 5 }, game(false, turn(0)), 1)).toEqual({
    value: 1,
    owner: null,
    offered: false,
  })
  expect(playedCube({ length: 5 }, game(true, turn(0)), 1)).toBeNull()
  expect(playedCube({ length: 1 }, game(false, turn(0)), 1)).toBeNull()
})

test('labels state which equity the table has', () => {
  const labels = (name: 'backgammon' | 'connect-four', length: number | null) => {
    const { scale, help } = tableTexts(name, length === null ? null : session({ length }))
    return [scale.nameFor('you'), scale.about('you'), help.playEquity.text]
  }
  expect(labels('backgammon', null)).toEqual([
    'Cubeless equity for you',
    'points per game for you',
    texts.backgammon.help.playEquity.text,
  ])
  const [name, about, help] = labels('backgammon', 0)
  expect([name, about]).toEqual(['Cubeful equity for you', 'points per value of the cube for you'])
  expect(help).toContain('Janowski')
  expect(labels('backgammon', 5)[0]).toBe('Equity at the score (EMG) for you')
  expect(resultTexts('backgammon').scale.about('you')).toBe('points of this game for you')
  expect(labels('connect-four', null)[0]).toBe('Games won by you')
})

test('a finished rollout of a doubling decision replaces its verdict by the evaluation', () => {
  const rolled = (no_double: number, double_take: number) => ({
    no_double: { mean: no_double, error: 0.01 },
    double_take: { mean: double_take, error: 0.01 },
    double_pass: 1,
    gain: { mean: Math.min(double_take, 1) - no_double, error: 0.01 },
    best: '',
    probabilities: [0.6, 0.2, 0, 0.1, 0] as DoublingReport['probabilities'],
  })
  const pending = report({ chosen: null })
  const names = ['You', 'Net'] as const
  const verdict = (of: DoublingReport, no_double: number, double_take: number) =>
    decisionText(rolledReport(of, rolled(no_double, double_take)), names)
  expect(decisionText(pending, names)).toBe('Best decision: double, take.')
  expect(verdict(pending, 0.6, 0.5)).toBe('Best decision: no double, take.')
  expect(verdict(pending, 0.6, 1.2)).toBe('Best decision: double, pass.')
  expect(verdict(pending, 1.1, 1.2)).toBe('Best decision: too good to double, pass.')
  const offered = report({ chosen: null, seat: 1, best: 'take' })
  expect(verdict(offered, 0.4, 1.2)).toBe('Best decision: pass.')
  const { costs, equities } = rolledReport(pending, rolled(0.6, 0.5))
  expect(costs.map((cost) => Number(cost.toFixed(3)))).toEqual([0, 0.1, 0, 0.5])
  expect(equities).toEqual([0.6, 0.5, 1])
})

test('the double of a human player is rated, also after the reply', () => {
  const reply = report({ seat: 1, chosen: 'take', best: 'take', costs: [0, 0.409, 0, 0.3] })
  expect(decisionText(reply, names)).toBe(
    'You double, which loses 0.409; the best decision is no double, take. Trained network takes.',
  )
  const right = { ...reply, chosen: 'drop' as const, costs: [0.1, 0, 0.2, 0] as DoublingReport['costs'] }
  expect(decisionText(right, names)).toBe('You double: the best decision. Trained network passes.')
  expect(decisionText({ ...reply, seat: 0 }, names)).toBe('You take: the best decision.')
})

test('a doubling decision counts with its loss for the player who made it', () => {
  const lost = (some: Partial<DoublingReport>) =>
    [0, 1].map((seat) => doublingLoss(report({ costs: [0.1, 0.2, 0.3, 0.4], ...some }), seat))
  expect(lost({ chosen: 'double' })).toEqual([0.2, 0])
  expect(lost({ chosen: 'take', seat: 1 })).toEqual([0.2, 0.3])
  expect(lost({ chosen: 'drop', seat: 0 })).toEqual([0.4, 0.2])
  expect(lost({ chosen: 'no_double' }), 'a missed double').toEqual([0.1, 0])
  expect(lost({ chosen: null })).toEqual([0, 0])
})

test('a human player is in a game from its first turn, and in a match from its start to its end', () => {
  expect(isInGame(table({ history: [] })), 'before the first turn').toBe(true)
  expect(isInGame(table({ stage: 'over' })), 'between two games').toBe(true)
  expect(isInGame(table({ stage: 'over', doubling: session({ match_winner: 0 }) }))).toBe(false)
  expect(isInGame(table({ doubling: null, history: [] }))).toBe(false)
  expect(isInGame(table({ doubling: null, history: [{ seat: 1 }] }))).toBe(true)
})

test('a human player decides on plays, doubles and replies, not on a roll without a double', () => {
  const decided = [
    table({ stage: 'person' }),
    table({ doubling: session({ can_double: true }) }),
    table({ stage: 'doubled', seat: 1 }),
  ]
  expect(decided.map(decides)).toEqual([true, true, true])
  const others = [table(), table({ stage: 'doubled', seat: 0 }), table({ stage: 'computer', seat: 1 })]
  expect(others.map(decides)).toEqual([false, false, false])
  expect(decided.map(decidesDoubling), 'which can be rolled out').toEqual([false, true, true])
})

test('a doubling decision is evaluated before the roll, for the player who decides', () => {
  const [mine, theirs] = [
    { win: 0.7, gammon: 0.2, backgammon: 0.01 },
    { win: expect.closeTo(0.3), gammon: 0.1, backgammon: 0 },
  ]
  const doubles = doublingStanding(report({ seat: 0, chosen: null, best: 'double' }))
  expect(doubles).toMatchObject({ seat: 0, equity: 0.5, probabilities: { seats: [mine, theirs] } })
  const rolls = doublingStanding(report({ best: 'no_double', equities: [0.6, 0.5, 1] }))
  expect([rolls.seat, rolls.equity]).toEqual([0, 0.6])
  // The equities and probabilities of a report belong to the player on roll.
  const takes = doublingStanding(report({ seat: 1, chosen: null, best: 'take' }))
  expect(takes).toMatchObject({ seat: 1, equity: -0.5, probabilities: { seats: [mine, theirs] } })
  const passes = doublingStanding(report({ seat: 0, best: 'drop', equities: [0.9, 1.2, 1] }))
  expect(passes).toMatchObject({ seat: 0, equity: -1, probabilities: { seats: [theirs, mine] } })
})

test('the decision of a human player is evaluated, not that of a computer', () => {
  const decision = (seat: number) => table({ doubling: session({ pending: report({ seat, chosen: null }) }) })
  expect(pendingDecision(decision(0))?.seat).toBe(0)
  expect(pendingDecision(decision(1))).toBeNull()
  // Except in an entered position, in which the computer waits.
  const waiting = { ...decision(1), stage: 'roll', waits: true } as const
  expect([pendingDecision(waiting)?.seat, analyzesDoubling(waiting)]).toEqual([1, true])
  expect(analyzesDoubling({ ...waiting, waits: false })).toBe(false)
  expect(pendingDecision(table())).toBeNull()
  expect(pendingDecision(table({ doubling: null }))).toBeNull()
})

test('each key of a game has one action', () => {
  for (const bindings of Object.values(tableKeys)) {
    const keys = Object.values({ ...bindings, ...matchKeys }).flatMap(({ keys }) => keys)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

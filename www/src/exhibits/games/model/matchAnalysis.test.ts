import { describe, expect, test } from 'vitest'
import type {
  AnalyzedAction,
  AnalyzedDoubling,
  AnalyzedGame,
  AnalyzedMatch,
  AnalyzedTotal,
  PlayedGame,
  RolledPosition,
} from '../../../engine/page/session'
import {
  actionText,
  analysisJson,
  analyzedTurns,
  bySize,
  decisionsOf,
  depthLabel,
  describeAction,
  doublingRows,
  errorBeside,
  errorsOf,
  probabilitiesText,
  luckMark,
  markCounts,
  ratedPlays,
  ratedTurns,
  rolloutsText,
  undoubledId,
  withStep,
  type Decision,
  type ErrorKind,
} from './matchAnalysis'
import { matchRatings, totalRows } from './matchTotals'
import { decidedDoubling, meetsStopRule, rolledCounts, withRollout, withRollouts } from './rolledActions'
import { texts } from './texts'

const { scale } = texts.backgammon

const action = (some: Partial<AnalyzedAction>): AnalyzedAction => ({
  player: 0,
  position: '',
  action: 'play',
  plies: 1,
  error: 0,
  mark: null,
  best: null,
  candidates: [],
  doubling: null,
  roll: null,
  play: null,
  luck: null,
  forced: null,
  ...some,
})
const play = (some: Partial<AnalyzedAction> = {}) => action({ luck: 0, forced: false, ...some })
const totals = [{}, {}] as [AnalyzedTotal, AnalyzedTotal]
const game = (...actions: AnalyzedAction[]): AnalyzedGame => ({
  totals,
  score: [0, 0],
  crawford: false,
  actions,
  result: null,
})

test('the actions of a game are divided into turns', () => {
  const missed = action({ action: 'no double', error: 70, mark: '?', best: 'double' })
  const [double, take, pass] = (['double', 'take', 'pass'] as const).map((kind) => action({ action: kind }))
  const [first, second, third] = [play(), play(), play()]
  const all = game(first, missed, second, double!, take!, third, double!, pass!)
  expect(analyzedTurns(all)).toEqual([
    { doubling: [], play: first },
    { doubling: [missed], play: second },
    { doubling: [double, take], play: third },
    { doubling: [double, pass], play: null },
  ])
  expect(analyzedTurns(undefined)).toEqual([])
  expect(ratedPlays([all, game(first)])).toBe(4)
})

test('a step adds its actions to their game', () => {
  const [first, second, third] = [play(), play(), play()]
  const analyzed = { games: [game(first), game()], totals, result: null } as unknown as AnalyzedMatch
  const result = { unit: 'points', actual: [1, -1], luck_adjusted: [0, 0] } as AnalyzedMatch['result']
  const next = withStep(analyzed, { index: 0, game: game(second), totals, result: null })
  const last = withStep(next, { index: 1, game: game(third), totals, result })
  expect(last.games.map(({ actions }) => actions)).toEqual([[first, second], [third]])
  expect([next.result, last.result]).toEqual([null, result])
})

test('the decisions of a game are its plays, doubles, and wrong decisions not to double', () => {
  const turn = (id: string) => ({ id })
  const played = {
    turns: [turn('a'), turn('b'), turn('c')],
    doubles: [
      { turn: 1, id: 'double' },
      { turn: 3, id: 'passed' },
    ],
  } as unknown as PlayedGame
  const missed = action({ action: 'no double', best: 'double', position: 'missed' })
  const close = action({ action: 'no double' })
  const ids = (...actions: AnalyzedAction[]) =>
    decisionsOf(played, analyzedTurns(game(...actions))).map(({ id }) => id)
  expect(ids()).toEqual(['a', 'double', 'b', 'c', 'passed'])
  expect(ids(play(), play(), missed, play())).toEqual(['a', 'double', 'b', 'missed', 'c', 'passed'])
  expect(ids(play(), play(), close, play())).toEqual(['a', 'double', 'b', 'c', 'passed'])
})

test('a decision not to double that is not listed can be selected', () => {
  const played = { turns: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], doubles: [] } as unknown as PlayedGame
  const xgid = (cube: string, rest = '0:0:0:5:10') => `XGID=-b----E-C---eE---c-e----B-:${cube}:1:31:${rest}`
  const close = action({ action: 'no double', position: 'close' })
  const rated = analyzedTurns(game(play(), close, play(), play({ position: xgid('0:0') })))
  const ids = (turn: number) => decisionsOf(played, rated, { turn, doubling: true }).map(({ id }) => id)
  expect([0, 1].map((turn) => undoubledId(rated[turn]!, turn))).toEqual([null, 'close'])
  expect(ids(1)).toEqual(['a', 'close', 'b', 'c'])
  expect(ids(2)).toEqual(['a', 'b', xgid('0:0').replace(':31:', ':00:'), 'c'])
  const mayDouble = (...args: Parameters<typeof xgid>) =>
    undoubledId({ doubling: [], play: play({ position: xgid(...args) }) }, 2) !== null
  expect(mayDouble('1:1')).toBe(true)
  expect(mayDouble('1:-1'), 'cube of the opponent').toBe(false)
  expect(mayDouble('0:0', '4:1:1:5:10'), 'Crawford game').toBe(false)
  expect(mayDouble('0:0', '0:0:1:0:10'), 'Jacoby rule').toBe(true)
  const doubled = { doubling: [action({ action: 'double', position: 'x' })], play: null }
  expect([undoubledId(doubled, 2), undoubledId({ doubling: [], play: null }, 2)]).toEqual([null, null])
})

test('a match at the table has doubles without stored positions', () => {
  const turns = [
    { id: 'a', doubled: null },
    { id: 'b', doubled: 2 },
  ]
  const dropped = { how: 'dropped' }
  const played = { turns, doubles: [], outcome: dropped } as unknown as PlayedGame
  expect(decisionsOf(played, [])).toEqual([
    { turn: 0, doubling: false, id: 'a' },
    { turn: 1, doubling: true, id: null },
    { turn: 1, doubling: false, id: 'b' },
    { turn: 2, doubling: true, id: null },
  ])
})

describe('errors of a match', () => {
  const bad = play({ error: 131.6, mark: '??', best: '24/18 13/9' })
  const missed = action({ player: 1, action: 'no double', error: 40, mark: '?!', best: 'double' })
  const double = action({ action: 'double', error: 31, mark: '?!', best: 'no double' })
  const pass = action({ player: 1, action: 'pass', error: 70, mark: '?', best: 'take' })
  const games = [game(play(), bad, play(), double, pass), game(play(), missed, play())]
  const both = errorsOf(games, null)
  const playAt = (turn: number) => ({ turn, doubling: false })
  const doublingAt = (turn: number) => ({ turn, doubling: true })

  test('are marked plays and doubling actions of one player or both', () => {
    expect(both).toEqual([
      { index: 0, decision: playAt(1), action: bad },
      { index: 0, decision: doublingAt(3), action: double },
      { index: 0, decision: doublingAt(3), action: pass },
      { index: 1, decision: doublingAt(1), action: missed },
    ])
    expect([0, 1].map((player) => errorsOf(games, player).map(({ action }) => action))).toEqual([
      [bad, double],
      [pass, missed],
    ])
    expect(errorsOf([game(play())], null)).toEqual([])
    const actions = (kind: ErrorKind) => errorsOf(games, null, kind).map(({ action }) => action)
    expect([actions('play'), actions('doubling')]).toEqual([
      both.map(({ action }) => action).filter(({ action }) => action === 'play'),
      both.map(({ action }) => action).filter(({ action }) => action !== 'play'),
    ])
  })

  test('are counted per mark and sorted by size', () => {
    expect(markCounts(both)).toEqual([
      ['?!', 2],
      ['?', 1],
      ['??', 1],
    ])
    expect(bySize(both).map(({ action }) => action)).toEqual([bad, pass, missed, double])
  })

  test('have a next and a previous decision, in all games', () => {
    const beside = (by: 1 | -1, index: number, selected: Decision | null, errors = both) => {
      const error = errorBeside(errors, index, selected, by)
      return error && [error.index, error.decision]
    }
    expect(beside(1, 0, null)).toEqual([0, playAt(1)])
    expect(beside(1, 0, playAt(0))).toEqual([0, playAt(1)])
    expect(beside(1, 0, playAt(1))).toEqual([0, doublingAt(3)])
    expect(beside(1, 0, doublingAt(3))).toEqual([1, doublingAt(1)])
    expect(beside(1, 1, doublingAt(1))).toEqual([0, playAt(1)])
    expect(beside(-1, 1, doublingAt(1))).toEqual([0, doublingAt(3)])
    expect(beside(-1, 0, doublingAt(3))).toEqual([0, playAt(1)])
    expect(beside(-1, 0, playAt(1))).toEqual([1, doublingAt(1)])
    expect(beside(-1, 1, null)).toEqual([0, doublingAt(3)])
    const first = errorsOf(games, 0)
    expect(beside(1, 0, doublingAt(3), first)).toEqual([0, playAt(1)])
    expect(beside(1, 0, null, [])).toBeNull()
  })
})

test('an action is described by its loss and its luck', () => {
  const describe = (some: AnalyzedAction) => describeAction(some, 'Ann', scale)
  const missed = action({ action: 'no double', error: 70.4, mark: '?', best: 'double' })
  expect(describe(missed)).toBe('Ann does not double: loses 0.070\u00a0(?).')
  const bad = play({ play: '24/14', error: 131.6, mark: '??', best: '24/18 13/9', luck: -312 })
  expect(describe(bad)).toBe('Ann plays 24/14: loses 0.132\u00a0(??). Luck of the roll: −0.312.')
  expect(describe(play({ play: '8/5 6/5', luck: 50 }))).toBe(
    'Ann plays 8/5 6/5: the best play. Luck of the roll: +0.050.',
  )
  const forced = play({ play: 'bar/21', forced: true })
  expect(describe(forced)).toBe('Ann plays bar/21: the only legal play. Luck of the roll: 0.000.')
  expect(describe(action({ action: 'take' }))).toBe('Ann takes: the best action.')
  const owned = { ...missed, position: 'XGID=-:1:1:1:00:0:0:0:0:10' }
  expect(describeAction(owned, 'You', scale)).toBe('You do not redouble: loses 0.070\u00a0(?).')
  expect(actionText(owned)).toBe('no redouble')
  expect(describeAction(missed, 'You', scale)).toBe('You do not double: loses 0.070\u00a0(?).')
})

test('a doubling decision has the equities of the player on roll', () => {
  const doubling: AnalyzedDoubling = {
    no_double: 512,
    double_take: 431.2,
    double_pass: 1000,
    best: 'no double, take',
    probabilities: [0.7123, 0.2, 0.01, 0.05, 0],
  }
  expect(doublingRows(doubling, false)).toEqual([
    ['No double', 512],
    ['Double, take', 431.2],
    ['Double, pass', 1000],
  ])
  expect(doublingRows(doubling, true)[1]).toEqual(['Redouble, take', 431.2])
  expect(probabilitiesText(doubling.probabilities).replaceAll('\u00a0', ' ')).toBe(
    'win 71.2 %, gammon 20.0 %, backgammon 1.0 %; loss 28.8 %, gammon 5.0 %, backgammon 0.0 %.',
  )
})

test('rolls have the luck marks of GNU Backgammon', () => {
  expect([-600, -599, -300, -299, 0, 299, 300, 599, 600].map(luckMark)).toEqual([
    '−−',
    '−',
    '−',
    '',
    '',
    '',
    '+',
    '+',
    '++',
  ])
})

test('totals have the unit of the match', () => {
  const total = {
    plays: 86,
    play_error: 2628,
    doubling_decisions: 10,
    doubling_error: 0,
    blunders: 17,
    error_rate: 27.375,
    performance_rating: 13.6875,
    luck: -2302.1,
  }
  const none = { ...total, error_rate: null, performance_rating: null }
  const result = { unit: 'match winning probability', actual: [0, 1], luck_adjusted: [0.3377, 0.6623] }
  const analyzed = { length: 5, totals: [total, none], result, games: [], players: ['Ann', 'Bob'] }
  const rows = (some: Partial<AnalyzedMatch>) =>
    Object.fromEntries(
      totalRows({ ...analyzed, ...some } as AnalyzedMatch, scale).map(({ label, values }) => [label, values]),
    )
  expect(rows({})).toMatchObject({
    PR: ['13.7', '–'],
    'Loss of plays': ['2.628', '2.628'],
    Luck: ['−2.302', '−2.302'],
    'Luck-adjusted': ['33.77\u00a0%', '66.23\u00a0%'],
  })
  expect(rows({ length: 0 })['Result, points']).toEqual(['0.000', '+1.000'])
  expect(rows({ result: null })).not.toHaveProperty('Luck-adjusted')
})

test('ratings name their source', () => {
  const rate = (performance_rating: number | null) => ({ performance_rating }) as AnalyzedTotal
  const analyzed = { players: ['Ann', 'Bob'], totals: [rate(13.6875), rate(null)], games: [game(play())] }
  const { ratings, source } = matchRatings(analyzed as unknown as AnalyzedMatch)
  expect(ratings).toEqual([
    { name: 'Ann', rating: '13.7' },
    { name: 'Bob', rating: '–' },
  ])
  expect(source).toBe('by this network, not by a reference program')
  const rolled = { ...play(), rollout: { trials: 36, lost: 0, error: 0, missing: 0 } }
  const after = { ...analyzed, games: [game(rolled)] } as unknown as AnalyzedMatch
  expect(matchRatings(after).source).toBe('by this network and its rollouts, not by a reference program')
})

test('the rated turns of a game are kept while it continues, up to a turn that was replaced', () => {
  const turn = (id: string, text = 'a play') => ({ id, text }) as PlayedGame['turns'][number]
  const before = { turns: [turn('a'), turn('b')] }
  const analyzed = game(play(), play())
  const count = (...turns: PlayedGame['turns']) => ratedTurns(before, { turns }, analyzed).length
  expect(count(turn('a'), turn('b'), turn('c'))).toBe(2)
  expect(count(turn('a'), turn('b', 'another play'))).toBe(1)
  expect(count(turn('a'))).toBe(1)
  expect(ratedTurns(before, undefined, analyzed)).toEqual([])
})

test('the label of a depth names the depth of the errors', () => {
  expect([1, 2].map((plies) => depthLabel(plies).replaceAll('\u00a0', ' '))).toEqual([
    '1 ply, errors at 2',
    '2 plies',
  ])
})

describe('the rollout of a decision', () => {
  const scale = { difference: (value: number) => value.toFixed(3), format: String }
  const money = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
  const probabilities = [0.5, 0.2, 0, 0.1, 0] as [number, number, number, number, number]
  const play = (text: string, mean: number, error = 0.02) => ({
    play: text,
    equity: { mean: 0.2, error: 0.01 },
    loss: { mean, error: mean > 0 ? error : null },
    probabilities,
  })
  const ofPlays = (...plays: RolledPosition['plays']): RolledPosition => ({
    trials: 36,
    plays,
    doubling: null,
  })
  const act = (kind: AnalyzedAction['action'], some: Partial<AnalyzedAction> = {}) =>
    action({ action: kind, position: money, ...some })
  const described = (of: AnalyzedAction, rolled: RolledPosition) =>
    describeAction(withRollout(of, rolled), 'Ann', scale)
  const verdicts = (rolled: RolledPosition, ...kinds: AnalyzedAction['action'][]) =>
    kinds.map((kind) => described(act(kind), rolled))

  test('is the verdict on a play', () => {
    const rolled = ofPlays(play('8/5 6/5', 0), play('13/10', 0.07))
    expect(described(act('play', { play: '8/5 6/5', error: 50, best: '6/2' }), rolled)).toBe(
      'Ann plays 8/5 6/5: the best play by the rollout.',
    )
    expect(described(act('play', { play: '13/10' }), rolled)).toBe(
      'Ann plays 13/10: loses 0.070\u00a0±\u20090.020\u00a0(?) by the rollout.',
    )
    expect(
      described(act('play', { play: '6/2', error: 40, best: '13/10' }), rolled),
      'without the play',
    ).toBe('Ann plays 6/2: loses 0.040.')
  })

  test('is the verdict on a double', () => {
    const doubling = {
      no_double: { mean: 1.02, error: 0.001 },
      double_take: { mean: 1.6, error: 0.04 },
      double_pass: 1,
      gain: { mean: -0.02, error: 0.001 },
      best: 'too good to double, pass',
      probabilities,
    }
    const rolled = { trials: 360, plays: [], doubling }
    expect(verdicts(rolled, 'double', 'no double', 'take', 'pass')).toEqual([
      'Ann doubles: loses 0.020\u00a0±\u20090.001 by the rollout.',
      'Ann does not double: the best action by the rollout.',
      'Ann takes: loses 0.600\u00a0±\u20090.040\u00a0(??) by the rollout.',
      'Ann passes: the best action by the rollout.',
    ])
    const close = {
      ...doubling,
      no_double: { mean: 0.499, error: 0.03 },
      double_take: { mean: 0.6, error: 0.04 },
      // Equal dice: smaller than √(0.03² + 0.04²) = 0.05.
      gain: { mean: 0.101, error: 0.02 },
    }
    expect(verdicts({ ...rolled, doubling: close }, 'no double')).toEqual([
      'Ann does not double: loses 0.101\u00a0±\u20090.020\u00a0(?) by the rollout.',
    ])
    expect(described(act('play'), rolled)).toBe('Ann plays: the best action.')
  })

  test('keeps the mark unless the best action and the one made differ by two joint standard errors', () => {
    const made = act('play', { play: '13/10', error: 80, mark: '?', best: '8/5 6/5' })
    const undecided = withRollout(made, ofPlays(play('8/5 6/5', 0), play('13/10', 0.03)))
    expect(undecided).toMatchObject({
      error: 80,
      mark: '?',
      best: '8/5 6/5',
      rollout: { lost: 0.03, missing: 36 },
    })
    expect(described(made, ofPlays(play('8/5 6/5', 0), play('13/10', 0.03)))).toBe(
      'Ann plays 13/10: loses 0.030\u00a0±\u20090.020 by the rollout, not decided: about 36 more trials. Until then, the evaluation counts: loses 0.080\u00a0(?).',
    )
    expect(withRollout(made, ofPlays(play('8/5 6/5', 0), play('13/10', 0.04)))).toMatchObject({
      error: expect.closeTo(40),
      mark: '?!',
    })
    // The best play is compared with the rival that is the closest in standard errors.
    const rivals = [play('6/2', 0.05, 0.01), play('24/21', 0.06, 0.05)]
    expect(withRollout(made, ofPlays(play('13/10', 0), ...rivals))).toMatchObject({
      mark: '?',
      rollout: { lost: 0, missing: 72 },
    })
    expect(withRollout(made, ofPlays(play('13/10', 0), rivals[0]!))).toMatchObject({
      error: 0,
      mark: null,
      best: null,
    })
    // Equal plays never differ by two errors.
    expect(withRollout(made, ofPlays(play('8/5 6/5', 0), play('13/10', 0.001, 0.005)))).toMatchObject({
      error: expect.closeTo(1),
      mark: null,
    })
  })

  test('stops when the play made, or each rival, or both doubling decisions are decided', () => {
    const rolled = (...plays: RolledPosition['plays']) => ({ ...ofPlays(...plays), trials: 144 })
    const [best, close, far] = [play('a', 0), play('b', 0.04), play('c', 0.05)]
    expect(meetsStopRule(rolled(best, close, far), 'c')).toBe(true)
    expect(meetsStopRule(rolled(best, close, far), 'a'), 'the closest rival').toBe(false)
    expect(meetsStopRule(rolled(best, far), null)).toBe(true)
    expect(meetsStopRule({ ...rolled(best, far), trials: 143 }, null), 'within a step').toBe(false)
    expect(meetsStopRule({ ...rolled(best, far), trials: 108 }, null), 'few trials').toBe(false)
    expect(meetsStopRule({ ...rolled(best, close), trials: 5184 }, null)).toBe(true)
    const doubling = (double_take: number) => ({
      ...{ no_double: { mean: 0.5, error: 0.01 }, double_take: { mean: double_take, error: 0.02 } },
      ...{
        double_pass: 1,
        gain: { mean: Math.min(double_take, 1) - 0.5, error: 0.015 },
        best: '',
        probabilities,
      },
    })
    const ofDouble = (double_take: number, trials = 144) => ({
      ...{ trials, plays: [], doubling: doubling(double_take) },
    })
    const equities = [0.51, 0.7, 0.98, 1.2]
    expect(equities.map((equity) => meetsStopRule(ofDouble(equity), null))).toEqual([
      false,
      true,
      false,
      true,
    ])
    // The verdict follows the rollout by the same equities, and the evaluation before.
    const decided = equities.map((equity) => decidedDoubling(ofDouble(equity)) !== null)
    expect(decided).toEqual([false, true, false, true])
    expect(decidedDoubling(ofDouble(0.7, 35))).toBeNull()
  })
})

test('losses by rollouts replace the losses by the analysis', () => {
  const total = (some: Partial<AnalyzedTotal> = {}): AnalyzedTotal => ({
    plays: 1,
    play_error: 50,
    doubling_decisions: 1,
    doubling_error: 130,
    blunders: 1,
    error_rate: 90,
    performance_rating: 45,
    luck: 0,
    ...some,
  })
  const missed = action({ action: 'no double', position: 'x', error: 130, mark: '??', best: 'double' })
  const made = play({ position: 'y', play: '13/10', error: 50, mark: '?!', best: '8/5 6/5' })
  const theirs = play({ player: 1, position: 'z', play: '6/2' })
  const totals: [AnalyzedTotal, AnalyzedTotal] = [total(), total({ play_error: 0 })]
  const analyzed = {
    ...{ games: [{ ...game(missed, made, theirs), totals }], totals },
  } as unknown as AnalyzedMatch
  const rolled = (trials: number, some: Partial<RolledPosition>): RolledPosition => ({
    ...{ trials, plays: [], doubling: null },
    ...some,
  })
  const loss = (mean: number) => ({ loss: { mean, error: 0.01 } })
  const plays = [
    { play: '24/21', ...loss(0) },
    { play: '13/10', ...loss(0.07) },
  ] as RolledPosition['plays']
  const doubling = {
    ...{ no_double: { mean: 0.9 }, double_take: { mean: 0.8 }, double_pass: 1, gain: { mean: -0.1 } },
  }
  const decision = { doubling: doubling as RolledPosition['doubling'] }

  const few = withRollouts(analyzed, new Map([['y', rolled(35, { plays })]]))
  expect(few.games[0]!.actions).toEqual([missed, made, theirs])
  const { games, totals: all } = withRollouts(
    analyzed,
    new Map([
      ['x', rolled(36, decision)],
      ['y', rolled(72, { plays })],
      ['z', rolled(36, { plays })],
    ]),
  )
  expect(games[0]!.actions).toEqual([
    expect.objectContaining({ ...missed, error: 0, mark: null, best: null }),
    expect.objectContaining({ ...made, error: expect.closeTo(70), mark: '?', best: '24/21' }),
    // The rollout does not have the play.
    theirs,
  ])
  const mine = { play_error: expect.closeTo(70), doubling_error: 0, blunders: 1 }
  const rates = { error_rate: expect.closeTo(35), performance_rating: expect.closeTo(17.5) }
  expect([all[0], all[1].play_error]).toEqual([total({ ...mine, ...rates }), 0])
  expect(games[0]!.totals).toEqual(all)
  expect(rolledCounts(games[0]!.actions)).toEqual([2, 0])
  // A decision not to double stays in the list, so that its rollout can be shown again.
  const listed = decisionsOf(
    { turns: [{ id: 'y' }], doubles: [] } as unknown as PlayedGame,
    analyzedTurns(games[0]),
  )
  expect(listed.map(({ doubling }) => doubling)).toEqual([true, false])
})

test('the rollout of a double rates the reply as well', () => {
  const id = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10'
  const double = action({ action: 'double', position: id })
  const take = action({
    ...{ player: 1, action: 'take', position: id.replace(':00:', ':D:') },
    ...{ error: 239, mark: '??', best: 'pass' },
  })
  const none = { plays: 0, play_error: 0, doubling_decisions: 1, doubling_error: 0, blunders: 0, luck: 0 }
  const totals = [none, { ...none, doubling_error: 239, blunders: 1 }] as [AnalyzedTotal, AnalyzedTotal]
  const games = [{ ...game(double, take), totals }]
  const rolled = (mean: number, error: number): RolledPosition => ({
    ...{ trials: 360, plays: [] },
    doubling: {
      ...{ no_double: { mean: 0.9, error: 0.015 }, double_take: { mean, error }, double_pass: 1 },
      gain: { mean: Math.min(mean, 1) - 0.9, error: 0.015 },
      ...{ best: '', probabilities: [0.7, 0.2, 0, 0.1, 0] },
    },
  })
  const after = (mean: number, error: number) =>
    withRollouts({ games, totals } as unknown as AnalyzedMatch, new Map([[id, rolled(mean, error)]]))
  const decided = after(1.05, 0.015)
  const rate = { error_rate: expect.closeTo(50), performance_rating: expect.closeTo(25) }
  expect(decided.games[0]!.actions[1]).toMatchObject({
    ...{ error: expect.closeTo(50), mark: '?!', best: 'pass' },
    rollout: { missing: 0, error: 0.015 },
  })
  expect(decided.totals[1]).toMatchObject({ doubling_error: expect.closeTo(50), blunders: 0, ...rate })
  expect(rolledCounts(decided.games[0]!.actions)).toEqual([1, 1])
  // Less than 2 joint standard errors for the take: the evaluations of double and take count, never those of two sources.
  const undecided = after(1.05, 0.03)
  expect(undecided.games[0]!.actions).toMatchObject([
    { error: double.error, rollout: { missing: 180 } },
    { error: 239, rollout: { missing: 180 } },
  ])
  expect([undecided.totals[1].doubling_error, rolledCounts(undecided.games[0]!.actions)]).toEqual([
    239,
    [0, 0],
  ])
})

test('the exported analysis has its rollouts', () => {
  const rolled = {
    ...play({ error: 70, mark: '?', best: '13/10', play: '8/5 6/5' }),
    rollout: { trials: 1296, lost: 0.07, error: 0.012, missing: 0 },
  }
  const total = { performance_rating: 35 } as AnalyzedTotal
  const analyzed = { games: [game(play(), rolled)], players: ['Ann', 'Bob'], totals: [total, total] }
  const { games } = JSON.parse(analysisJson(analyzed as unknown as AnalyzedMatch)) as {
    games: { actions: { rollout?: object }[] }[]
  }
  expect(games[0]!.actions.map(({ rollout }) => rollout)).toEqual([
    undefined,
    { trials: 1296, error: 70, standard_error: 12, decided: true },
  ])
  const scale = { difference: (value: number) => value.toFixed(3), format: String }
  expect(rolloutsText(analyzed as unknown as AnalyzedMatch, scale)).toBe(
    [
      ...['', '', 'Rollouts, which the tables above do not contain:'],
      'Game 1, 1,296 trials: Ann plays 8/5 6/5: loses 0.070 ± 0.012 (?) by the rollout.',
      'PR with the decided rollouts: Ann 35.0, Bob 35.0.',
    ].join('\n'),
  )
  expect(rolloutsText({ games: [game(play())] } as AnalyzedMatch, scale)).toBe('')
})

test('the exported analysis has no losses that are not comparable', () => {
  const candidate = (searched: boolean) => ({ loss: 50, searched }) as AnalyzedAction['candidates'][number]
  const exported = (...searched: boolean[]) => {
    const games = [game(play({ candidates: searched.map(candidate) }))]
    return (
      JSON.parse(analysisJson({ games } as AnalyzedMatch)) as AnalyzedMatch
    ).games[0]!.actions[0]!.candidates.map(({ loss }) => loss)
  }
  expect(exported(true, false)).toEqual([50, null])
  expect(exported(false, false)).toEqual([50, 50])
})

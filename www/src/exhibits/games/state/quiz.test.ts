import { describe, expect, test, vi } from 'vitest'
import type { AnalyzedAction, AnalyzedMatch, PlayedMatch } from '../../../engine/page/session'
import { slotOf, start } from '../model/checkers'
import { decisionName, scoreOf, scoreText, summaryText, verdictText } from '../model/quiz'
import { texts } from '../model/texts'
import { move, seated } from '../../../../../tests/fixtures/game-table'
import { quizOf } from './quiz.svelte'
import { typedPlayOf } from './typedPlay.svelte'

const { scale } = texts.backgammon

/** Money session of Ann and Bob: Ann plays 3-1 badly, Bob plays 5-2, Ann doubles badly and Bob passes. */
const recorded = {
  names: ['Ann', 'Bob'],
  length: 0,
  jacoby: false,
  games: [
    {
      score: [0, 0],
      crawford: false,
      turns: [
        { id: 'a', seat: 0, dice: [3, 1], moves: [move(13, 10), move(6, 5)], doubled: null },
        { id: 'b', seat: 1, dice: [5, 2], moves: [move(13, 8), move(24, 22)], doubled: null },
      ],
      doubles: [{ turn: 2, id: 'c' }],
      outcome: { winner: 0, points: 1, how: 'dropped' },
    },
  ],
} as unknown as PlayedMatch

const candidate = (play: string, loss: number, searched = true) => ({ play, loss, searched })
const play = {
  action: 'play',
  player: 0,
  position: 'XGID=a:0:0:1:31:0:0:0:0:10',
  plies: 2,
  error: 200,
  mark: '??',
  best: '8/5 6/5',
  play: '13/10 6/5',
  roll: [3, 1],
  candidates: [
    candidate('8/5 6/5', 0),
    candidate('13/10 24/23', 20),
    candidate('24/20', 50, false),
    candidate('13/10 6/5', 200),
  ],
}
const doubling = (action: string, player: number, best: string, error: number) => ({
  ...{ action, player, best, error, mark: '??', position: 'XGID=c:0:0:1:00:0:0:0:0:10', plies: 2 },
  ...{ play: null, candidates: [], doubling: {}, roll: null },
})
const fine = { ...play, player: 1, error: 0, mark: null, best: null, play: '13/8 24/22', candidates: [] }
const actions = [play, fine, doubling('double', 0, 'no double', 400), doubling('pass', 1, 'take', 900)]

/** Returns the quiz about the match, which has not started, and its opened match. */
function started() {
  const { lab, opened, ui } = seated({ game: 7, id: 'table' })
  opened.match = recorded
  opened.select(0, { turn: 1, doubling: false })
  opened.analysis.analyzed = { games: [{ actions }] } as unknown as AnalyzedMatch
  return { quiz: quizOf(lab), opened, ui, lab }
}

/** Moves checkers of Ann. */
function moves(quiz: ReturnType<typeof quizOf>, ...made: [from: number, to: number][]) {
  for (const [from, to] of made) quiz.move(slotOf(0, from), slotOf(0, to))
}

describe('a question', () => {
  test('states the score of a match', () => {
    const { quiz, opened } = started()
    const [game] = recorded.games
    opened.match = { ...recorded, length: 5, games: [{ ...game!, score: [4, 2], crawford: true }] }
    opened.select(0, { turn: 1, doubling: false })
    quiz.start()
    const score = '(Ann 4, Bob 2, match to 5, Crawford game)'
    expect(quiz.text).toBe(`Question 1 of 3 ${score}: Ann to play 3-1.`)
  })

  test('hides the analysis, and is answered by moves on its position', async () => {
    const { quiz, opened } = started()
    quiz.start()
    expect(quiz.text).toBe('Question 1 of 3: Ann to play 3-1.')
    expect([quiz.phase, opened.selected, opened.isHidden, opened.ratedActions]).toEqual([
      'question',
      { turn: 0, doubling: false },
      true,
      [],
    ])
    opened.hints = true
    expect(opened.isHidden, 'also with hints').toBe(true)
    expect([quiz.canConfirm, quiz.canUndo, quiz.unused]).toEqual([false, false, [3, 1]])
    expect([...quiz.targets(slotOf(0, 8))].sort()).toEqual([4, 5, 7])
    moves(quiz, [8, 4])
    expect([quiz.checkers?.[0][4], quiz.unused, quiz.canConfirm]).toEqual([1, [], true])
    // One die at a time.
    quiz.undo()
    expect([quiz.checkers?.[0][5], quiz.canConfirm]).toEqual([1, false])
    // An illegal move is ignored.
    moves(quiz, [13, 7])
    expect(quiz.checkers?.[0][13]).toBe(5)
    await quiz.confirm()
    expect(quiz.phase, 'incomplete').toBe('question')
    moves(quiz, [6, 5])
    await quiz.confirm()
    expect([quiz.phase, quiz.answers, quiz.checkers]).toEqual([
      'verdict',
      [{ text: '8/5 6/5', lost: 0 }],
      null,
    ])
    expect([opened.isHidden, opened.ratedActions.length]).toEqual([false, 1])
  })

  test('takes the focus once in each phase', async () => {
    const { quiz } = started()
    quiz.start()
    expect([quiz.takesFocus(), quiz.takesFocus()]).toEqual([true, false])
    moves(quiz, [8, 4], [6, 5])
    await quiz.confirm()
    expect([quiz.takesFocus(), quiz.takesFocus()]).toEqual([true, false])
    quiz.next()
    expect(quiz.takesFocus()).toBe(true)
    quiz.end()
    quiz.start()
    expect(quiz.takesFocus(), 'another quiz').toBe(true)
  })

  test('is answered by typing', async () => {
    const { quiz, lab } = started()
    const typed = typedPlayOf(lab)
    quiz.start()
    // Moves on the board are replaced.
    moves(quiz, [13, 10])
    typed.text = '24/18'
    await typed.submit()
    expect([typed.isRefused, quiz.phase]).toEqual([true, 'question'])
    typed.text = '8/5 6/5'
    await typed.submit()
    expect([quiz.answers, quiz.phase, typed.text]).toEqual([[{ text: '8/5 6/5', lost: 0 }], 'verdict', ''])
    await typed.submit()
    expect([typed.entry.kind, quiz.phase], 'no question').toEqual(['problem', 'verdict'])
    quiz.next()
    typed.text = 'n'
    await typed.submit()
    expect(quiz.answers.at(-1)).toEqual({ text: 'no double', lost: 0 })
    quiz.next()
    typed.text = 't'
    await typed.submit()
    expect(quiz.answers.at(-1)).toEqual({ text: 'take', lost: 0 })
  })

  test('about a double is answered by an action, also with hidden hints', async () => {
    const { quiz, opened, ui } = started()
    opened.hints = false
    quiz.start()
    quiz.skip()
    expect([quiz.text, quiz.choices, quiz.offeredCube]).toEqual([
      'Question 2 of 3: Ann on roll: double or no double?',
      ['double', 'no double'],
      null,
    ])
    quiz.choose('take')
    expect(quiz.phase, 'no answer to this question').toBe('question')
    quiz.choose('double')
    // The analysis of the double would answer the next question.
    expect([quiz.answers.at(-1), quiz.phase, opened.isHidden]).toEqual([
      { text: 'double', lost: 0.4 },
      'verdict',
      true,
    ])
    quiz.next()
    expect([quiz.text, quiz.offeredCube]).toEqual([
      'Question 3 of 3: Ann doubles to 2: take or pass?',
      { value: 2, owner: null, offered: true },
    ])
    quiz.choose('take')
    expect([quiz.answers.at(-1), opened.isHidden]).toEqual([{ text: 'take', lost: 0 }, false])
    quiz.next()
    // The former decision is shown as before.
    expect([quiz.phase, quiz.text, opened.selected, opened.isHidden, ui.past?.id]).toEqual([
      'summary',
      null,
      { turn: 1, doubling: false },
      true,
      'b',
    ])
  })

  test('about a play that is not listed is evaluated', async () => {
    const { quiz } = started()
    const lossOf = vi.spyOn(quiz.rating, 'lossOf')
    quiz.start()
    moves(quiz, [24, 20])
    let rated = (_lost: number | null) => {}
    lossOf.mockImplementation(() => new Promise((resolve) => (rated = resolve)))
    const confirmed = quiz.confirm()
    expect([quiz.phase, quiz.checkers?.[0][20], lossOf.mock.lastCall?.[1]]).toEqual([
      'rating',
      1,
      // Its equity is not comparable.
      '24/21 21/20',
    ])
    quiz.skip()
    expect(quiz.phase).toBe('rating')
    rated(0.07)
    await confirmed
    expect([quiz.phase, quiz.answers]).toEqual(['verdict', [{ text: '24/20', lost: 0.07 }]])
    // The answer of a quiz that has ended is dropped.
    quiz.end()
    quiz.start()
    moves(quiz, [24, 20])
    const second = quiz.confirm()
    quiz.end()
    rated(0.07)
    await second
    expect([quiz.phase, quiz.question]).toEqual([null, null])
  })
})

test('the summary repeats the questions without a right answer, and the end restores the view', async () => {
  const { quiz, opened } = started()
  quiz.start()
  moves(quiz, [13, 10], [24, 23])
  await quiz.confirm()
  expect(quiz.answers).toEqual([{ text: '24/23 13/10', lost: 0.02 }])
  quiz.next()
  quiz.choose('double')
  quiz.next()
  quiz.skip()
  expect(scoreOf(quiz.answers)).toEqual({ count: 2, right: 1, meanLoss: expect.closeTo(0.21) })
  expect(scoreText(scoreOf(quiz.answers), scale)).toBe('1 of 2 right, mean loss 0.210')
  expect(summaryText(quiz.answers, scale)).toBe('1 of 2 right, mean loss 0.210, 1 skipped.')
  expect(quiz.missed.map(({ action }) => action.action)).toEqual(['double', 'pass'])
  quiz.again()
  expect([quiz.text, quiz.answers]).toEqual(['Question 1 of 2: Ann on roll: double or no double?', []])
  quiz.end()
  expect([quiz.phase, opened.selected, opened.isHidden, opened.hiddenByQuiz]).toEqual([
    null,
    { turn: 1, doubling: false },
    false,
    null,
  ])
})

test('the summary counts answers with unknown loss', () => {
  const [unknown, skipped] = [
    { text: '24/20', lost: null },
    { text: null, lost: null },
  ]
  expect(summaryText([unknown, skipped], scale)).toBe('1 answer with unknown loss, 1 skipped.')
  expect(summaryText([skipped], scale)).toBe('No question was answered.')
})

test('another decision or a position that is set up interrupts the question', () => {
  const { quiz, opened, ui } = started()
  quiz.start()
  opened.select(0, { turn: 1, doubling: false })
  expect([quiz.isAsking, quiz.checkers, quiz.text, quiz.shown]).toEqual([false, null, null, null])
  quiz.skip()
  expect(quiz.at, 'no answer').toBe(0)
  quiz.resume()
  expect([quiz.isAsking, opened.selected]).toEqual([true, { turn: 0, doubling: false }])
  ui.editing = start
  expect([quiz.isAsking, quiz.checkers, quiz.text]).toEqual([false, null, null])
  ui.editing = null
  expect(quiz.isAsking).toBe(true)
})

test('an evaluation is stopped by another run, and not wanted during a visit to another game', async () => {
  const { lab, quiz, opened } = started()
  const lossOf = vi.spyOn(quiz.rating, 'lossOf')
  quiz.start()
  moves(quiz, [24, 20])
  let rated = (_lost: number | null) => {}
  lossOf.mockImplementation(() => new Promise((resolve) => (rated = resolve)))
  const confirmed = quiz.confirm()
  const isWanted = lossOf.mock.lastCall![4]
  expect(isWanted()).toBe(true)
  const stop = vi.spyOn(quiz.rating, 'stop')
  ;(lab as unknown as { show(frame: null): void }).show(null)
  expect(stop).toHaveBeenCalled()
  // During a visit to another game, the question waits to be answered again.
  lab.exhibit = 'connect-four'
  expect(isWanted()).toBe(false)
  rated(null)
  await confirmed
  lab.exhibit = 'backgammon'
  expect([quiz.phase, quiz.answers]).toEqual(['question', []])
  void quiz.confirm()
  opened.close()
  expect(lossOf.mock.lastCall![4](), 'after the match was closed').toBe(false)
})

test('decisions are named by their roll or their question', () => {
  const names = actions.map((action) => decisionName(action as unknown as AnalyzedAction))
  expect(names).toEqual(['3-1', '3-1', 'double?', 'take?'])
})

test('another match or no listed error ends or prevents the quiz', () => {
  const { quiz, opened, ui } = started()
  opened.kind = 'doubling'
  opened.player = 0
  quiz.start()
  expect(quiz.questions.length, 'the listed errors').toBe(1)
  // Another position leaves the question, which is returned to.
  ui.begin()
  expect([quiz.isAsking, quiz.checkers, quiz.text, opened.isHidden]).toEqual([false, null, null, false])
  opened.show(opened.last!)
  expect([quiz.isAsking, opened.isHidden]).toEqual([true, true])
  opened.close()
  expect([quiz.phase, opened.hiddenByQuiz]).toEqual([null, null])
  opened.match = recorded
  opened.select(0)
  for (const mark of ['??', '?', '?!']) opened.toggleMark(mark)
  quiz.end()
  quiz.start()
  expect([opened.errors, quiz.phase]).toEqual([[], null])
})

describe('the verdict', () => {
  const action = play as unknown as AnalyzedAction
  test('names an answer once, the best play and that of the match', () => {
    const text = (text: string, lost: number | null) => verdictText(action, { text, lost }, scale)
    const match = 'In the match: 13/10 6/5, which loses 0.200\u00a0(??).'
    expect(text('8/5 6/5', 0)).toBe(`Right: 8/5 6/5 is the best play. ${match}`)
    expect(text('24/20', 0.01)).toBe(`Right: 24/20 loses only 0.010. Best play: 8/5 6/5. ${match}`)
    expect(text('24/20', 0.07)).toBe(`24/20 loses 0.070\u00a0(?). Best play: 8/5 6/5. ${match}`)
    expect(text('13/10 6/5', 0.2)).toBe(
      '13/10 6/5 loses 0.200\u00a0(??), as in the match. Best play: 8/5 6/5.',
    )
    expect(text('24/20', null)).toBe(`The loss of 24/20 is unknown. Best play: 8/5 6/5. ${match}`)
  })

  test('names redoubles', () => {
    const redouble = doubling('no double', 0, 'double', 100)
    const action = { ...redouble, position: 'XGID=c:1:1:1:00:0:0:0:0:10' } as unknown as AnalyzedAction
    expect(verdictText(action, { text: 'double', lost: 0 }, scale)).toBe(
      'Right: redouble is the best action. In the match: no redouble, which loses 0.100\u00a0(?).',
    )
  })
})

/** Keys of a board game: they act on the table, on an analyzed match, or on the question of its quiz. */
import { actionOf } from '../../../kit/keys'
import { scrollIntoView } from '../../../kit/scroll'
import { elementOf } from '../../../lib/element'
import { allControls } from '../../../state/all-controls.svelte'
import { toasts } from '../../../state/toasts.svelte'
import type { WorldOf } from '../../../worlds'
import { matchKeys, tableKeys, type MatchAction, type TableAction } from '../model/keys'
import { keepFocus } from './boardFocus'
import { useLinkedPosition } from './linkedPosition.svelte'
import { useOpenedMatch } from './openedMatch.svelte'
import { useQuiz } from './quiz.svelte'
import { useGame } from './table.svelte'
import { useTableUi } from './tableUi.svelte'
import { useTypedPlay } from './typedPlay.svelte'

const mustReturn = 'Return to the opened match first.'

/**
 * Returns the function that acts on a key, and returns whether the game uses the key. Call it while a component is initialized.
 * `largestSearch`: returns the largest number of simulations; null before the start.
 */
export function useBoardKeys(
  world: () => WorldOf<'games'>,
  largestSearch: () => number | null,
): (pressed: string) => boolean {
  const ui = useTableUi()
  const game = useGame()
  const opened = useOpenedMatch()
  const quiz = useQuiz()
  const typed = useTypedPlay()
  const linked = useLinkedPosition()

  return function key(pressed: string): boolean {
    const { table } = game
    const largest = largestSearch()
    if (!table || linked.isAwaited) return false
    // Keys do not affect the game during position setup or while an earlier turn is shown.
    const present = ui.isPresent
    /** Steps through an opened match, with the board in view. */
    const walk = (step: () => unknown) => () => {
      // The board shows another position than that of the question.
      if (quiz.phase) return toasts.report(mustReturn)
      step()
      const board = elementOf('board')
      if (board) scrollIntoView(board, 'nearest')
    }
    const acts: { [action in TableAction | MatchAction]: () => unknown } = {
      undo: () => present && (table.can_undo ? ui.proceed('undo') : toasts.report('Nothing to undo.')),
      hints: () => (opened.hints = !opened.hints),
      pageKeys: () => {
        ui.pageKeys = !ui.pageKeys
        toasts.report(
          ui.pageKeys
            ? 'The keys of the game act on the whole page.'
            : 'The keys of the game act only with the focus on the board. K on the board changes it.',
        )
      },
      advance: () => ui.proceed('advance'),
      newGame: () => ui.proceed('next'),
      typePlay: () => typed.open(),
      analyzeAgain: () => {
        if (!ui.canAnalyze(table)) return
        allControls.reveal()
        ui.analyzeAgain()
      },
      deepen: () => {
        if (largest === null || !ui.canAnalyze(table)) return
        allControls.reveal()
        ui.searchDeeper(largest)
      },
      double: () => ui.proceed('double'),
      take: () => ui.proceed('take'),
      pass: () => ui.proceed('pass'),
      nextError: walk(() => opened.stepToError(1)),
      previousError: walk(() => opened.stepToError(-1)),
      next: walk(() => opened.step(1)),
      previous: walk(() => opened.step(-1)),
      quiz: () => {
        if (opened.isLeft) toasts.report(mustReturn)
        else if (opened.errors.length === 0) toasts.report('No errors are listed.')
        else quiz.start()
      },
    }
    /** During a quiz, keys act on the question. */
    const quizActs: Partial<typeof acts> = {
      undo: () => keepFocus(() => quiz.undo()),
      advance: () => quiz.confirm(),
      double: () => quiz.choose('double'),
      newGame: () => quiz.choose('no double'),
      take: () => quiz.choose('take'),
      pass: () => quiz.choose('pass'),
      nextError: () => quiz.next(),
      next: () => quiz.next(),
      typePlay: acts.typePlay,
      pageKeys: acts.pageKeys,
    }
    const isQuiz = quiz.phase !== null && !opened.isLeft
    const hasMatch = opened.match !== null && !ui.editing
    const action =
      actionOf<TableAction>(tableKeys[world()], pressed) ??
      (hasMatch ? actionOf<MatchAction>(matchKeys, pressed) : undefined)
    if (action) (isQuiz ? quizActs : acts)[action]?.()
    return action !== undefined
  }
}

/** Evaluation of the position on the board: by the search, the analysis of its match, or a rollout. */
import { untrack } from 'svelte'
import type { GameInfo } from '../../../engine/page/session'
import { address } from '../../../state/address.svelte'
import { useLab } from '../../../state/context'
import {
  hidden,
  nextStandings,
  seenFrom,
  standing,
  unknown,
  type Standing,
  type Standings,
} from '../model/outcomes'
import { doublingStanding, ratedStanding } from '../model/plays'
import { decides, pendingDecision, playsMatch } from '../model/seats'
import { useLinkedPosition } from './linkedPosition.svelte'
import { useOpenedMatch } from './openedMatch.svelte'
import { useGame } from './table.svelte'
import { useTableUi } from './tableUi.svelte'

/** Returns the evaluation that the page shows. `outcomes`: the outcomes of the game. Call it while a component is initialized. */
export function useShownStanding(outcomes: () => GameInfo['outcomes']): { readonly known: Standing } {
  const lab = useLab()
  const ui = useTableUi()
  const game = useGame()
  const opened = useOpenedMatch()
  const linked = useLinkedPosition()
  const table = $derived(game.table)

  // The last evaluation of the position is shown until a new one arrives.
  let standings = $state.raw<Standings>({ current: unknown, shown: unknown })
  /** The evaluation of the shown decision by the analysis of its match; null without one. */
  const rated = $derived(opened.ratedActions[0] ? ratedStanding(opened.ratedActions[0]) : null)
  /** Whether the evaluation is advice for a decision of the visitor, who plays without hints. Guides describe it. */
  const isAdvice = $derived(
    table !== null &&
      !ui.hints &&
      ui.isPresent &&
      address.guide === null &&
      playsMatch(table) &&
      decides(table),
  )
  const evaluated = $derived(rated ?? standings.shown)
  const rolled = $derived(ui.rolled?.standing ? seenFrom(ui.rolled.standing, evaluated.seat) : null)
  const known = $derived.by(() => {
    if (ui.editing || linked.isAwaited || opened.isHidden) return unknown
    return isAdvice ? hidden : (rolled ?? evaluated)
  })
  const gameNumber = $derived(table?.game ?? -1)
  const cube = $derived(table?.doubling?.cube ?? null)
  // After a take, the evaluation of no double is obsolete.
  $effect(() => {
    void [lab.run, gameNumber, cube]
    untrack(() => (standings = { current: unknown, shown: unknown }))
  })
  $effect(() => {
    const { analysis, turn, past } = ui
    const isPast = turn !== null || past !== null
    // A doubling decision is evaluated before the roll.
    const report = isPast ? past?.report : table && pendingDecision(table)
    const evaluated = analysis ? standing(outcomes(), analysis) : report ? doublingStanding(report) : null
    const outcome = table?.outcome ?? null
    const isBeforeRoll = table?.stage === 'roll' || table?.stage === 'doubled'
    untrack(() => (standings = nextStandings(standings, evaluated, outcome, isPast, isBeforeRoll)))
  })
  return {
    get known() {
      return known
    },
  }
}

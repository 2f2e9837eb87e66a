/** What happens at the table, in a sentence. */
import type { GameAnalysis, GameTable, GameTurn } from '../../../engine/page/session'
import { simulationsOf } from './players'

/** What is won or lost for so many points. */
export const stakes: Record<number, string> = { 1: 'a single game', 2: 'a gammon', 3: 'a backgammon' }

function points(count: number): string {
  return count === 1 ? '1 point' : `${count} points`
}

/** Whether those who sit at the table played the game that is over: whoever sits down has won nothing yet. */
export function playedHere({ outcome, score }: GameTable): boolean {
  return (
    outcome !== null && (outcome.winner === null || score[outcome.winner === 1 ? 1 : 0] >= outcome.points)
  )
}

/** `names` are those of the players; a person's is "You". */
export function status(
  table: GameTable,
  analysis: GameAnalysis | null,
  names: readonly [string, string],
): string {
  const name = names[table.seat === 1 ? 1 : 0]
  const you = name === 'You'
  const { outcome } = table
  if (outcome) {
    if (outcome.winner === null) return 'A draw: all columns are full.'
    const seat = outcome.winner === 1 ? 1 : 0
    const winner = playedHere(table) ? names[seat] : ['The side below', 'The side above'][seat]
    const verb = winner === 'You' ? 'win' : 'wins'
    const what = stakes[outcome.points] ?? 'a game'
    const resigned = outcome.how === 'resigned'
    if (table.board.kind === 'connect_four')
      return `${winner} ${verb}: ${resigned ? 'the other side resigned' : outcome.how}.`
    const how = resigned ? ', as the other side resigned' : ''
    return `${winner} ${verb} ${what}${how}: ${points(outcome.points)}.`
  }
  const roll = table.dice ? ` ${table.dice.join('-')}` : ''
  switch (table.stage) {
    case 'roll':
      if (table.dice_mode === 'by_hand') return you ? 'Enter your roll.' : `Enter the roll of ${name}.`
      return you ? 'Your roll.' : `${name} rolls.`
    case 'person':
      if (table.board.kind === 'connect_four') return 'Your move: choose a column.'
      if (table.can_confirm)
        return table.moves.length === 0 ? `No move is possible with${roll}.` : `You played${roll}: done?`
      return `Your move with${roll}.`
    case 'computer': {
      // For a player without search, the simulations are the analyst's.
      const player = table.seats[table.seat === 1 ? 1 : 0]
      const thinks = (simulationsOf(player) ?? 0) > 0
      return thinks && analysis && analysis.wanted > 1 && analysis.made < analysis.wanted
        ? `${name} thinks about${roll || ' its move'}: ${analysis.made} of ${analysis.wanted}.`
        : `${name} plays${roll}.`
    }
    case 'over':
      return 'The game is over.'
  }
}

/** A turn of the history, counted from 0. */
export function lookingBack(turn: GameTurn, at: number, names: readonly [string, string]): string {
  const roll = turn.dice ? ` with ${turn.dice.join('-')}` : ''
  return `Before turn ${at + 1}: ${names[turn.seat === 1 ? 1 : 0]}${roll}.`
}

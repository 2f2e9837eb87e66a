/** Actions with which the visitor continues the game at the board. */
import type { Command, GameTable } from '../../../engine/page/session'
import { answersDouble, asksToRoll, mayDouble } from './seats'

/** `advance`: rolls the dice, ends a complete play, or lets a waiting computer act. */
export type BoardAction = 'advance' | 'roll' | 'double' | 'take' | 'pass' | 'undo'

/** Returns the command of an action; null if the action is not possible. */
export function commandOf(table: GameTable, action: BoardAction): Command | null {
  switch (action) {
    case 'advance':
      if (table.waits) return { kind: 'move_now' }
      return commandOf(table, 'roll') ?? (table.can_confirm ? { kind: 'confirm_turn' } : null)
    case 'roll':
      return asksToRoll(table) ? { kind: 'roll', dice: null } : null
    case 'double':
      return mayDouble(table) ? { kind: 'double' } : null
    case 'take':
      return answersDouble(table) ? { kind: 'take' } : null
    case 'pass':
      return answersDouble(table) ? { kind: 'drop' } : null
    case 'undo':
      return table.can_undo ? { kind: 'undo_move' } : null
  }
}

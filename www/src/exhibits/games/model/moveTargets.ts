/** Moves that are made one by one, as parts of legal plays. */
import { diceOf, movesKey, type DieMove, type LegalPlay, type Roll } from './legalPlays'

/** Move of a checker by one die or by several. */
export interface CheckerTarget {
  from: number
  to: number
  moves: readonly DieMove[]
}

type Places = Pick<DieMove, 'from' | 'to'>
const isSameMove = (a: Places | undefined, b: Places) => a?.from === b.from && a.to === b.to

/** Returns the plays that begin with the moves that were made. */
export const playsAfter = (plays: readonly LegalPlay[], made: readonly Places[]): LegalPlay[] =>
  plays.filter(({ moves }) => made.every((move, i) => isSameMove(moves[i], move)))

/** Returns the moves that can follow the moves that were made, of one checker by one die or by several; fewer dice first. */
export function targetsAfter(plays: readonly LegalPlay[], made: readonly Places[]): CheckerTarget[] {
  const targets = new Map<string, CheckerTarget>()
  for (const { moves } of playsAfter(plays, made)) {
    for (let end = made.length + 1; end <= moves.length; end++) {
      const chain = moves.slice(made.length, end)
      const isChain = chain.every((move, i) => i === 0 || chain[i - 1]!.to === move.from)
      if (!isChain) continue
      const target = { from: chain[0]!.from, to: chain.at(-1)!.to, moves: chain }
      const known = targets.get(movesKey([target]))
      if (!known || known.moves.length > chain.length) targets.set(movesKey([target]), target)
    }
  }
  return [...targets.values()].sort((a, b) => a.moves.length - b.moves.length)
}

/** Returns the dice of a roll that the moves have not used. */
export function unusedDice(roll: Roll, made: readonly (Places & { die: number })[]): number[] {
  const dice = diceOf(roll)
  for (const { die } of made) {
    const at = dice.indexOf(die)
    if (at >= 0) dice.splice(at, 1)
  }
  return dice
}

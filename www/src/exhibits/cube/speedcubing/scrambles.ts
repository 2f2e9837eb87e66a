/** Scrambles of random turns. */
import { faces, opposite, writeTurn, type Face, type Size, type Turn } from '../model/turns'

/** Number of turns of a scramble. */
export const scrambleLength: Readonly<Record<Size, number>> = { 2: 11, 3: 25 }

/**
 * Returns random turns without redundant ones: no face turns twice in a row, also not with only its opposite face in
 * between. `random` returns numbers from 0 up to, but not including, 1.
 */
export function randomTurns(size: Size, random: () => number = Math.random): string {
  const turning: readonly Face[] = size === 2 ? ['U', 'R', 'F'] : faces
  const turns: Turn[] = []
  while (turns.length < scrambleLength[size]) {
    const [last, before] = [turns.at(-1)?.face, turns.at(-2)?.face]
    const redundant = (face: Face) => face === last || (last === opposite(face) && before === face)
    const allowed = turning.filter((face) => !redundant(face))
    const face = allowed[Math.floor(random() * allowed.length)]!
    turns.push({ face, quarters: 1 + Math.floor(random() * 3) })
  }
  return turns.map(writeTurn).join(' ')
}

/** Labels and lists of players. */
import type { GamePlayer, GameTable, PlayerChoice } from '../../../engine/page/session'

/** Returns the player with another number of simulations; players without search are unchanged. */
export function withSimulations(player: GamePlayer, simulations: number): GamePlayer {
  return 'simulations' in player ? { ...player, simulations } : player
}

export function simulationsOf(player: GamePlayer): number | null {
  return 'simulations' in player ? player.simulations : null
}

/** Returns the key of a player in a select, independent of its simulations. */
export function keyOf(player: GamePlayer): string {
  return JSON.stringify(withSimulations(player, 0))
}

function sameKind(a: GamePlayer, b: GamePlayer): boolean {
  return keyOf(a) === keyOf(b)
}

/** Returns the label of a player with its simulations. */
export function playerName(player: GamePlayer, choices: readonly PlayerChoice[]): string {
  if (player.kind === 'person') return 'You'
  const choice = choices.find((choice) => sameKind(choice.player, player))
  const name = choice?.label ?? player.kind
  const simulations = simulationsOf(player)
  return simulations ? `${name}, ${simulations.toLocaleString('en')} simulations` : name
}

/** Names of two human players at a backgammon board. The colors of the checkers depend on the theme. */
export const sideNames: readonly [string, string] = ['Side below', 'Side above']

/** Returns a name within a sentence. */
export const inSentence = (name: string): string =>
  sideNames.includes(name) ? `the ${name.toLowerCase()}` : name

/** Returns the names of the players at both seats; two human players at a backgammon board have the names of the sides. */
export function namesOf(
  { seats, board }: Pick<GameTable, 'seats' | 'board'>,
  choices: readonly PlayerChoice[],
): [string, string] {
  if (board.kind === 'backgammon' && seats.every(({ kind }) => kind === 'person')) return [...sideNames]
  return [playerName(seats[0], choices), playerName(seats[1], choices)]
}

/** Returns the label without the simulations. */
export const withoutSearch = (label: string): string => label.replace(/, [\d,]+ simulations$/, '')

/** Returns the available numbers of simulations, starting with 0. */
export function searches(largest: number): number[] {
  return [0, 10, 30, 100, 300, 1000, 3000, 10_000].filter((count) => count <= largest)
}

/** Returns the players, with the networks of earlier training steps last. */
export const earlierLast = (choices: readonly PlayerChoice[]): PlayerChoice[] => [
  ...choices.filter(({ player }) => player.kind !== 'earlier'),
  ...choices.filter(({ player }) => player.kind === 'earlier'),
]

/** Returns the default network for matches: an opened one, else the best, else the newest. */
export function measured(choices: readonly PlayerChoice[]): PlayerChoice | undefined {
  for (const kind of ['opened', 'best', 'newest']) {
    const choice = choices.find(({ player }) => player.kind === kind)
    if (choice) return choice
  }
  return undefined
}

/** Returns select options; the values are {@link keyOf}. */
export const playerOptions = (choices: readonly PlayerChoice[]): { value: string; label: string }[] =>
  choices.map(({ player, label }) => ({ value: keyOf(player), label }))

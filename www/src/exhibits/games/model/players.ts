/** Who plays, in words and in lists. */
import type { GamePlayer, PlayerChoice } from '../../../engine/page/session'

/** The same player with another number of simulations; one without search stays as it is. */
export function withSimulations(player: GamePlayer, simulations: number): GamePlayer {
  return 'simulations' in player ? { ...player, simulations } : player
}

export function simulationsOf(player: GamePlayer): number | null {
  return 'simulations' in player ? player.simulations : null
}

/** A player whatever its search, as a select's value. */
export function keyOf(player: GamePlayer): string {
  return JSON.stringify(withSimulations(player, 0))
}

function sameKind(a: GamePlayer, b: GamePlayer): boolean {
  return keyOf(a) === keyOf(b)
}

/** What a player is called; its search stands after it. */
export function playerName(player: GamePlayer, choices: readonly PlayerChoice[]): string {
  if (player.kind === 'person') return 'You'
  const choice = choices.find((choice) => sameKind(choice.player, player))
  const name = choice?.label ?? player.kind
  const simulations = simulationsOf(player)
  return simulations ? `${name}, ${simulations.toLocaleString('en')} simulations` : name
}

/** The label of a player without its search. */
export const withoutSearch = (label: string): string => label.replace(/, [\d,]+ simulations$/, '')

/** Numbers of simulations to choose from, none first. */
export function searches(largest: number): number[] {
  return [0, 10, 30, 100, 300, 1000, 3000, 10_000].filter((count) => count <= largest)
}

/** The players to choose from, with the earlier networks behind all others. */
export const earlierLast = (choices: readonly PlayerChoice[]): PlayerChoice[] => [
  ...choices.filter(({ player }) => player.kind !== 'earlier'),
  ...choices.filter(({ player }) => player.kind === 'earlier'),
]

/** The network to measure if nobody chooses: an opened one, else the best of the run, else the newest; no earlier one. */
export function measured(choices: readonly PlayerChoice[]): PlayerChoice | undefined {
  for (const kind of ['opened', 'best', 'newest']) {
    const choice = choices.find(({ player }) => player.kind === kind)
    if (choice) return choice
  }
  return undefined
}

/** Players as the options of a select; their values are {@link keyOf}. */
export const playerOptions = (choices: readonly PlayerChoice[]): { value: string; label: string }[] =>
  choices.map(({ player, label }) => ({ value: keyOf(player), label }))

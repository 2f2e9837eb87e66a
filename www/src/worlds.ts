/** Static descriptions of the environments, available before anything is loaded. */
import type { Family } from './engine/shared/family'
import { experiments } from './protocol/experiments'

export interface WorldCard {
  title: string
  /** What is learned, in one or two sentences without technical terms. */
  line: string
  /** Duration of the guided path in minutes, with its reading and its experiments. */
  guideMinutes: number
  /** Hue of the accent color, degrees in OKLCH. */
  hue: number
  /** Settings of a link that names neither settings nor a seed, as a query; omitted for the defaults. */
  start?: string
}

type Experiment = (typeof experiments)[number]

export type World = Experiment['name']

/** Names of the environments of a family. */
export type WorldOf<F extends Family> = Extract<Experiment, { family: F }>['name']

/** The cards of each family, in `cards.ts` of its folder; a type error if an environment has no card. */
const families = import.meta.glob<Record<string, WorldCard>>('./exhibits/*/cards.ts', {
  eager: true,
  import: 'cards',
})
const cards = Object.assign({}, ...Object.values(families)) as Record<World, WorldCard>

/** Environments by subject; the first one of each group is the easiest to understand. */
const groups = [
  { title: 'Balance and swing', names: ['cartpole', 'pendulum', 'mountain-car', 'acrobot'] },
  { title: 'Games and puzzles', names: ['connect-four', 'backgammon', 'cube2', 'cube3'] },
  { title: 'Words and patterns', names: ['language', 'logic-ca'] },
  { title: 'Finding a way', names: ['frozen-lake', 'frozen-lake-8x8'] },
] as const satisfies readonly { title: string; names: readonly World[] }[]

/** The groups with the cards of their environments, in display order. */
export const worldGroups = groups.map(({ title, names }) => ({
  title,
  worlds: names.map((name: World) => ({
    name,
    family: experiments.find((experiment) => experiment.name === name)!.family,
    ...cards[name],
  })),
}))

/** Returns the first environment of the next subject, whose guide follows. */
export function followingWorld(name: string) {
  const group = worldGroups.findIndex(({ worlds }) => worlds.some((world) => world.name === name))
  return worldGroups[(group + 1) % worldGroups.length]!.worlds[0]!
}

/** All environments, in display order. */
export const worlds = worldGroups.flatMap((group) => group.worlds)

export function isWorld(name: string): name is World {
  return experiments.some((experiment) => experiment.name === name)
}

/** Returns the family of an environment's learner; `null` for unknown names. */
export function familyOfWorld(name: string): Family | null {
  return experiments.find((experiment) => experiment.name === name)?.family ?? null
}

/** Returns the URL fragment with which the page opens an environment for the first time. */
export function startHash(name: string): string {
  const start = isWorld(name) ? cards[name].start : undefined
  return `#/${name}${start ? `?${start}` : ''}`
}

export function worldCard(name: World): WorldCard {
  return cards[name]
}

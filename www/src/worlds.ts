/** Static descriptions of the environments, available before anything is loaded. */
import type { Family } from './engine/shared/family'
import { experiments } from './protocol/experiments'

export interface WorldCard {
  title: string
  /** Summary of the environment in one line. */
  line: string
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

/**
 * Environments that are displayed first: they need no previous knowledge and learn within seconds or minutes. The others keep
 * the order of the registry.
 */
const first: readonly World[] = ['cartpole', 'frozen-lake', 'connect-four', 'cube2', 'language', 'logic-ca']
const place = (name: World) => (first.includes(name) ? first.indexOf(name) : first.length)

/** All environments, in display order. */
export const worlds = experiments
  .map(({ name, family }) => ({ name, family, ...cards[name] }))
  .toSorted((a, b) => place(a.name) - place(b.name))

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

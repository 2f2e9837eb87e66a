/** The guides that the home page offers: the one in progress, and the next one. */
import type { GuideProgress } from '../state/guide-progress'
import { followingWorld, worlds, type World } from '../worlds'

export interface GuideOffers {
  /** The guide that the visitor has left at a later step than the first one; null without one. */
  current: GuideProgress | null
  /** The exhibit of the next guide; null if the visitor has finished all others. */
  next: World | null
}

/** Returns the guides to offer. `progress`: the guides that the visitor has opened, the last one first. */
export function guideOffers(progress: readonly GuideProgress[]): GuideOffers {
  const current = progress.find(({ done, step }) => !done && step > 1) ?? null
  const taken = new Set(progress.filter(({ done }) => done).map(({ world }) => world))
  if (current) taken.add(current.world)
  const free = (world: World) => !taken.has(world)
  const last = progress.find(({ world }) => taken.has(world))
  return { current, next: guidesAfter(last?.world ?? null).find(free) ?? null }
}

/** Returns the exhibits in the order of their guides after this one: the first one of each subject, then the others. */
function guidesAfter(after: World | null): World[] {
  const order: World[] = after === null ? [worlds[0]!.name] : []
  for (let world = after ?? worlds[0]!.name; ;) {
    world = followingWorld(world).name
    if (order.includes(world)) break
    order.push(world)
  }
  return [...order, ...worlds.map(({ name }) => name)]
}

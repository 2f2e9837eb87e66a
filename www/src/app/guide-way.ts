/** The guides that the home page offers: the one in progress, and the next one. */
import type { GuideProgress } from '../state/guide-progress'
import { followingWorld, worlds, type World } from '../worlds'

export interface GuideWay {
  /** The guide that the visitor has left at a later step than the first one; null without one. */
  current: GuideProgress | null
  /** The exhibit of the next guide; null if the visitor has finished all others. */
  next: World | null
}

/** Returns the guides to offer. `progress`: the guides that the visitor has opened, the last one first. */
export function guideWay(progress: readonly GuideProgress[]): GuideWay {
  const current = progress.find(({ done, step }) => !done && step > 1) ?? null
  const taken = new Set(progress.filter(({ done }) => done).map(({ world }) => world))
  if (current) taken.add(current.world)
  const free = (world: World) => !taken.has(world)
  const last = progress.find(({ world }) => taken.has(world))
  return { current, next: onTheWay(last?.world ?? null).find(free) ?? null }
}

/** Returns the exhibits in the order of their guides after this one: the first one of each subject, then the others. */
function onTheWay(after: World | null): World[] {
  const way: World[] = after === null ? [worlds[0]!.name] : []
  for (let world = after ?? worlds[0]!.name; ;) {
    world = followingWorld(world).name
    if (way.includes(world)) break
    way.push(world)
  }
  return [...way, ...worlds.map(({ name }) => name)]
}

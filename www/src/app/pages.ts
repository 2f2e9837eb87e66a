/** Pages loaded on demand as separate chunks; the home page needs none of them. */
import type { FamilyExhibit } from '../exhibits/shared/family'
import type { Family } from '../engine/shared/family'

/** Dynamic import of each family's exhibit. */
const families: Record<Family, () => Promise<{ exhibit: FamilyExhibit }>> = {
  control: () => import('../exhibits/control/exhibit'),
  logic_ca: () => import('../exhibits/logic-ca/exhibit'),
  games: () => import('../exhibits/games/exhibit'),
  cube: () => import('../exhibits/cube/exhibit'),
  language: () => import('../exhibits/language/exhibit'),
}

/** Loads a family's exhibit and the shared exhibit layout. */
export async function loadExhibit(family: Family) {
  const [{ default: Exhibit }, { exhibit }] = await Promise.all([
    import('../exhibits/shared/Exhibit.svelte'),
    families[family](),
  ])
  return { Exhibit, exhibit }
}

export const loadBench = async () => (await import('./Bench.svelte')).default

/** Pages loaded on demand as separate chunks; the home page needs none of them. */
import type { FamilyExhibit } from '../exhibits/shared/family'
import { folderOf, type Family } from '../engine/shared/family'

/** Dynamic import of each family's exhibit, by file. */
const families = import.meta.glob<FamilyExhibit>('../exhibits/*/exhibit.ts', { import: 'exhibit' })

/** Loads a family's exhibit and the shared exhibit layout. */
export async function loadExhibit(family: Family) {
  const [{ default: Exhibit }, exhibit] = await Promise.all([
    import('../exhibits/shared/Exhibit.svelte'),
    families[`../exhibits/${folderOf(family)}/exhibit.ts`]!(),
  ])
  return { Exhibit, exhibit }
}

export const loadBench = async () => (await import('./Bench.svelte')).default

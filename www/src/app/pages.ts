/** Pages loaded on demand as separate chunks. */
import type { DocumentName } from '../state/path'
import type { FamilyExhibit } from '../exhibits/shared/family'
import type { Component } from 'svelte'
import { folderOf, type Family } from '../engine/shared/family'

/** Loads the home page. */
export const loadLanding = async () => (await import('./Landing.svelte')).default

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

/** Pages without an exhibit. Their property `entry` is the rest of the address, such as the term of the glossary. */
export const documents: Record<DocumentName, { title: string; load: () => Promise<Component<any>> }> = {
  bench: { title: 'Bench', load: async () => (await import('./Bench.svelte')).default },
  learn: { title: 'How it learns', load: async () => (await import('./Learn.svelte')).default },
  glossary: { title: 'Glossary', load: async () => (await import('./Glossary.svelte')).default },
  teach: { title: 'For teachers', load: async () => (await import('./teach/Teach.svelte')).default },
}

/** The glossary of the page. It is loaded with the glossary page, or when an explanation is opened. */
import automata from './automata.md?raw'
import { chapterOf, type Chapter, type Term } from './chapter'
import cube from './cube.md?raw'
import games from './games.md?raw'
import language from './language.md?raw'
import reinforcement from './reinforcement.md?raw'
import training from './training.md?raw'

export type { Chapter, Term } from './chapter'

export const chapters: readonly Chapter[] = [reinforcement, training, games, cube, language, automata].map(
  chapterOf,
)

const bySlug = new Map<string, Term>()
const byCovered = new Map<string, Term>()
for (const term of chapters.flatMap(({ terms }) => terms)) {
  bySlug.set(term.slug, term)
  for (const name of term.covers ?? []) byCovered.set(name, term)
}

/**
 * Returns the term with a slug, or the term of a metric or config field such as `control/entropy` or `ppo.discount`. A
 * field without a term of its own has the term of its last segment.
 */
export function termOf(key: string): Term | null {
  return bySlug.get(key) ?? byCovered.get(key) ?? byCovered.get(key.split(/[/.]/).at(-1)!) ?? null
}

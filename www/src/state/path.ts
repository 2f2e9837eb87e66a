/** Parses the path of the URL fragment: the page that it names, without the settings of an exhibit. */
import type { Family } from '../engine/shared/family'
import { experiments } from '../protocol/experiments'
import type { World } from '../worlds'

const documentNames = ['bench', 'glossary', 'learn', 'teach'] as const

export type DocumentName = (typeof documentNames)[number]

/** A page without an exhibit. */
export interface DocumentRoute {
  page: 'document'
  name: DocumentName
  /** Rest of the path, such as the term of the glossary, or family and section of an article. */
  entry: string | null
}

export type PagePath =
  | { page: 'landing' }
  | DocumentRoute
  /** `query`: the settings of the exhibit, not parsed. */
  | { page: 'exhibit'; world: World; family: Family; query: string }
  | { page: 'unknown'; name: string }

export function parsePath(hash: string): PagePath {
  const [path, query] = split(hash.replace(/^#/, ''), '?')
  const name = path.replace(/^\/|\/$/g, '')
  if (name === '') return { page: 'landing' }
  const [first, entry] = split(name, '/')
  const document = documentNames.find((known) => known === first)
  if (document) return { page: 'document', name: document, entry: entry || null }
  const experiment = experiments.find((known) => known.name === name)
  if (!experiment) return { page: 'unknown', name }
  return { page: 'exhibit', world: experiment.name, family: experiment.family, query }
}

/** Splits a text at the first `by`; the second part is empty if there is none. */
export function split(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Articles “How it learns”: description, references, and the state that the parts of an article share. */
import { createContext } from 'svelte'
import type { World } from '../../../worlds'

/** Description of a family's article, exported by `learn/article.ts` of its folder. */
export interface ArticleInfo {
  title: string
  /** Summary in one or two sentences. */
  lead: string
  /** Exhibit that the article explains. */
  world: World
  /** What the picture at the top of the article shows, in one or two sentences. */
  picture: string
  /** Reading time of the article in minutes. */
  minutes: number
}

export interface Reference {
  /** Authors and year as cited in the text, such as `Schulman et al. 2017`. */
  cited: string
  /** Names of all authors. */
  authors: string
  year: number
  title: string
  /** Journal, conference or publisher of the work. */
  venue?: string
  url: string
}

/** Returns the URL fragment of a family's article, or of one of its sections. */
export const articleHash = (family: string, section?: string) =>
  `#/learn/${family}${section ? `/${section}` : ''}`

export interface ArticleParts {
  readonly family: string
  /** Adds a section to the table of contents, in document order. */
  addSection(section: { id: string; title: string }): void
  /** Reports the section that is being read. */
  read(section: string): void
  /** Returns the number of the next figure. */
  nextFigure(): number
}

export const [useArticle, provideArticle] = createContext<ArticleParts>()

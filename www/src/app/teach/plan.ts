/** Lesson plans: goals, a timetable with links to prepared exhibits, and questions with answers. */
import { linksOf, parseMarkdown, type MarkdownLink, type MarkdownSection } from '../../lib/markdown'

export interface LinkedText {
  text: string
  links: readonly MarkdownLink[]
}

/** A phase of the timetable; its links open exhibits with their preset, speed, guide step and projector mode. */
export interface Phase extends LinkedText {
  minutes: number
  title: string
}

/** An experiment of the student sheet: a question about the exhibit, and links that open it with different seeds. */
export interface Experiment {
  question: string
  /** Result that the teacher can expect; empty if it is not known. */
  expected: string
  links: readonly MarkdownLink[]
}

/** A table of the student sheet that the students fill; empty cells are to be filled. */
export interface Table {
  title: string
  /** What to write. */
  text: string
  columns: readonly string[]
  /** One text for each column. */
  rows: readonly (readonly string[])[]
  /** Contents that the teacher can expect; empty if they are not known. */
  expected: string
}

export interface Question {
  question: string
  answer: string
}

export interface Plan {
  /** Id of the section and rest of the address, as in `#/teach/control`. */
  slug: string
  title: string
  /** Knowledge that the lesson requires of the students, and articles with which the teacher prepares the lesson. */
  prerequisites: LinkedText
  goals: readonly string[]
  /** Content that the teacher projects for the class, and the links that open it. */
  projector: LinkedText
  phases: readonly Phase[]
  experiments: readonly Experiment[]
  /** Tables of the student sheet, in the order of the lesson. */
  tables: readonly Table[]
  /** How the expected results of the experiments were measured, and how to read them; empty without such results. */
  results: string
  questions: readonly Question[]
}

/**
 * Parses a plan, which has the sections Prerequisites, Goals, Projector, Timetable, Experiments and Questions, and may have
 * Tables.
 */
export function planOf(markdown: string): Plan {
  const { title, id: slug, sections } = parseMarkdown(markdown)
  const section = (name: string): MarkdownSection => {
    const found = sections.find(({ title }) => title === name)
    if (!found) throw new Error(`plan ${slug} has no section "${name}"`)
    return found
  }
  return {
    slug,
    title,
    prerequisites: paragraphOf(section('Prerequisites')),
    goals: section('Goals').items,
    projector: paragraphOf(section('Projector')),
    phases: section('Timetable').sections.map(phaseOf),
    experiments: section('Experiments').sections.map(experimentOf),
    tables: sections.find(({ title }) => title === 'Tables')?.sections.map(tableOf) ?? [],
    results: section('Experiments').text,
    questions: section('Questions').sections.map(({ title, text }) => ({ question: title, answer: text })),
  }
}

const paragraphOf = ({ text, items }: MarkdownSection): LinkedText => ({ text, links: linksOf(items) })

/** Returns the phase of a section such as `### 7 min: The task`. */
function phaseOf(section: MarkdownSection): Phase {
  const [, minutes, title] = /^(\d+) min: (.+)$/.exec(section.title) ?? []
  if (!minutes || !title) throw new Error(`"${section.title}" is not a duration and a title`)
  return { minutes: Number(minutes), title, ...paragraphOf(section) }
}

/** Returns the experiment of a section: its title is the question, its text the expected result. */
function experimentOf({ title, text, items }: MarkdownSection): Experiment {
  if (items.length === 0) throw new Error(`experiment "${title}" has no link`)
  return { question: title, expected: text, links: linksOf(items) }
}

/**
 * Returns the table of a section: its first item has the heads of the columns, the others are rows, cells separated by `|`. Its
 * section Expected, if any, is for the teacher.
 */
function tableOf({ title, text, items, sections }: MarkdownSection): Table {
  const [columns = [], ...rows] = items.map((item) => item.split('|').map((cell) => cell.trim()))
  if (rows.length === 0) throw new Error(`table "${title}" has no rows`)
  for (const row of rows)
    if (row.length > columns.length) throw new Error(`a row of table "${title}" has more cells than columns`)
  const expected = sections.find(({ title }) => title === 'Expected')?.text ?? ''
  return { title, text, columns, rows: rows.map((row) => columns.map((_, i) => row[i] ?? '')), expected }
}

/** Title of the phase in which the students do the experiments of the sheet. */
const experimentsPhase = /^Experiments\b/

/**
 * Returns the tables of a student sheet before and after its experiments, in the order of the lesson. A table has the title of its
 * phase; other tables belong to the phase of the table before them. Without a phase of their own, the experiments are last.
 */
export function tablesInOrder({ phases, tables }: Plan): { before: Table[]; after: Table[] } {
  const indexOf = (title: string) => phases.findIndex((phase) => phase.title === title)
  const experiments = phases.findIndex(({ title }) => experimentsPhase.test(title))
  let at = -1
  const placed = tables.map((table) => ({ table, at: (at = Math.max(at, indexOf(table.title))) }))
  const isAfter = ({ at }: { at: number }) => experiments >= 0 && at > experiments
  return {
    before: placed.filter((one) => !isAfter(one)).map(({ table }) => table),
    after: placed.filter(isAfter).map(({ table }) => table),
  }
}

/** Returns the duration of a plan in minutes. */
export const minutesOf = ({ phases }: Plan): number => phases.reduce((sum, { minutes }) => sum + minutes, 0)

/** Returns the phases with their first and last minute. */
export function timetable({ phases }: Plan): (Phase & { from: number; to: number })[] {
  let at = 0
  return phases.map((phase) => ({ ...phase, from: at, to: (at += phase.minutes) }))
}

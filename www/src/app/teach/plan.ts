/** Lesson plans: goals, a timetable with links to prepared exhibits, and questions with answers. */

export interface PlanLink {
  label: string
  /** URL fragment of a page with its preset, speed, guide step and projector mode. */
  href: string
}

export interface Phase {
  minutes: number
  title: string
  text: string
  links?: readonly PlanLink[]
}

export interface Question {
  question: string
  answer: string
}

export interface Plan {
  /** Id of the section and rest of the address, as in `#/teach/control`. */
  slug: string
  title: string
  /** Knowledge that the lesson requires of the students. */
  prior: string
  goals: readonly string[]
  /** Article with which the teacher prepares the lesson. */
  reading: PlanLink
  /** Content that the teacher projects for the class, and the links that open it. */
  project: { text: string; links: readonly PlanLink[] }
  phases: readonly Phase[]
  questions: readonly Question[]
}

/** Returns the duration of a plan in minutes. */
export const minutesOf = ({ phases }: Plan): number => phases.reduce((sum, { minutes }) => sum + minutes, 0)

/** Returns the phases with their first and last minute. */
export function timetable({ phases }: Plan): (Phase & { from: number; to: number })[] {
  let at = 0
  return phases.map((phase) => ({ ...phase, from: at, to: (at += phase.minutes) }))
}

/** Returns all links of a plan. */
export const linksOf = ({ project, phases }: Plan): PlanLink[] => [
  ...project.links,
  ...phases.flatMap(({ links = [] }) => links),
]

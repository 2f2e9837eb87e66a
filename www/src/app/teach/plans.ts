/** Lesson plans of three lessons, 45 minutes each, and two short ones, 20 minutes each. */
import { planOf, type Plan } from './plan'
import automaton from './plans/automaton.md?raw'
import control from './plans/control.md?raw'
import cube from './plans/cube.md?raw'
import games from './plans/games.md?raw'
import language from './plans/language.md?raw'

export const plans: readonly Plan[] = [control, games, language, cube, automaton].map(planOf)

/** The saved runs of a component's lab, passed by Svelte context. */
import { createContext } from 'svelte'
import type { Runs } from './runs.svelte'

export const [useRuns, provideRuns] = createContext<Runs>()

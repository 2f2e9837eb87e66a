/** The kept runs of the lab that a component belongs to. */
import { createContext } from 'svelte'
import type { Runs } from './runs.svelte'

export const [useRuns, provideRuns] = createContext<Runs>()

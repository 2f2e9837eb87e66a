import type { FamilyExhibit } from '../shared/family'
import World from './World.svelte'

export const exhibit: FamilyExhibit = { World }

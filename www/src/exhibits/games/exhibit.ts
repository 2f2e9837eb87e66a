import type { FamilyExhibit } from '../frame/family'
import World from './World.svelte'

export const exhibit: FamilyExhibit = { World }

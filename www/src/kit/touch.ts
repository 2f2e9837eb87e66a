/** Whether the texts name touch gestures instead of the pointer and keys: on touch screens, and in windows as narrow as a phone. */
import { MediaQuery } from 'svelte/reactivity'

export const touch = new MediaQuery('(pointer: coarse), (max-width: 720px)')

/** Whether the window is as narrow as a phone: one column, with the picture first. */
import { MediaQuery } from 'svelte/reactivity'

export const narrow = new MediaQuery('(max-width: 720px)')

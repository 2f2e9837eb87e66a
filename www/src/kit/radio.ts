import type { IconName } from './Icon.svelte'

/** Option of a radio group. */
export interface RadioOption<T> {
  value: T
  /** Accessible name; visible unless the caller draws the option. */
  label: string
  icon?: IconName
  disabled?: boolean
}

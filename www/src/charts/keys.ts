/** Keys of a chart. */
import type { KeyBinding } from '../kit/keys'

export const chartKeys = {
  zoom: { keys: ['+', '-'], label: 'zoom' },
  pan: { keys: ['ArrowLeft', 'ArrowRight'], label: 'pan' },
  others: { keys: ['ArrowUp', 'ArrowDown'], label: 'other charts' },
  whole: { keys: ['0'], label: 'whole run' },
} satisfies Record<string, KeyBinding>

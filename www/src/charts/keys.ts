/** Keys of a chart. */
import type { KeyBinding } from '../kit/keys'

export const chartKeys = {
  zoom: { keys: ['+', '-'], label: 'Zoom' },
  pan: { keys: ['ArrowLeft', 'ArrowRight'], label: 'Pan' },
  others: { keys: ['ArrowUp', 'ArrowDown'], label: 'Other charts' },
  whole: { keys: ['0'], label: 'Whole run' },
} satisfies Record<string, KeyBinding>

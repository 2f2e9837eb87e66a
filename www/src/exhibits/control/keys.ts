/** Keys of the preview. */
import { arrows, type KeyBinding } from '../../kit/keys'

export const previewKeys = {
  select: { keys: Object.keys(arrows), label: 'Select an environment' },
  left: { keys: ['a'], label: 'Push it to the left' },
  right: { keys: ['d'], label: 'Push it to the right' },
} satisfies Record<string, KeyBinding>

/** Keys of all exhibits, and the list of the keys of an exhibit. */
import { chartKeys } from '../../charts/keys'
import type { KeyBinding, KeyGroup } from '../../kit/keys'

/** Keys of the page of an exhibit. */
export const exhibitKeys = {
  list: { keys: ['?'], label: 'List of the keys' },
  train: { keys: [' '], label: 'Pause or resume the training' },
  step: { keys: ['.'], label: 'Single training step, while paused and with the focus on Train' },
  project: { keys: ['Alt+P'], label: 'Projector mode' },
  close: { keys: ['Escape'], label: 'Close a dialog or an explanation, or leave projector mode' },
} satisfies Record<string, KeyBinding>

/** Returns all keys of an exhibit: `own`, which are those of its family, and the keys of all exhibits. */
export const keyGroups = (own: readonly KeyGroup[]): KeyGroup[] => [
  ...own,
  { title: 'Page', bindings: Object.values(exhibitKeys) },
  { title: 'Chart with the focus', bindings: Object.values(chartKeys) },
  {
    title: 'Timeline with the focus',
    bindings: [
      { keys: ['ArrowLeft', 'ArrowRight'], label: 'Earlier or later snapshot' },
      { keys: ['Home'], label: 'First snapshot' },
      { keys: ['End'], label: 'Present state' },
    ],
  },
]

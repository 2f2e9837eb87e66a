import type { FamilyExhibit } from '../shared/family'
import { isControl } from '../../engine/page/session'
import type { Guide } from '../shared/guide/guide'
import { openingSpeeds } from './speed'
import { forEachWorld } from './texts'
import { curves } from './curves'
import { previewKeys } from './keys'
import World from './World.svelte'

const guides = import.meta.glob<{ guide: Guide }>('./guides/*.ts')

export const exhibit: FamilyExhibit = {
  World,
  leads: forEachWorld(({ lead }) => lead),
  basics: forEachWorld(({ basics }) => ({ settings: basics, presets: null })),
  curves,
  blank: null,
  guide: {
    worlds: ['cartpole', 'mountain-car', 'pendulum', 'acrobot', 'frozen-lake', 'frozen-lake-8x8'],
    load: (world) => guides[`./guides/${world}.ts`]!(),
  },
  rules: { worlds: ['frozen-lake', 'frozen-lake-8x8'], load: () => import('./rules/lake.svelte') },
  keys: () => [{ title: 'Environments with the focus', bindings: Object.values(previewKeys) }],
  ending: { load: () => import('./ending') },
  openingSpeeds: (info) => (isControl(info) ? openingSpeeds(info.world.step_seconds) : []),
}

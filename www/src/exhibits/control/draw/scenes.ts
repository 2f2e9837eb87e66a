/** Scenes of the control environments: each is `scene` of the file here that has the environment's name. */
import type { WorldOf } from '../../../worlds'
import type { Scene, SceneOf } from './scene'

const files = import.meta.glob<{ scene?: SceneOf }>(['./*.ts', '!./*.test.ts'], { eager: true })

/** Creates the scene of an environment; see {@link SceneOf}. */
export function scene(name: WorldOf<'control'>, world: (parameter: string) => unknown): Scene {
  const create = files[`./${name}.ts`]?.scene
  if (!create) throw new Error(`draw/${name}.ts has no scene.`)
  return create(world)
}

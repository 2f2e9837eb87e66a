/** Scenes of the control environments. */
import type { WorldOf } from '../../../worlds'
import { AcrobotScene } from './acrobot'
import { CartPoleScene } from './cartpole'
import { FrozenLakeScene } from './frozen-lake'
import { MountainCarScene } from './mountain-car'
import { PendulumScene } from './pendulum'
import type { Scene } from './scene'

/** Creates a scene. `world` returns the current value of a parameter of the environment, such as `pole_half_length`. */
export function scene(name: WorldOf<'control'>, world: (parameter: string) => unknown): Scene {
  switch (name) {
    case 'cartpole':
      return new CartPoleScene(() => Number(world('pole_half_length') ?? 0.5))
    case 'mountain-car':
      return new MountainCarScene(() => Number(world('gravity') ?? 0.0025))
    case 'pendulum':
      return new PendulumScene()
    case 'acrobot':
      return new AcrobotScene()
    case 'frozen-lake':
    case 'frozen-lake-8x8':
      return new FrozenLakeScene(() => String(world('map') ?? 'S'))
  }
}

/** Scenes of the control environments. */
import type { ControlWorld } from '../../../worlds'
import { AcrobotScene } from './acrobot'
import { CartPoleScene } from './cartpole'
import { MountainCarScene } from './mountain-car'
import { PendulumScene } from './pendulum'
import type { Scene } from './scene'

/** Creates a scene. `world` returns the current value of a physical parameter, such as `pole_half_length`. */
export function scene(name: ControlWorld, world: (parameter: string) => number | undefined): Scene {
  switch (name) {
    case 'cartpole':
      return new CartPoleScene(() => world('pole_half_length') ?? 0.5)
    case 'mountain-car':
      return new MountainCarScene(() => world('gravity') ?? 0.0025)
    case 'pendulum':
      return new PendulumScene()
    case 'acrobot':
      return new AcrobotScene()
  }
}

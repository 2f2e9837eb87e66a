/** The terms that a newcomer meets first, each in one sentence, with the place of the page that shows it. */
import type { World } from '../worlds'

export interface FirstTerm {
  name: string
  definition: string
  /** Slug of the term in the glossary that has formula and source. */
  slug: string
  /** Step of a guide that shows it. */
  seen: { world: World; step: number; label: string }
}

const cartpole = (step: number, label: string): FirstTerm['seen'] => ({ world: 'cartpole', step, label })

export const firstTerms: readonly FirstTerm[] = [
  {
    name: 'Agent',
    definition: 'The program that learns and acts, here the one that pushes the cart.',
    slug: 'agent',
    seen: cartpole(1, 'CartPole, step 1'),
  },
  {
    name: 'Environment',
    definition: 'The world in which the agent acts, such as a cart with a pole.',
    slug: 'environment',
    seen: cartpole(6, 'CartPole, step 6: a longer pole'),
  },
  {
    name: 'Episode',
    definition: 'One attempt, from the reset to the fall, or to the time limit.',
    slug: 'episode',
    seen: cartpole(1, 'CartPole, step 1: each pole is one episode'),
  },
  {
    name: 'Return',
    definition: 'The sum of the rewards, the points, that the agent receives in one episode.',
    slug: 'return',
    seen: cartpole(2, 'CartPole, step 2: the large number'),
  },
  {
    name: 'Policy',
    definition: 'The rule by which the agent chooses its action in each state.',
    slug: 'policy',
    seen: cartpole(3, 'CartPole, step 3: the policy map'),
  },
  {
    name: 'Value',
    definition: 'The return that the network expects, starting from a state.',
    slug: 'value',
    seen: cartpole(5, 'CartPole, step 5: the value map'),
  },
  {
    name: 'Network',
    definition: 'A formula with many adjustable numbers, which training changes little by little.',
    slug: 'network',
    seen: { world: 'connect-four', step: 1, label: 'Connect Four, step 1: gray bars' },
  },
  {
    name: 'Loss',
    definition: 'A number for the error of the network, which training reduces.',
    slug: 'loss',
    seen: { world: 'connect-four', step: 4, label: 'Connect Four, step 4: policy loss' },
  },
  {
    name: 'Training step',
    definition: 'One small change of all numbers of the network, also called an update.',
    slug: 'update',
    seen: cartpole(3, 'CartPole, step 3: one update'),
  },
  {
    name: 'Evaluation',
    definition: 'A test of the network, during which it does not learn.',
    slug: 'solved',
    seen: { world: 'cube2', step: 5, label: '2×2×2 cube, step 5' },
  },
]

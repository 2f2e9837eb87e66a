/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

interface ControlCard extends WorldCard {
  /**
   * Legend of the colors in the preview: property of agents with a strong color compared with the others, such as “more
   * energy”.
   */
  bright: string
  /** What one environment of the preview shows, such as “cart”. */
  body: string
}

export const cards: Record<WorldOf<'control'>, ControlCard> = {
  cartpole: {
    title: 'CartPole',
    line: 'A cart learns to keep a pole upright by rolling left and right.',
    guideMinutes: 10,
    hue: 68,
    bright: 'upright for longer',
    body: 'cart',
  },
  'mountain-car': {
    title: 'MountainCar',
    line: 'A car that is too weak for the hill learns to gain speed by rolling back and forth.',
    guideMinutes: 5,
    hue: 148,
    bright: 'more energy',
    body: 'car',
  },
  pendulum: {
    title: 'Pendulum',
    line: 'A weak motor learns to swing a rod up and to hold it there.',
    guideMinutes: 5,
    hue: 288,
    bright: 'closer to upright',
    body: 'rod',
  },
  acrobot: {
    title: 'Acrobot',
    line: 'Two hanging rods learn to swing up like a gymnast on a bar.',
    guideMinutes: 5,
    hue: 178,
    bright: 'a higher tip',
    body: 'pair of rods',
  },
  'frozen-lake': {
    title: 'Frozen lake',
    line: 'A walker learns the safest way over slippery ice. The best possible way is shown beside it.',
    guideMinutes: 5,
    hue: 222,
    bright: 'nearer to the goal',
    body: 'agent',
  },
  'frozen-lake-8x8': {
    title: 'Frozen lake 8×8',
    line: 'A larger lake: at first the goal is reached by chance only.',
    guideMinutes: 6,
    hue: 190,
    bright: 'nearer to the goal',
    body: 'agent',
  },
}

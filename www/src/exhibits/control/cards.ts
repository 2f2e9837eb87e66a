/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

interface ControlCard extends WorldCard {
  /**
   * Legend of the colors in the preview: property of agents with a strong color compared with the others, such as “more
   * energy”.
   */
  bright: string
}

export const cards: Record<WorldOf<'control'>, ControlCard> = {
  cartpole: {
    title: 'CartPole',
    line: 'Keep a pole upright by nudging the cart under it.',
    hue: 68,
    bright: 'upright for longer',
  },
  'mountain-car': {
    title: 'MountainCar',
    line: 'Swing back and forth until the hill gives way.',
    hue: 148,
    bright: 'more energy',
  },
  pendulum: {
    title: 'Pendulum',
    line: 'Swing a heavy rod up and hold it there.',
    hue: 288,
    bright: 'closer to upright',
  },
  acrobot: {
    title: 'Acrobot',
    line: 'Two links and one motor between them: swing the tip over the line.',
    hue: 178,
    bright: 'a higher tip',
  },
  'frozen-lake': {
    title: 'Frozen lake',
    line: 'Cross slippery ice to the goal. The exact optimum is drawn beside it.',
    hue: 222,
    bright: 'nearer to the goal',
  },
  'frozen-lake-8x8': {
    title: 'Frozen lake 8×8',
    line: 'A larger lake, whose goal is first reached by chance.',
    hue: 190,
    bright: 'nearer to the goal',
  },
}

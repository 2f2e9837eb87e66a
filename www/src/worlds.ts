/** Static descriptions of the environments, available before anything is loaded. */
import type { Family } from './engine/shared/family'

export interface WorldCard {
  name: string
  /** Family of its learner. */
  family: Family
  title: string
  /** Summary in one line. */
  line: string
  /** Hue of the accent color, degrees in OKLCH. */
  hue: number
}

export interface ControlCard extends WorldCard {
  /** Meaning of brightness in the preview: bright agents have more of this than dim ones. */
  bright: string
}

export const controlWorlds = [
  {
    name: 'cartpole',
    family: 'control',
    title: 'CartPole',
    line: 'Keep a pole upright by nudging the cart under it.',
    hue: 68,
    bright: 'upright for longer',
  },
  {
    name: 'mountain-car',
    family: 'control',
    title: 'MountainCar',
    line: 'Swing back and forth until the hill gives way.',
    hue: 148,
    bright: 'more energy',
  },
  {
    name: 'pendulum',
    family: 'control',
    title: 'Pendulum',
    line: 'Swing a heavy rod up and hold it there.',
    hue: 288,
    bright: 'closer to upright',
  },
  {
    name: 'acrobot',
    family: 'control',
    title: 'Acrobot',
    line: 'Two links and one motor between them: swing the tip over the line.',
    hue: 178,
    bright: 'a higher tip',
  },
  {
    name: 'frozen-lake',
    family: 'control',
    title: 'Frozen lake',
    line: 'Cross slippery ice to the goal. The exact optimum is drawn beside it.',
    hue: 222,
    bright: 'nearer to the goal',
  },
  {
    name: 'frozen-lake-8x8',
    family: 'control',
    title: 'Frozen lake 8×8',
    line: 'A larger lake, whose goal is first reached by chance.',
    hue: 190,
    bright: 'nearer to the goal',
  },
] as const satisfies readonly ControlCard[]

export type ControlWorld = (typeof controlWorlds)[number]['name']

const logicCa = {
  name: 'logic-ca',
  family: 'logic_ca',
  title: 'Logic automaton',
  line: 'A cellular automaton of trained logic gates grows a pattern and repairs it.',
  hue: 345,
} as const satisfies WorldCard

const gameWorlds = [
  {
    name: 'backgammon',
    family: 'games',
    title: 'Backgammon',
    line: 'AlphaZero self-play with tree search. Watch it improve, and play against it.',
    hue: 28,
  },
  {
    name: 'connect-four',
    family: 'games',
    title: 'Connect Four',
    line: 'The same learner without dice: from random to strong play while you watch.',
    hue: 205,
  },
] as const satisfies readonly WorldCard[]

const cubeWorlds = [
  {
    name: 'cube2',
    family: 'cube',
    title: 'Cube 2×2×2',
    line: 'Deep Q-learning from random turns to solving all 3,674,160 states.',
    hue: 316,
  },
  {
    name: 'cube3',
    family: 'cube',
    title: 'Cube 3×3×3',
    line: 'A network trained on scrambles alone guides a beam search to a solution.',
    hue: 258,
  },
] as const satisfies readonly WorldCard[]

const language = {
  name: 'language',
  family: 'language',
  title: 'Language',
  line: 'A small GPT, trained from noise to sentences. Prompt it, or train it on your own text.',
  hue: 235,
} as const satisfies WorldCard

/** All environments. */
export const worlds = [
  ...controlWorlds,
  logicCa,
  ...gameWorlds,
  ...cubeWorlds,
  language,
] as const satisfies readonly WorldCard[]

export type World = (typeof worlds)[number]['name']

export type GameWorld = (typeof gameWorlds)[number]['name']

export type CubeWorld = (typeof cubeWorlds)[number]['name']

export function isWorld(name: string): name is World {
  return worlds.some((world) => world.name === name)
}

/** Returns the family of an environment's learner; `null` for unknown names. */
export function familyOfWorld(name: string): Family | null {
  return worlds.find((world) => world.name === name)?.family ?? null
}

export function worldCard(name: World): WorldCard {
  return worlds.find((world) => world.name === name)!
}

export function controlCard(name: ControlWorld): ControlCard {
  return controlWorlds.find((world) => world.name === name)!
}

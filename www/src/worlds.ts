/** The worlds that the page knows before anything is loaded: what they are called and how they look. */
import type { Family } from './engine/shared/family'

export interface WorldCard {
  name: string
  /** The family of learners that its learner belongs to. */
  family: Family
  title: string
  /** One line: what is learned there. */
  line: string
  /** Hue of its accent, degrees in OKLCH. */
  hue: number
}

export interface ControlCard extends WorldCard {
  /** The meaning of brightness in the preview: a bright member does more of this than a dim one. */
  bright: string
}

export const controlWorlds = [
  {
    name: 'cartpole',
    family: 'control',
    title: 'Cartpole',
    line: 'Keep a pole upright by nudging the cart under it.',
    hue: 68,
    bright: 'upright for longer',
  },
  {
    name: 'mountain-car',
    family: 'control',
    title: 'Mountain car',
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
] as const satisfies readonly ControlCard[]

export type ControlWorld = (typeof controlWorlds)[number]['name']

const logicCa = {
  name: 'logic-ca',
  family: 'logic_ca',
  title: 'Logic automaton',
  line: 'Cells of learned logic gates grow a pattern, and heal it.',
  hue: 345,
} as const satisfies WorldCard

const gameWorlds = [
  {
    name: 'backgammon',
    family: 'games',
    title: 'Backgammon',
    line: 'A network plays itself, a tree search at its side, and climbs. Sit down and play it.',
    hue: 28,
  },
  {
    name: 'connect-four',
    family: 'games',
    title: 'Connect Four',
    line: 'The same learner without dice: from nothing to strong play while you watch.',
    hue: 205,
  },
] as const satisfies readonly WorldCard[]

const cubeWorlds = [
  {
    name: 'cube2',
    family: 'cube',
    title: 'Cube 2×2×2',
    line: 'From random turns to solving all 3,674,160 states, and evaluated in each of them.',
    hue: 316,
  },
  {
    name: 'cube3',
    family: 'cube',
    title: 'Cube 3×3×3',
    line: 'A network that only ever saw scrambles finds its way out of any of them.',
    hue: 258,
  },
] as const satisfies readonly WorldCard[]

const language = {
  name: 'language',
  family: 'language',
  title: 'Language',
  line: 'A small transformer learns to write, from noise to sentences. Prompt it, or give it a text of your own.',
  hue: 235,
} as const satisfies WorldCard

/** The worlds that can be entered. */
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

/** The family of a world's learner; `null` for a name that is none. */
export function familyOf(name: string): Family | null {
  return worlds.find((world) => world.name === name)?.family ?? null
}

export function worldCard(name: World): WorldCard {
  return worlds.find((world) => world.name === name)!
}

export function controlCard(name: ControlWorld): ControlCard {
  return controlWorlds.find((world) => world.name === name)!
}

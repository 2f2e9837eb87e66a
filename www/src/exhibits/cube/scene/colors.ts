/** Colors and marks of the cube. Colors are independent of the theme; marks distinguish them without hue. */
import type { Theme } from '../../../lib/color'
import type { Face } from '../model/turns'

/** Colors of the faces of a solved cube. */
export const colors: Readonly<Record<Face, { name: string; letter: string; fill: string; mark: string }>> = {
  U: { name: 'white', letter: 'W', fill: '#f4f2ec', mark: '#9b988f' },
  R: { name: 'red', letter: 'R', fill: '#cf3a3c', mark: '#ffd9d2' },
  F: { name: 'green', letter: 'G', fill: '#2b9f63', mark: '#d3f5df' },
  D: { name: 'yellow', letter: 'Y', fill: '#f5cf47', mark: '#8a6a00' },
  L: { name: 'orange', letter: 'O', fill: '#f0852f', mark: '#6b2f00' },
  B: { name: 'blue', letter: 'B', fill: '#3a6cc8', mark: '#d6e4ff' },
}

/** Colors of the plastic body. */
export const body: Readonly<Record<Theme, string>> = { dark: '#14181a', light: '#23292b' }

/** Color of a sticker without a color. */
export const bare = '#6b7376'

export function fillOf(letter: string): string {
  return letter in colors ? colors[letter as Face].fill : bare
}

/**
 * Marks as SVG paths in the square from −1 to 1. They are invariant under quarter turns, so the orientation of a
 * piece does not matter.
 */
export const marks: Readonly<Record<Face, string>> = {
  U: ring(0.52, 0.34),
  R: plus(0.56, 0.17),
  F: polygon([0, 0.62], [0.62, 0], [0, -0.62], [-0.62, 0]),
  D: disc(0.42),
  L: cross(0.44, 0.16),
  B: polygon([-0.44, -0.44], [0.44, -0.44], [0.44, 0.44], [-0.44, 0.44]),
}

export function polygon(...points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`
}

function disc(radius: number, backwards = false): string {
  const sweep = backwards ? 0 : 1
  return `M${radius} 0A${radius} ${radius} 0 1 ${sweep} ${-radius} 0A${radius} ${radius} 0 1 ${sweep} ${radius} 0Z`
}

function ring(outer: number, inner: number): string {
  return disc(outer) + disc(inner, true)
}

function plus(long: number, thin: number): string {
  const [a, b] = [long, thin]
  return polygon(
    [b, a],
    [b, b],
    [a, b],
    [a, -b],
    [b, -b],
    [b, -a],
    [-b, -a],
    [-b, -b],
    [-a, -b],
    [-a, b],
    [-b, b],
    [-b, a],
  )
}

function cross(long: number, thin: number): string {
  const arm = long + thin / 2
  const k = thin
  return polygon(
    [0, k],
    [arm - k, arm],
    [arm, arm - k],
    [k, 0],
    [arm, k - arm],
    [arm - k, -arm],
    [0, -k],
    [k - arm, -arm],
    [-arm, k - arm],
    [-k, 0],
    [-arm, arm - k],
    [k - arm, arm],
  )
}

/** Arrow colors, visible on all sticker colors. */
export const inks = { best: '#ffe27a', other: '#ffffff', rim: '#0b0f10' } as const

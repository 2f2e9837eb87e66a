/** Parts of the pictures of both boards: colors, checkers or stones, text lines. */
import { svgElement } from '../../../charts/svg'
import type { Seat } from './checkers'

/** CSS variables of the colors. */
export const partColors = {
  ground: '--glass',
  line: '--line',
  ink: '--ink',
  muted: '--muted',
  mine: '--accent',
  mineText: '--on-accent',
  mineRing: '--mine-ring',
  mineRim: '--mine-rim',
  theirs: '--theirs',
  theirsRing: '--theirs-ring',
  theirsRim: '--theirs-rim',
} as const

export type PartColors = Readonly<Record<keyof typeof partColors, string>>

/** Returns fill, ring and rim of the checkers or stones of a seat, and the width of the rim. */
export const discColors = (seat: Seat, colors: PartColors) =>
  seat === 0
    ? { fill: colors.mine, ring: colors.mineRing, rim: colors.mineRim, width: 1 }
    : { fill: colors.theirs, ring: colors.theirsRing, rim: colors.theirsRim, width: 1.5 }

/** Returns a checker or stone. `ring`: radius of its ring relative to its radius. */
export function disc(
  x: number,
  y: number,
  radius: number,
  ring: number,
  seat: Seat,
  colors: PartColors,
): string[] {
  const { fill, rim, width, ...look } = discColors(seat, colors)
  const at = { cx: x, cy: y }
  return [
    svgElement('circle', { ...at, r: radius - width / 2, fill, stroke: rim, 'stroke-width': width }),
    svgElement('circle', {
      ...{ ...at, r: radius * ring, fill: 'none' },
      ...{ stroke: look.ring, 'stroke-width': Math.max(1, radius * 0.085) },
    }),
  ]
}

export interface TextLine {
  x: number
  y: number
  size: number
  fill: string
  align?: 'start' | 'middle' | 'end'
  bold?: boolean
}

/** Returns a line of text. */
export const textLine = (
  text: string,
  { x, y, size, fill, align = 'start', bold = false }: TextLine,
): string =>
  svgElement(
    'text',
    {
      ...{ x, y, 'font-size': size, fill },
      ...(align !== 'start' && { 'text-anchor': align }),
      ...(bold && { 'font-weight': '600' }),
    },
    text,
  )

/** Returns a text with at most `letters` letters. */
export const shortened = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, letters - 1).trimEnd()}…` : text

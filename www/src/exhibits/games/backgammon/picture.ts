/** Picture of a backgammon position as an SVG file, with the geometry of the board in the page. */
import { palette, type SvgPicture } from '../../../charts/snapshot'
import { svgElement, svgFile } from '../../../charts/svg'
import { pipsText, pointNumber, seats, slots, type Checkers, type Seat } from '../model/checkers'
import type { ShownCube } from '../model/doubling'
import { disc, discColors, partColors, shortened, textLine, type PartColors } from '../model/pictureParts'
import { drawnArrows } from './arrows'
import { faces, type ShownDie } from './dice'
import {
  checkerShape,
  columnX,
  cubeSpot,
  diceSpot,
  geometry,
  isUpper,
  spot,
  textLines,
  trayLines,
  triangle,
  type Geometry,
} from './geometry'
import type { ShownPlay } from './plays'
import { fresh, type Token } from './tokens'

export interface PicturedBoard {
  checkers: Checkers
  dice: readonly ShownDie[]
  /** Seat that rolled the dice. */
  roller: Seat
  /** Seat from whose side the points are numbered. */
  numbering: Seat
  cube: ShownCube | null
  /** Plays drawn as arrows, best one last. */
  plays: readonly ShownPlay[]
  /** Names of the players below and above. */
  names: readonly [string, string]
  /** Decision of the position; empty if unknown. */
  decision: string
  /** Match and score; empty without one. */
  match: string
  /** Position ID; empty if unknown. */
  id: string
}

const colorVariables = {
  ...partColors,
  field: '--field',
  point: '--point',
  pointDark: '--point-dark',
  bar: '--bar',
  tray: '--line-strong',
  number: '--number',
  cube: '--ground',
  bad: '--bad',
} as const

export type BoardColors = PartColors & Readonly<Record<keyof typeof colorVariables, string>>

/** Returns the colors of the board in the page. */
export const boardColors = (board: Element): BoardColors => palette(board, colorVariables)

const size = { width: 720, height: 660 }
const margin = 6
/** Height of a line of the caption. */
const line = 20

export function boardPicture(board: PicturedBoard, colors: BoardColors): SvgPicture {
  const g = geometry(size.width, size.height, { number: 12, name: 15 })
  const { checkers, decision, match, id } = board
  const tokens = fresh(checkers)
  // The ID has a line of its own, so that a long description of the match has enough room.
  const caption = [decision, match, id && `Position ID ${id}`].filter((text) => text !== '')
  const height = size.height + (caption.length > 0 ? line * caption.length + margin : 0)
  const text = svgFile(
    {
      ...{ width: size.width, height, ground: colors.ground },
      title: 'Backgammon position',
      description: [board.names.join(' (below) against ').concat(' (above)'), ...caption].join('. '),
    },
    [
      ...background(g, board, colors),
      ...tokens.flatMap((token) => checker(g, token, colors)),
      ...(board.cube ? cube(g, board.cube, colors) : []),
      ...drawnArrows(g, checkers, board.plays).flatMap(({ line, head, width, opacity, kind }) => {
        const color = { best: colors.ink, mistake: colors.bad, other: colors.muted }[kind]
        const shaft = { d: line, fill: 'none', 'stroke-linecap': 'round', opacity }
        return [
          svgElement('path', { ...shaft, stroke: colors.ground, 'stroke-width': width + 3 }),
          svgElement('path', { ...shaft, stroke: color, 'stroke-width': width }),
          svgElement('path', { d: head, fill: color, opacity }),
        ]
      }),
      ...dice(g, board, colors),
      ...caption.map((text, i) =>
        textLine(shortened(text, 100), {
          ...{ x: g.field.x, y: size.height + line * i + 12 },
          ...(i === 0 && decision !== ''
            ? { size: 15, fill: colors.ink, bold: true }
            : { size: 13, fill: colors.muted }),
        }),
      ),
    ],
  )
  return { text, width: size.width, height }
}

function background(
  g: Geometry,
  { checkers, names, numbering }: PicturedBoard,
  colors: BoardColors,
): string[] {
  const lines = textLines(g)
  const { field, bar } = g
  const name = { size: g.text.name, fill: colors.ink, bold: true }
  return [
    svgElement('rect', { ...field, rx: 3, fill: colors.field, stroke: colors.line }),
    ...slots
      .filter((slot) => slot >= 1 && slot <= 24)
      .flatMap((slot) => [
        svgElement('path', {
          d: triangle(g, slot),
          fill: slot % 2 === 0 ? colors.pointDark : colors.point,
        }),
        textLine(String(pointNumber(slot, numbering)), {
          ...{ x: columnX(g, slot), y: lines.numbers[isUpper(slot) ? 1 : 0] },
          ...{ size: g.text.number, fill: colors.number, align: 'middle' },
        }),
      ]),
    svgElement('rect', { ...bar, fill: colors.bar, stroke: colors.line }),
    svgElement('path', { d: trayLines(g), fill: 'none', stroke: colors.tray, 'stroke-opacity': 0.7 }),
    ...seats.flatMap((seat) => {
      const y = lines.names[seat]
      const [dot, right] = [g.text.name * 0.36, field.x + field.width]
      return [
        ...disc(field.x + dot, y - dot, dot, 0.4, seat, colors),
        textLine(shortened(names[seat], 60), { ...name, x: field.x + 3 * dot, y }),
        textLine(pipsText(checkers[seat]), {
          ...{ x: right, y, size: g.text.name, fill: colors.muted, align: 'end' },
        }),
      ]
    }),
  ]
}

function checker(g: Geometry, token: Token, colors: BoardColors): string[] {
  const { x, y } = spot(g, token.slot, token.level, token.count)
  const { width, height, isOff, count } = checkerShape(g, token)
  const look = discColors(token.seat, colors)
  if (isOff)
    return [
      svgElement('rect', {
        ...{ x: x - width / 2, y: y - height / 2, width, height, rx: 3 },
        ...{ fill: look.fill, stroke: look.rim, 'stroke-width': look.width },
      }),
    ]
  const text = { x, y: y + 6, size: 17, bold: true, align: 'middle' } as const
  return [
    ...disc(x, y, width / 2, 0.65, token.seat, colors),
    ...(count === null
      ? []
      : [textLine(String(count), { ...text, fill: token.seat === 0 ? colors.mineText : colors.ink })]),
  ]
}

function cube(g: Geometry, { value, owner, offered }: ShownCube, colors: BoardColors): string[] {
  const { x, y, size } = cubeSpot(g, owner)
  const ink = offered ? colors.mine : colors.ink
  return [
    svgElement('rect', {
      ...{ x: x - size / 2, y: y - size / 2, width: size, height: size, rx: size * 0.18 },
      ...{ fill: colors.cube, stroke: ink, 'stroke-width': 1.5 },
    }),
    textLine(String(value), {
      ...{ x, y: y + size * 0.18, size: size * 0.5, fill: ink, align: 'middle', bold: true },
    }),
  ]
}

/** Returns the dice of a roll; played dice are pale and smaller. */
function dice(g: Geometry, { dice, roller }: PicturedBoard, colors: BoardColors): string[] {
  const { x: middle, y: center, size: full } = diceSpot(g, roller)
  const look = discColors(roller, colors)
  const step = full + 8
  return dice.flatMap(({ value, spent }, i) => {
    const side = spent ? full * 0.86 : full
    const [x, y] = [middle + (i - (dice.length - 1) / 2) * step - side / 2, center - side / 2]
    const opacity: Record<string, number> = spent ? { opacity: 0.28 } : {}
    return [
      svgElement('rect', {
        ...{ x, y, width: side, height: side, rx: side * 0.22 },
        ...{ fill: look.fill, stroke: look.rim, 'stroke-width': look.width, ...opacity },
      }),
      ...faces[value]!.map(([left, top]) =>
        svgElement('circle', {
          ...{ cx: x + (side * left) / 100, cy: y + (side * top) / 100, r: side * 0.09 },
          ...{ fill: roller === 0 ? colors.mineText : colors.ink, ...opacity },
        }),
      ),
    ]
  })
}

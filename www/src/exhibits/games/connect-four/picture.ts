/** Picture of a Connect Four position as an SVG file, with the geometry of the board in the page. */
import { palette, type SvgPicture } from '../../../charts/snapshot'
import { svgElement, svgFile } from '../../../charts/svg'
import { seatOf, seats } from '../model/checkers'
import { disc, partColors, shortened, textLine, type PartColors } from '../model/pictureParts'
import { columns, winningRows, type Cells, type Row } from './cells'
import { cellSpot, columnX, frame, geometry, numberLine } from './geometry'

/** Win probability of a column, as text. */
interface PicturedWorth {
  column: number
  text: string
  best: boolean
}

export interface PicturedBoard {
  cells: Cells
  /** Cells of the rows of a finished game. */
  winning: readonly number[]
  /** Cell of the last stone; null without one. */
  last: number | null
  /** Seat to move. */
  seat: number
  /** Search results above the columns. */
  worth: readonly PicturedWorth[]
  /** Cell of the best or selected move; null without one. */
  proposed: number | null
  /** Empty cells that complete four after this move, and their rows. */
  threats: readonly number[]
  planned: readonly Row[]
  names: readonly [string, string]
  /** Side to move or the result; empty if unknown. */
  decision: string
  /** Columns of the moves; empty if unknown. */
  id: string
}

const colorVariables = {
  ...partColors,
  frame: '--frame',
  mineProposed: '--mine-proposed',
  theirsProposed: '--theirs-proposed',
  last: '--last',
} as const

export type BoardColors = PartColors & Readonly<Record<keyof typeof colorVariables, string>>

/** Returns the colors of the board in the page. */
export const boardColors = (board: Element): BoardColors => palette(board, colorVariables)

const size = { width: 560, height: 560 }
/** Height of the names, and of the search results below them. */
const head = { names: 46, worth: 22 }
const line = 20

export function boardPicture(board: PicturedBoard, colors: BoardColors): SvgPicture {
  const { cells, winning, worth, names, decision, id } = board
  const top = head.names + (worth.length > 0 ? head.worth : 0)
  const base = size.height + top - head.names
  const g = geometry(size.width, base, top)
  const caption = [decision, id && `Columns of the moves: ${id}`].filter((text) => text !== '')
  const height = base + (caption.length > 0 ? line * caption.length + 10 : 0)
  const left = frame(g).x
  const won = winningRows(cells, winning)
  const text = svgFile(
    {
      ...{ width: size.width, height, ground: colors.ground },
      title: 'Connect Four position',
      description: [names.join(' against '), ...caption].join('. '),
    },
    [
      ...seats.flatMap((seat) => {
        // The names share a line: the first player at the left, the second at the right.
        const x = seat === 0 ? left + 8 : left + frame(g).width - 8
        const name = shortened(names[seat], 32)
        return [
          ...disc(x, 21, 8, 0.69, seat, colors),
          textLine(name, {
            ...{ x: seat === 0 ? x + 15 : x - 15, y: 26, size: 15, fill: colors.ink, bold: true },
            align: seat === 0 ? 'start' : 'end',
          }),
        ]
      }),
      ...worth.map(({ column, text, best }) =>
        textLine(text, {
          ...{ x: columnX(g, column), y: top - 13, size: 13, align: 'middle', bold: best },
          fill: best ? colors.ink : colors.muted,
        }),
      ),
      svgElement('rect', { ...frame(g), fill: colors.frame, stroke: colors.line }),
      ...cells.flatMap((cell, i) => stoneOrHole(g, board, cell, i, colors)),
      ...[...won, ...board.planned].map(([from, to], i) => {
        const [start, end] = [cellSpot(g, from), cellSpot(g, to)]
        const isPlanned = i >= won.length
        return svgElement('line', {
          ...{ x1: start.x, y1: start.y, x2: end.x, y2: end.y, stroke: colors.ink },
          ...{ 'stroke-width': isPlanned ? 2 : 5, 'stroke-linecap': 'round' },
          ...(isPlanned && { 'stroke-dasharray': '2 6' }),
        })
      }),
      ...Array.from({ length: columns }, (_, column) =>
        textLine(String(column + 1), {
          ...{ x: columnX(g, column), y: numberLine(g), size: 13, fill: colors.muted, align: 'middle' },
        }),
      ),
      ...caption.map((text, i) =>
        textLine(shortened(text, 80), {
          ...{ x: left, y: base + line * i + 14 },
          ...(i === 0 && decision !== ''
            ? { size: 15, fill: colors.ink, bold: true }
            : { size: 13, fill: colors.muted }),
        }),
      ),
    ],
  )
  return { text, width: size.width, height }
}

function stoneOrHole(
  g: ReturnType<typeof geometry>,
  { winning, last, seat, proposed, threats }: PicturedBoard,
  cell: number,
  i: number,
  colors: BoardColors,
): string[] {
  const { x: cx, y: cy } = cellSpot(g, i)
  const { radius } = g
  if (cell === 0) {
    const isThreat = threats.includes(i)
    const planned = seat === 1 ? colors.theirsProposed : colors.mineProposed
    return [
      svgElement('circle', {
        ...{ cx, cy, r: radius, fill: proposed === i ? planned : colors.ground },
        stroke: isThreat ? colors.mine : colors.line,
        ...(isThreat && { 'stroke-width': 2.5, 'stroke-dasharray': '5 4' }),
      }),
    ]
  }
  const isWon = winning.includes(i)
  const mark = isWon
    ? { stroke: colors.ink, width: 3 }
    : last === i
      ? { stroke: colors.last, width: 2 }
      : null
  const stone = disc(cx, cy, radius, 0.69, seatOf(cell - 1), colors)
  return [
    // Stones outside of the row are pale, as in the page.
    ...(winning.length > 0 && !isWon ? ['<g opacity="0.45">', ...stone, '</g>'] : stone),
    ...(mark
      ? [
          svgElement('circle', {
            ...{ cx, cy, r: radius + 2 + mark.width / 2, fill: 'none' },
            ...{ stroke: mark.stroke, 'stroke-width': mark.width },
          }),
        ]
      : []),
  ]
}

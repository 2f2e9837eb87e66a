/** Draws the boards of many self-play games on one canvas. */
import type { Frame } from '../../../engine/page/session'
import type { CanvasTheme } from '../../../lib/canvas-theme'
import { BAR, OFF } from './checkers'

/** Data of the self-play games in a frame. */
export interface Thumbnails {
  games: number
  /** Number of bytes per board. */
  size: number
  boards: Uint8Array
  /** Seat to move in each game. */
  seats: Uint8Array
  /** Network estimate for seat 0, −1 to 1. */
  equity: Float32Array
}

/** Returns the self-play games of a frame; null if the frame has none. */
export function thumbnailsOf(frame: Frame | null): Thumbnails | null {
  const [boards, seats, equity] = [
    frame?.arrays['thumbnails/boards'],
    frame?.arrays['thumbnails/seats'],
    frame?.arrays['thumbnails/equity'],
  ]
  if (!boards || !(boards.data instanceof Uint8Array)) return null
  const [games = 0, size = 0] = boards.shape
  if (games === 0) return null
  return {
    games,
    size,
    boards: boards.data,
    seats: seats?.data instanceof Uint8Array ? seats.data : new Uint8Array(games),
    equity: equity?.data instanceof Float32Array ? equity.data : new Float32Array(games),
  }
}

/** Says how many of at most `count` games are drawn, and whom the network expects to win. */
export function thumbnailsText(shown: Thumbnails | null, count: number): string {
  if (!shown) return 'Games of self-play: none yet.'
  const equities = shown.equity.subarray(0, Math.min(count, shown.games))
  const first = equities.filter((equity) => equity > 0).length
  const second = equities.filter((equity) => equity < 0).length
  return `${equities.length} games of self-play: the network expects the first player to win ${first} of them and the second ${second}.`
}

export interface Grid {
  columns: number
  rows: number
  /** Size of a cell including the gap. */
  width: number
  height: number
}

/** Returns the largest grid of `count` cells with the given aspect ratio in a box. */
export function grid(width: number, height: number, count: number, aspect: number): Grid {
  let best: Grid & { side: number } = { columns: 1, rows: count, width, height: height / count, side: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const [w, h] = [width / columns, height / rows]
    const side = Math.min(w / aspect, h)
    if (side > best.side) best = { columns, rows, width: w, height: h, side }
  }
  const { columns, rows, width: w, height: h } = best
  return { columns, rows, width: w, height: h }
}

export interface Tones {
  board: string
  point: string
  tinted: string
  line: string
  mine: string
  theirs: string
  rim: string
}

export function tones(look: CanvasTheme): Tones {
  const faded = (color: string, alpha: number) => color.replace(')', ` / ${alpha})`).replace('rgba', 'rgb')
  return {
    board: look.glassFar,
    point: look.line,
    tinted: faded(look.accent, 0.22),
    line: look.line,
    mine: look.accent,
    theirs: look.glass,
    rim: look.muted,
  }
}

interface Cell {
  x: number
  y: number
  width: number
  height: number
}

type Pen = CanvasRenderingContext2D

/** Draws all boards, each with a bar below it that shows the equity. */
export function drawThumbnails(
  pen: Pen,
  thumbnails: Thumbnails,
  width: number,
  height: number,
  colors: Tones,
): void {
  const aspect = isBackgammon(thumbnails.size) ? 1.34 : 1.12
  const cells = grid(width, height, thumbnails.games, aspect)
  const gap = Math.max(5, Math.min(cells.width, cells.height) * 0.06)
  const strip = 4
  const high = Math.min(cells.height - gap - strip, (cells.width - gap) / aspect)
  const wide = high * aspect
  for (let i = 0; i < thumbnails.games; i++) {
    const column = i % cells.columns
    const row = Math.floor(i / cells.columns)
    const x = (column + 0.5) * cells.width - wide / 2
    const y = (row + 0.5) * cells.height - (high + strip) / 2
    const board = thumbnails.boards.subarray(i * thumbnails.size, (i + 1) * thumbnails.size)
    const cell = { x, y, width: wide, height: high }
    drawBoard(pen, board, cell, colors)
    // Equity bar: extends from the middle to the side of the leader.
    const share = Math.max(-1, Math.min(1, thumbnails.equity[i]!))
    pen.fillStyle = colors.line
    pen.fillRect(x, y + high + 2, wide, 2)
    pen.fillStyle = share >= 0 ? colors.mine : colors.rim
    const half = (wide / 2) * Math.abs(share)
    pen.fillRect(x + wide / 2 - (share < 0 ? half : 0), y + high + 2, half, 2)
  }
}

/** A board of backgammon has the checkers of both seats, one of Connect Four has 42 cells. */
const isBackgammon = (size: number) => size === 52

/** Draws a board, given as in {@link Thumbnails}. */
export function drawBoard(pen: Pen, board: Uint8Array, cell: Cell, colors: Tones): void {
  pen.fillStyle = colors.board
  pen.fillRect(cell.x, cell.y, cell.width, cell.height)
  if (isBackgammon(board.length)) drawBackgammon(pen, board, cell, colors)
  else drawConnectFour(pen, board, cell, colors)
}

function disc(pen: Pen, x: number, y: number, radius: number, mine: boolean, colors: Tones): void {
  pen.beginPath()
  pen.arc(x, y, mine ? radius : Math.max(0.5, radius - 0.4), 0, 2 * Math.PI)
  pen.fillStyle = mine ? colors.mine : colors.theirs
  pen.fill()
  if (!mine) {
    pen.strokeStyle = colors.rim
    pen.lineWidth = Math.max(0.7, radius * 0.22)
    pen.stroke()
  }
}

function drawBackgammon(pen: Pen, board: Uint8Array, cell: Cell, colors: Tones): void {
  const column = cell.width / 14
  const radius = Math.min(column * 0.46, cell.height / 23)
  const at = (point: number): number => {
    const i = point <= 12 ? 12 - point : point - 13
    return cell.x + (i + 0.5 + (i >= 6 ? 1 : 0)) * column
  }
  const tall = cell.height * 0.4
  for (const odd of [0, 1]) {
    pen.beginPath()
    for (let point = 1 + odd; point <= 24; point += 2) {
      const [rim, tip] =
        point > 12 ? [cell.y, cell.y + tall] : [cell.y + cell.height, cell.y + cell.height - tall]
      pen.moveTo(at(point) - column * 0.45, rim)
      pen.lineTo(at(point) + column * 0.45, rim)
      pen.lineTo(at(point), tip)
    }
    pen.fillStyle = odd === 0 ? colors.point : colors.tinted
    pen.globalAlpha = odd === 0 ? 0.55 : 1
    pen.fill()
    pen.globalAlpha = 1
  }
  const stack = (x: number, rim: number, way: number, count: number, mine: boolean) => {
    const step = count > 5 ? (radius * 8) / (count - 1) : radius * 2
    for (let k = 0; k < count; k++) disc(pen, x, rim + way * (radius + k * step), radius, mine, colors)
  }
  for (const seat of [0, 1]) {
    const mine = seat === 0
    for (let place = 1; place <= 24; place++) {
      const count = board[26 * seat + place]!
      if (count === 0) continue
      const point = mine ? place : 25 - place
      const up = point > 12
      stack(at(point), up ? cell.y + 1 : cell.y + cell.height - 1, up ? 1 : -1, count, mine)
    }
    const middle = cell.y + cell.height / 2
    const way = mine ? 1 : -1
    stack(cell.x + 6.5 * column, middle + way * radius * 0.4, way, board[26 * seat + BAR]!, mine)
    // Checkers borne off: thin lines in the tray.
    const off = board[26 * seat + OFF]!
    pen.fillStyle = mine ? colors.mine : colors.rim
    const line = (cell.height * 0.44) / 15
    for (let k = 0; k < off; k++) {
      const y = mine ? cell.y + cell.height - 1 - (k + 0.8) * line : cell.y + 1 + (k + 0.2) * line
      pen.fillRect(cell.x + 13.2 * column, y, column * 0.6, line * 0.6)
    }
  }
}

function drawConnectFour(pen: Pen, board: Uint8Array, cell: Cell, colors: Tones): void {
  const step = Math.min(cell.width / 7, cell.height / 6)
  const left = cell.x + (cell.width - 7 * step) / 2
  const bottom = cell.y + cell.height - (cell.height - 6 * step) / 2
  for (let column = 0; column < 7; column++) {
    for (let row = 0; row < 6; row++) {
      const x = left + (column + 0.5) * step
      const y = bottom - (row + 0.5) * step
      const stone = board[6 * column + row]!
      if (stone > 0) disc(pen, x, y, step * 0.4, stone === 1, colors)
      else {
        pen.beginPath()
        pen.arc(x, y, step * 0.32, 0, 2 * Math.PI)
        pen.fillStyle = colors.line
        pen.globalAlpha = 0.5
        pen.fill()
        pen.globalAlpha = 1
      }
    }
  }
}

/** Games at the table as a match, for records in the formats of other programs. */
import type { GameTable, PlayedGame, PlayedMatch } from '../../../engine/page/session'

/** Position ID of the starting position, at the beginning of the ID of a turn. */
const START = '4HPwATDgc/ABMA:'

type Score = [number, number]

/** Returns the points of both seats before the current game. */
function scoreBefore({ score, outcome }: GameTable): Score {
  const before: Score = [score[0], score[1]]
  if (outcome !== null && outcome.winner !== null) {
    const winner = outcome.winner === 1 ? 1 : 0
    // Players seated after the game have no points.
    before[winner] = Math.max(0, before[winner] - outcome.points)
  }
  return before
}

/** Returns the current game; null without a turn, or if it began at a position that was set up. */
export function playedGame(table: GameTable): PlayedGame | null {
  const { history, outcome, doubling, board } = table
  if (board.kind !== 'backgammon' || !history[0]?.id.startsWith(START)) return null
  return {
    score: scoreBefore(table),
    crawford: doubling?.crawford ?? false,
    turns: history,
    doubles: [],
    outcome,
  }
}

/** Returns whether the current game is the next game of the same match or session. */
function continues(before: GameTable, now: GameTable): boolean {
  const rules = ({ doubling }: GameTable) => JSON.stringify([doubling?.length, doubling?.jacoby])
  const [first, second] = scoreBefore(now)
  return (
    before.outcome !== null &&
    (before.doubling?.match_winner ?? null) === null &&
    rules(before) === rules(now) &&
    JSON.stringify(before.seats) === JSON.stringify(now.seats) &&
    first === before.score[0] &&
    second === before.score[1]
  )
}

/** The finished games of the match at the table. */
export class MatchLog {
  #finished: PlayedGame[] = []
  #last: GameTable | null = null

  /** Receives a new state of the table; null if the run was replaced. */
  receive(table: GameTable | null): void {
    const last = this.#last
    if (!table) this.#finished = []
    else if (last && last.game !== table.game) {
      const game = playedGame(last)
      if (game && continues(last, table)) this.#finished.push(game)
      else this.#finished = []
    }
    this.#last = table
  }

  /** Returns the match with the current game; null without a turn, or if the game began at a position that was set up. */
  match(table: GameTable, names: [string, string]): PlayedMatch | null {
    const { doubling, history } = table
    const game = playedGame(table)
    const games = game ? [...this.#finished, game] : history.length === 0 ? this.#finished : []
    if (games.length === 0) return null
    return { names, length: doubling?.length ?? 0, jacoby: doubling?.jacoby ?? false, games }
  }
}

/** Returns whether a file may be the text of a match. Older programs write names in Latin-1, which are decoded to U+FFFD. */
export function isMatchText(file: string, text: string): boolean {
  const undecoded = text.match(/\ufffd/g)?.length ?? 0
  return !/\.xg$/i.test(file) && !text.includes('\0') && undecoded <= text.length / 10
}

const points = (count: number): string => (count === 1 ? '1 point' : `${count} points`)

/** Returns the players and the length of an opened match. */
export function recordTitle({ names, length }: PlayedMatch): string {
  return `${names[0]} and ${names[1]}, ${length > 0 ? `match to ${points(length)}` : 'money session'}`
}

/** Returns the label of a game in a select. */
export const gameLabel = ({ score, crawford }: PlayedGame, index: number): string =>
  `Game ${index + 1}, score ${score[0]}–${score[1]}${crawford ? ', Crawford' : ''}`

/** Returns the result of a game in one sentence. */
export function resultText({ names }: PlayedMatch, { outcome }: PlayedGame): string {
  if (!outcome || outcome.winner === null) return 'The game is unfinished.'
  const how =
    outcome.how === 'dropped'
      ? ': the double was passed'
      : outcome.how === 'resigned'
        ? ': the other side resigned'
        : ''
  const name = names[outcome.winner === 1 ? 1 : 0]
  return `${name} ${name === 'You' ? 'win' : 'wins'} ${points(outcome.points)}${how}.`
}

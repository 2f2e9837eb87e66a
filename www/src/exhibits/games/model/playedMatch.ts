/** Games at the table as a match, for records in the formats of other programs. */
import type {
  DoublingReport,
  GameDoubling,
  GameTable,
  PlayedGame,
  PlayedMatch,
} from '../../../engine/page/session'
import { seatOf, other, played, start, type Checkers, type Seat } from './checkers'
import { playedCube, pointsText, shownCube, type ShownCube } from './doubling'
import type { Decision } from './matchAnalysis'
import { isPerson, mayDouble } from './seats'

/** Position ID of the starting position, at the beginning of the ID of a turn. */
const START = '4HPwATDgc/ABMA:'

type Score = [number, number]

/** Returns the points of both seats before the current game. */
export function scoreBefore({ score, outcome }: GameTable): Score {
  const before: Score = [score[0], score[1]]
  if (outcome !== null && outcome.winner !== null) {
    const winner = seatOf(outcome.winner)
    // Players seated after the game have no points.
    before[winner] = Math.max(0, before[winner] - outcome.points)
  }
  return before
}

/** Returns the current game; null if it has not begun, or began at a position that was set up. */
export function playedGame(table: GameTable): PlayedGame | null {
  const { history, outcome, doubling, board } = table
  // A game can be resigned before its first turn.
  const first = history[0]?.id ?? (outcome ? table.id : null)
  if (board.kind !== 'backgammon' || !first?.startsWith(START)) return null
  return {
    score: scoreBefore(table),
    crawford: doubling?.crawford ?? false,
    turns: history,
    doubles: [],
    outcome,
  }
}

/**
 * Returns whether no move of a visitor would be lost by other rules: the game begins at the starting position and score 0–0, and
 * no human player, or in a game without human players no player, has acted.
 */
export function isUntouched({
  board,
  score,
  history,
  moves,
  stage,
  doubling,
  seats,
  id,
}: GameTable): boolean {
  const hasActed = history.some(({ seat }) => !seats.some(isPerson) || isPerson(seats[seatOf(seat)]))
  return (
    board.kind === 'backgammon' &&
    ((history[0]?.id ?? id)?.startsWith(START) ?? false) &&
    score.every((points) => points === 0) &&
    !hasActed &&
    moves.length === 0 &&
    stage !== 'doubled' &&
    (doubling?.cube ?? 1) === 1
  )
}

/**
 * Returns whether another position would end a match, session or game in which a human player has acted, also one that began at a
 * position that was set up.
 */
export function hasMatchToLose(table: GameTable): boolean {
  const { seats, doubling, stage, history, moves, score } = table
  if (!seats.some(isPerson)) return false
  if (doubling ? doubling.match_winner !== null : stage === 'over') return false
  const hasActed = moves.length > 0 || history.some(({ seat }) => isPerson(seats[seatOf(seat)]))
  // The score of a position that was set up is no result of the match.
  const hasScore = score.some((points) => points > 0) && (history[0]?.id ?? table.id).startsWith(START)
  return hasActed || doubling?.can_take_back === true || (doubling !== null && hasScore)
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

/** Index of the turn of the last double; null if that was not the last doubling decision of the table. */
function doubledTurn({ doubling, history, stage, outcome }: GameTable): number | null {
  const chosen = doubling?.last?.chosen ?? 'no_double'
  if (!doubling || chosen === 'no_double') return null
  if (chosen === 'drop') return outcome?.how === 'dropped' ? history.length : null
  if (chosen === 'double') return stage === 'doubled' ? history.length : null
  const last = history.findLastIndex(({ doubled }) => doubled !== null)
  if (isTaken({ doubling, history })) return history.length
  return last < 0 ? null : last
}

/** Returns whether a double of the current turn has been taken. */
function isTaken({ doubling, history }: Pick<GameTable, 'doubling' | 'history'>): boolean {
  const before = history.findLast(({ doubled }) => doubled !== null)?.doubled
  if (doubling?.last?.chosen !== 'take') return false
  return doubling.cube > (before ?? 1)
}

/** Doubling decision before the roll of a turn. */
interface LoggedDecision {
  /** ID of the position. */
  id: string | null
  /** Whether a human player may double. */
  mayDouble: boolean
  /** Equities of a double, or of the decision of a human player not to double; null if unknown. */
  report: DoublingReport | null
}

/** The finished games of the match at the table, and its doubling decisions. */
export class MatchLog {
  #finished: PlayedGame[] = []
  #last: GameTable | null = null
  /** Doubling decisions of each game, the current one last, by the index of their turn. */
  #decisions: Map<number, LoggedDecision>[] = [new Map()]

  /** Receives a new state of the table; null if the run was replaced. */
  receive(table: GameTable | null): void {
    const last = this.#last
    if (!table) this.#clear()
    else if (last && last.game !== table.game) {
      const game = playedGame(last)
      if (game && continues(last, table)) {
        this.#finished.push(game)
        this.#decisions.push(new Map())
      } else this.#clear()
    }
    this.#last = table
    if (table?.doubling) this.#log(table)
  }

  #clear(): void {
    this.#finished = []
    this.#decisions = [new Map()]
  }

  /** Stores the position before the roll, and the report of the decision. */
  #log(table: GameTable): void {
    const decisions = this.#decisions.at(-1)!
    const turn = table.history.length
    for (const later of decisions.keys()) if (later > turn) decisions.delete(later)
    const isBefore = (table.stage === 'roll' && !isTaken(table)) || table.stage === 'doubled'
    if (isBefore && !decisions.has(turn))
      decisions.set(turn, { id: table.id, mayDouble: mayDouble(table), report: null })
    const { last } = table.doubling!
    // The last report of a player who may not double belongs to an earlier turn.
    const rolled = last?.chosen === 'no_double' && last.seat === table.seat && table.stage === 'person'
    const decided = rolled && decisions.get(turn)?.mayDouble ? turn : doubledTurn(table)
    if (decided === null) return
    const known = decisions.get(decided) ?? { id: null, mayDouble: false }
    decisions.set(decided, { ...known, report: last })
  }

  /** Returns the reports of the doubling decisions of each game by the index of their turn, the current game last. */
  reports(): ReadonlyMap<number, DoublingReport>[] {
    return this.#decisions.map(
      (decisions) =>
        new Map([...decisions].flatMap(([turn, { report }]) => (report ? [[turn, report] as const] : []))),
    )
  }

  /** Returns the position before a decision of the game with an index, with the ID and the report of a doubling decision if known. */
  positionBefore(match: PlayedMatch, index: number, decision: Decision): PastPosition {
    const game = match.games[index]!
    const position = positionBefore(match, game, decision)
    const turns = this.#finished[index]?.turns ?? this.#last?.history ?? []
    // The match may be older than the one at the table.
    const isSame = game.turns.slice(0, decision.turn).every(({ id }, i) => turns[i]?.id === id)
    const known = decision.doubling && isSame ? this.#decisions[index]?.get(decision.turn) : undefined
    return {
      ...position,
      cube: this.#last?.doubling ? position.cube : null,
      id: position.id ?? known?.id ?? null,
      report: known?.report ?? null,
    }
  }

  /** Returns the match with the current game; null if no game has begun, or if the game began at a position that was set up. */
  match(table: GameTable, names: [string, string]): PlayedMatch | null {
    const { doubling, history } = table
    const game = playedGame(table)
    const games = game ? [...this.#finished, game] : history.length === 0 ? this.#finished : []
    if (games.length === 0) return null
    return { names, length: doubling?.length ?? 0, jacoby: doubling?.jacoby ?? false, games }
  }
}

/** Position before a decision of a match, which the board shows instead of the current one. */
export interface PastPosition {
  checkers: Checkers
  /** Roll of the play; null before the roll. */
  dice: readonly [number, number] | null
  /** Seat on roll. */
  seat: Seat
  cube: ShownCube | null
  /** Position ID; null if unknown. */
  id: string | null
  /** Score before the game. */
  score: Score
  crawford: boolean
  /** Equities of a doubling decision; null if unknown, and for a play. */
  report: DoublingReport | null
}

/** Match as of the position that the board shows. */
export interface ShownMatch {
  doubling: GameDoubling
  score: Score
  /** Doubling decision that was made last, or the decision that the board shows; null if unknown. */
  report: DoublingReport | null
  /** Whether a double of this decision is a redouble. */
  isRedouble: boolean
}

/** Returns whether a double of the present doubling decision, or of the last one, is a redouble. */
function isRedoubled({ cube, owner, pending, last }: GameDoubling): boolean {
  return pending === null && last?.chosen === 'take' ? cube > 2 : owner !== null
}

/**
 * Returns score, doubling cube and doubling decision of the position that the board shows: a position of the match (`past`), a turn
 * of the current game, or the current position (both null). Null without a doubling cube.
 */
export function shownMatch(
  table: GameTable,
  turn: number | null,
  past: PastPosition | null,
): ShownMatch | null {
  const { doubling, score } = table
  if (!doubling) return null
  if (turn === null && !past)
    return { doubling, score, report: doubling.last, isRedouble: isRedoubled(doubling) }
  const cube = past ? past.cube : shownCube(table, turn)
  return {
    doubling: {
      ...doubling,
      cube: cube?.value ?? 1,
      owner: cube?.owner ?? null,
      crawford: past ? past.crawford : doubling.crawford,
      match_winner: null,
    },
    score: past ? past.score : scoreBefore(table),
    report: past?.report ?? null,
    isRedouble: (cube?.owner ?? null) !== null,
  }
}

/** Returns the position before a decision of a game that began at the starting position. */
export function positionBefore(
  match: Pick<PlayedMatch, 'length'>,
  game: PlayedGame,
  { turn, doubling }: Decision,
): PastPosition {
  const checkers = game.turns.slice(0, turn).reduce((before, { seat, moves }) => {
    return moves.reduce((at, { from, to }) => played(at, seatOf(seat), from, to), before)
  }, start)
  const next = game.turns[turn]
  const last = game.turns[turn - 1]
  return {
    checkers,
    dice: doubling ? null : (next?.dice ?? null),
    seat: next ? seatOf(next.seat) : last ? other(seatOf(last.seat)) : 0,
    cube: playedCube(match, game, doubling ? turn : turn + 1),
    id: doubling ? null : (next?.id ?? null),
    score: game.score,
    crawford: game.crawford,
    report: null,
  }
}

/** Returns whether a file may be the text of a match. Older programs write names in Latin-1, which are decoded to U+FFFD. */
export function isMatchText(file: string, text: string): boolean {
  const undecoded = text.match(/\ufffd/g)?.length ?? 0
  return !/\.xg$/i.test(file) && !text.includes('\0') && undecoded <= text.length / 10
}

/** Returns the players and the length of a match. */
export function recordTitle({ names, length }: PlayedMatch): string {
  return `${names[0]} and ${names[1]}, ${length > 0 ? `match to ${pointsText(length)}` : 'money session'}`
}

/** Returns the label of a game with the score before it. */
export const gameLabel = (
  { score, crawford }: Pick<PlayedGame, 'score' | 'crawford'>,
  index: number,
): string => `Game ${index + 1}, score ${score[0]}–${score[1]}${crawford ? ', Crawford' : ''}`

/** Returns the result of a game in one sentence. */
export function resultText(
  { names }: Pick<PlayedMatch, 'names'>,
  { outcome }: Pick<PlayedGame, 'outcome'>,
): string {
  if (!outcome || outcome.winner === null) return 'The game is unfinished.'
  const how =
    outcome.how === 'dropped'
      ? ': the double was passed'
      : outcome.how === 'resigned'
        ? ': the other side resigned'
        : ''
  const name = names[seatOf(outcome.winner)]
  return `${name} ${name === 'You' ? 'win' : 'wins'} ${pointsText(outcome.points)}${how}.`
}

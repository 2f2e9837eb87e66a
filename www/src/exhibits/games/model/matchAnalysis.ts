/** Analysis of a match, by the turns of its games. */
import type {
  AnalyzedAction,
  AnalyzedCandidate,
  AnalyzedGame,
  AnalyzedMatch,
  AnalyzedStep,
  PlayedGame,
} from '../../../engine/page/session'
import { number } from '../../../lib/format'
import { marks } from '../../../protocol/marks'
import { seatOf } from './checkers'
import { withRedouble } from './doubling'
import { plusMinus } from './outcomes'
import type { Scale } from './texts'

/** Formats of equities and losses. */
export type LossScale = Pick<Scale, 'difference' | 'format'>

/** Action that was rolled out. Its loss is that by the rollout if the rollout has decided it. */
export interface RolledAction extends AnalyzedAction {
  rollout: {
    /** Number of trials. */
    trials: number
    /** Equity loss in points, 0 for the best action, with its joint standard error. */
    lost: number
    error: number
    /** Number of further trials that are expected to decide the loss; 0 if it is decided. */
    missing: number
  }
}

/** Returns whether an action was rolled out. */
export const isRolled = (action: AnalyzedAction): action is RolledAction => 'rollout' in action

/** Returns whether the loss of an action is that by a rollout. */
export const isCounted = (action: AnalyzedAction): action is RolledAction =>
  isRolled(action) && action.rollout.missing === 0

/** Returns whether a decision not to double is listed: an error, or one that was rolled out. */
export const isListed = (action: AnalyzedAction): boolean => action.best !== null || isRolled(action)

/** The rated actions of a turn: doubling decisions, and the play if there is one. */
export interface AnalyzedTurn {
  doubling: readonly AnalyzedAction[]
  play: AnalyzedAction | null
}

/** Returns the turns of a game; the last one has no play if the game ends with a double that is passed. */
export function analyzedTurns(game: AnalyzedGame | undefined): AnalyzedTurn[] {
  const turns: AnalyzedTurn[] = []
  let doubling: AnalyzedAction[] = []
  for (const action of game?.actions ?? []) {
    if (action.action === 'play') {
      turns.push({ doubling, play: action })
      doubling = []
    } else doubling.push(action)
  }
  return doubling.length > 0 ? [...turns, { doubling, play: null }] : turns
}

/** Returns the rated turns of a game that were rated when the game was `before`, up to the first turn that differs. */
export function ratedTurns(
  before: Pick<PlayedGame, 'turns'>,
  now: Pick<PlayedGame, 'turns'> | undefined,
  analyzed: AnalyzedGame | undefined,
): readonly AnalyzedTurn[] {
  const turns = now?.turns ?? []
  const different = before.turns.findIndex(({ id, text }, i) => turns[i]?.id !== id || turns[i].text !== text)
  return analyzedTurns(analyzed).slice(0, different < 0 ? undefined : different)
}

/** Returns the analysis after a step, which has only the new actions of a game. */
export function withStep(
  analyzed: AnalyzedMatch,
  { index, game, totals, result }: AnalyzedStep,
): AnalyzedMatch {
  const games = analyzed.games.map((before, i) =>
    i === index ? { ...game, actions: [...before.actions, ...game.actions] } : before,
  )
  return { ...analyzed, games, totals, result }
}

/** Number of rated plays of a match. */
export const ratedPlays = (games: readonly AnalyzedGame[]): number =>
  games.flatMap(({ actions }) => actions).filter(({ action }) => action === 'play').length

/** Decision of a game: the play of a turn, or the doubling decision before its roll. */
export interface Decision {
  turn: number
  doubling: boolean
}

export const isSameDecision = (a: Decision | null, b: Decision): boolean =>
  a?.turn === b.turn && a.doubling === b.doubling

/** Returns the XGID before the roll of a rated play, at which its player may double; null if the player may not. */
function doublingId(play: Pick<AnalyzedAction, 'position'> | null | undefined): string | null {
  const fields = play?.position.split(':') ?? []
  const [checkers, cube, owner, turn, , score, theirs, rule, length, ...rest] = fields
  const isCrawford = length !== '0' && rule === '1'
  if (length === undefined || (owner !== '0' && owner !== turn) || isCrawford || length === '1') return null
  return [checkers, cube, owner, turn, '00', score, theirs, rule, length, ...rest].join(':')
}

/** Returns the ID of the decision not to double before the roll of a turn; null if the player has doubled or may not double. */
export function undoubledId({ doubling: [first], play }: AnalyzedTurn, turn: number): string | null {
  if (first) return first.action === 'no double' ? first.position : null
  return turn > 0 ? doublingId(play) : null
}

/**
 * Returns the decisions of a game in their order: plays, doubles, decisions not to double that are wrong, and the selected
 * doubling decision. `id`: ID of the position; null for a double of a match at the table, which stores no position.
 */
export function decisionsOf(
  { turns, doubles, outcome }: PlayedGame,
  analyzed: readonly AnalyzedTurn[],
  selected: Decision | null = null,
): (Decision & { id: string | null })[] {
  return [...turns, null].flatMap((played, turn) => {
    const double = doubles.find((double) => double.turn === turn)
    const rated = analyzed[turn]
    const missed = rated?.doubling.find(isListed)
    const isDoubled = played ? (played.doubled ?? null) !== null : outcome?.how === 'dropped'
    const isSelected = !isDoubled && rated !== undefined && isSameDecision(selected, { turn, doubling: true })
    const id = double?.id ?? missed?.position ?? (isSelected ? undoubledId(rated, turn) : null)
    return [
      ...(id !== null || isDoubled ? [{ turn, doubling: true, id }] : []),
      ...(played ? [{ turn, doubling: false, id: played.id }] : []),
    ]
  })
}

/** Returns the rated actions of a decision. */
export function actionsOf(turn: AnalyzedTurn | undefined, doubling: boolean): readonly AnalyzedAction[] {
  if (!turn) return []
  return doubling ? turn.doubling : turn.play ? [turn.play] : []
}

/** Play or doubling action of the list of errors, with its game and decision. */
export interface MatchError {
  index: number
  decision: Decision
  action: AnalyzedAction
}

/** Kind of the decisions of errors. */
export type ErrorKind = 'play' | 'doubling'

/** Largest difference, in millipoints, of a double and no double, or of a take and a pass, that are close. */
const closeDoubling = 1000 * marks.at(-1)!.loss

/** Returns whether a doubling action without a mark loses equity or is close, so that a rollout may find an error. */
export function isCloseDoubling({ action, best, doubling, mark }: AnalyzedAction): boolean {
  if (!doubling || mark !== null) return false
  const { no_double, double_take, double_pass } = doubling
  const isReply = action === 'take' || action === 'pass'
  const difference = isReply ? double_take - double_pass : Math.min(double_take, double_pass) - no_double
  return best !== null || Math.abs(difference) < closeDoubling
}

/** Returns whether an action is marked as an error. */
const isMarked = ({ mark }: AnalyzedAction): boolean => mark !== null

/** Returns the errors of a player and of a kind, or of both (null), in their order in the match. */
export function errorsOf(
  games: readonly AnalyzedGame[],
  player: number | null,
  kind: ErrorKind | null = null,
  isError = isMarked,
): MatchError[] {
  return games.flatMap((game, index) =>
    analyzedTurns(game).flatMap((analyzed, turn) =>
      [true, false]
        .filter((doubling) => kind === null || doubling === (kind === 'doubling'))
        .flatMap((doubling) =>
          actionsOf(analyzed, doubling)
            .filter((action) => isError(action) && (player === null || action.player === player))
            .map((action) => ({ index, decision: { turn, doubling }, action })),
        ),
    ),
  )
}

/**
 * Returns the error after (1) or before (-1) a decision of the game `index`; after the last error the first one, before the first
 * error the last one. Returns null without an error.
 */
export function errorBeside(
  errors: readonly MatchError[],
  index: number,
  selected: Decision | null,
  by: 1 | -1,
): MatchError | null {
  const order = ({ turn, doubling }: Decision) => 2 * turn + Number(!doubling)
  const at = selected ? order(selected) : -1
  const distance = (error: MatchError) => by * (error.index - index || order(error.decision) - at)
  const ordered = by === 1 ? errors : [...errors].reverse()
  return ordered.find((error) => distance(error) > 0) ?? ordered[0] ?? null
}

/** Returns the errors with the largest loss first. */
export const bySize = (errors: readonly MatchError[]): MatchError[] =>
  [...errors].sort((a, b) => b.action.error - a.action.error)

/** Returns the number of errors with each mark, the smallest errors first. */
export const markCounts = (errors: readonly MatchError[]): [mark: string, count: number][] =>
  marks
    .map(({ mark }): [string, number] => [mark, errors.filter(({ action }) => action.mark === mark).length])
    .reverse()

type Searched = Pick<AnalyzedCandidate, 'searched'>

/** Returns whether the loss of a play of a decision is comparable: equities with and without a search are not. */
export function comparableIn(candidates: readonly Searched[]): (candidate: Searched) => boolean {
  const isMixed = candidates.some(({ searched }) => searched)
  return ({ searched }) => searched || !isMixed
}

/** Returns an analysis as JSON; losses that are not comparable are null. Losses by rollouts are in millipoints as well. */
export function analysisJson(analyzed: AnalyzedMatch): string {
  const comparable = (action: AnalyzedAction) => {
    const isComparable = comparableIn(action.candidates)
    const candidates = action.candidates.map((candidate) =>
      isComparable(candidate) ? candidate : { ...candidate, loss: null },
    )
    if (!isRolled(action)) return { ...action, candidates }
    const { trials, lost, error, missing } = action.rollout
    const rollout = { trials, error: 1000 * lost, standard_error: 1000 * error, decided: missing === 0 }
    return { ...action, candidates, rollout }
  }
  const games = analyzed.games.map((game) => ({ ...game, actions: game.actions.map(comparable) }))
  return JSON.stringify({ ...analyzed, games })
}

/** Converts millipoints to points. */
export const points = (millipoints: number): number => millipoints / 1000

/** Least luck in millipoints of the marks of GNU Backgammon. */
const lucky = 300
const veryLucky = 600

/** Returns the mark of a roll's luck in millipoints: ++, +, −, −− or none. */
export function luckMark(luck: number): string {
  const sign = luck > 0 ? '+' : '−'
  return Math.abs(luck) >= veryLucky ? sign + sign : Math.abs(luck) >= lucky ? sign : ''
}

/** Verbs of the second and the third person. */
const verbs: Record<AnalyzedAction['action'], readonly [you: string, other: string]> = {
  play: ['play', 'plays'],
  double: ['double', 'doubles'],
  'no double': ['do not double', 'does not double'],
  take: ['take', 'takes'],
  pass: ['pass', 'passes'],
}

/** Returns whether a double of an analyzed decision is a redouble: by the XGID, a player owns the doubling cube. */
export const isRedouble = ({ position }: Pick<AnalyzedAction, 'position'>): boolean =>
  Number(position.split(':')[2] ?? 0) !== 0

/** Returns the notation of a play, or the name of a doubling action. */
export const actionText = (action: Pick<AnalyzedAction, 'action' | 'play' | 'position'>): string =>
  action.play ?? withRedouble(action.action, isRedouble(action))

/** Formats an equity loss in points with its standard error and its mark. */
export const lossText = (lost: number, mark: string | null, { difference }: LossScale, error = 0): string =>
  `${difference(lost)}${plusMinus(error || null)}${mark ? `\u00a0(${mark})` : ''}`

/** Returns the verdict on an action: by its rollout, and by the evaluation if the rollout has not decided the loss. */
function verdictOf(action: AnalyzedAction, scale: LossScale): string {
  const { play, error, mark, best, forced } = action
  if (forced) return 'the only legal play'
  const isBest = `the best ${play === null ? 'action' : 'play'}`
  const evaluated = best === null ? isBest : `loses ${lossText(points(error), mark, scale)}`
  if (!isRolled(action)) return evaluated
  const { lost, error: joint, missing } = action.rollout
  const loss = lost > 0 ? `loses ${lossText(lost, missing > 0 ? null : mark, scale, joint)}` : isBest
  const rolled = `${loss} by the rollout`
  if (missing === 0) return rolled
  const further = missing.toLocaleString('en')
  return `${rolled}, not decided: about ${further} more trials. Until then, the evaluation counts: ${evaluated}`
}

/** Describes an action of the player `name` in sentences: its loss, and the luck of the roll. */
export function describeAction(action: AnalyzedAction, name: string, scale: LossScale): string {
  const { play, luck } = action
  const verb = withRedouble(verbs[action.action][name === 'You' ? 0 : 1], isRedouble(action))
  const does = `${name} ${verb}${play ? ` ${play}` : ''}`
  return `${does}: ${verdictOf(action, scale)}.${luck === null ? '' : ` Luck of the roll: ${scale.format(points(luck))}.`}`
}

/** Returns the rollouts of an analysis and the ratings with them, as an appendix to its text; empty without rollouts. */
export function rolloutsText({ games, players, totals }: AnalyzedMatch, scale: LossScale): string {
  const rollouts = games.flatMap(({ actions }, index) =>
    actions.filter(isRolled).map((action) => {
      const trials = action.rollout.trials.toLocaleString('en')
      const name = players[seatOf(action.player)]
      return `Game ${index + 1}, ${trials} trials: ${describeAction({ ...action, luck: null }, name, scale)}`
    }),
  )
  if (rollouts.length === 0) return ''
  const ratings = players.map((name, player) => {
    const rating = totals[seatOf(player)].performance_rating
    return `${name} ${rating === null ? '–' : number(rating, 1)}`
  })
  const lines = [
    ...['', '', 'Rollouts, which the tables above do not contain:', ...rollouts],
    `PR with the decided rollouts: ${ratings.join(', ')}.`,
  ]
  return lines.join('\n').replaceAll(/[\u00a0\u2009]/g, ' ')
}

/** Returns the source of the equities of a rollout. */
export const rolloutSource = (trials: number): string => `Rollout, ${trials.toLocaleString('en')} trials`

/** Returns the source of the equities of an analysis. */
export const evaluationSource = ({ plies }: Pick<AnalyzedAction, 'plies'>): string =>
  `Evaluation, ${plyText(plies)}`

/** Returns the equities of a doubling decision, each with its name. */
export function doublingRows<T>(
  doubling: Record<'no_double' | 'double_take' | 'double_pass', T>,
  isRedouble: boolean,
): [name: string, equity: T][] {
  const row = (name: string, equity: T): [string, T] => [withRedouble(name, isRedouble), equity]
  return [
    row('No double', doubling.no_double),
    row('Double, take', doubling.double_take),
    row('Double, pass', doubling.double_pass),
  ]
}

/** Formats a search depth. */
const plyText = (plies: number): string => `${plies}\u00a0${plies === 1 ? 'ply' : 'plies'}`

/** Returns the label of a search depth of the analysis; errors at 1 ply are evaluated again at 2 plies. */
export const depthLabel = (plies: number): string =>
  plies === 1 ? `${plyText(1)}, errors at 2` : plyText(plies)

/** Describes the probabilities of win, gammon, backgammon, lost gammon and lost backgammon. */
export function probabilitiesText([win = 0, ...others]: readonly number[]): string {
  const percent = (probability = 0) => `${number(100 * probability, 1)}\u00a0%`
  const [gammon, backgammon, lostGammon, lostBackgammon] = others.map(percent)
  return `win ${percent(win)}, gammon ${gammon}, backgammon ${backgammon}; loss ${percent(1 - win)}, gammon ${lostGammon}, backgammon ${lostBackgammon}.`
}

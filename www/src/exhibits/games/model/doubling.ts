/** Match or money session with the doubling cube: choices, captions, and the cube of earlier turns. */
import type {
  DoublingReport,
  GameDoubling,
  GameTable,
  GameTurn,
  PlayedGame,
  PlayedMatch,
  RolledDoubling,
} from '../../../engine/page/session'
import { number } from '../../../lib/format'
import { leastLoss } from './outcomes'
import { inSentence, sideNames, withoutSearch } from './players'
import { seatOf, type Seat } from './checkers'

type Names = readonly [string, string]

/** Rules of the games at the table. */
export interface MatchRules {
  /** Match length in points; 0: money session; null: cubeless games. */
  length: number | null
  jacoby: boolean
}

/** Largest match length. */
export const longestMatch = 64

/** Choice of a match length that is not in the list. */
export const otherLength = 'other'

const lengths = [1, 3, 5, 7, 11]
/** Returns a number of points with its unit. */
export const pointsText = (count: number): string => (count === 1 ? '1 point' : `${count} points`)

/** Choices of the rules by key. */
export const ruleOptions: readonly { value: string; label: string }[] = [
  { value: 'cubeless', label: 'Games without doubling' },
  { value: 'money', label: 'Money session' },
  { value: 'jacoby', label: 'Money session, Jacoby rule' },
  ...lengths.map((length) => ({ value: String(length), label: `Match to ${pointsText(length)}` })),
  { value: otherLength, label: 'Match to another length' },
]

/** Returns the key of the rules of the current game. */
export function ruleKey(doubling: GameDoubling | null): string {
  if (!doubling) return 'cubeless'
  if (doubling.length === 0) return doubling.jacoby ? 'jacoby' : 'money'
  return lengths.includes(doubling.length) ? String(doubling.length) : otherLength
}

/** Returns the rules of a key. `other`: match length of the choice {@link otherLength}. */
export function rulesOf(key: string, other: number): MatchRules {
  if (key === 'cubeless') return { length: null, jacoby: false }
  if (key === 'money' || key === 'jacoby') return { length: 0, jacoby: key === 'jacoby' }
  return { length: key === otherLength ? other : Number(key), jacoby: false }
}

/** Choice of the rules of the next game. */
export interface RuleChoice {
  /** A key of {@link ruleOptions}. */
  key: string
  /** Match length of the choice {@link otherLength}; null if the field is empty. */
  other: number | null
}

/** Returns whether a choice is complete and within the limits. */
export const isValidChoice = ({ key, other }: RuleChoice): boolean =>
  key !== otherLength || (other !== null && Number.isInteger(other) && other >= 1 && other <= longestMatch)

/** Returns the rules of a choice; null if the choice is invalid or equals the rules of the current game. */
export function chosenRules(choice: RuleChoice | null, doubling: GameDoubling | null): MatchRules | null {
  if (!choice || !isValidChoice(choice)) return null
  const rules = rulesOf(choice.key, choice.other ?? 0)
  const isSame = rules.length === (doubling?.length ?? null) && rules.jacoby === (doubling?.jacoby ?? false)
  return isSame ? null : rules
}

const you = (name: string): boolean => name === 'You'
const short = (name: string): string => withoutSearch(name)

/** Returns match length, score and rule in one sentence. */
export function matchText(doubling: GameDoubling, score: readonly [number, number], names: Names): string {
  const { length, jacoby, crawford, match_winner } = doubling
  const points = `${inSentence(short(names[0]))} ${score[0]}, ${inSentence(short(names[1]))} ${score[1]}`
  if (length === 0) return `Money session with${jacoby ? '' : 'out'} the Jacoby rule: ${points}.`
  const state = `Match to ${length}: ${points}.`
  if (match_winner !== null) {
    const winner = short(names[seatOf(match_winner)])
    return `${state} ${winner} ${you(winner) ? 'win' : 'wins'} the match.`
  }
  if (length === 1) return `${state} It has no doubling cube.`
  return crawford ? `${state} Crawford game: no doubling cube.` : state
}

/** Returns value and owner of the doubling cube in one sentence; null after the game. `stage`: null at an earlier position. */
export function cubeText(
  { cube, owner, length }: GameDoubling,
  score: readonly [number, number],
  names: Names,
  stage: GameTable['stage'] | null,
): string | null {
  if (stage === 'over') return null
  if (stage === 'doubled') return `Doubling cube: ${2 * cube}, offered.`
  // A win of either player ends the match, as at double match point, where each player needs one point.
  if (length > 0 && score.every((points) => points + cube >= length))
    return `Doubling cube: ${cube}. This game decides the match, so that a double changes nothing.`
  const where =
    owner === null ? 'in the middle: both sides may double' : `owned by ${ownerName(owner, names)}`
  return `Doubling cube: ${cube}, ${where}.`
}

function ownerName(owner: number, names: Names): string {
  const name = short(names[seatOf(owner)])
  return you(name) ? 'you' : inSentence(name)
}

const choices = ['no_double', 'double', 'take', 'drop'] as const
const words = { no_double: 'no double', double: 'double', take: 'take', drop: 'pass' } as const
const thirdPerson = { double: 'doubles', take: 'takes', drop: 'passes' } as const

/** Returns a text about a doubling decision with the word redouble if the player who decides owns the doubling cube. */
export const withRedouble = (text: string, isRedouble: boolean): string =>
  isRedouble
    ? text.replaceAll(/\b[Dd]ouble(?=s?\b)/g, (word) => (word === 'Double' ? 'Redouble' : 'redouble'))
    : text

/** Returns whether a name is that of a human player, whose losses are stated. */
const isHuman = (name: string): boolean => you(name) || sideNames.includes(name)

/** Returns the best decision of the player who decides; before a double with the best reply. */
function bestText({ best, too_good, costs }: DoublingReport): string {
  if (best === 'take' || best === 'drop') return words[best]
  if (best === 'no_double') return too_good ? 'too good to double, pass' : 'no double, take'
  return `double, ${costs[2] < leastLoss ? 'take' : 'pass'}`
}

/** Returns the decision of a report, for a human player with its loss; before a take or pass with the loss of the double. */
export function decisionText(report: DoublingReport, names: Names): string {
  const { seat, chosen, best, costs } = report
  const reply = choiceText(report, names)
  if (chosen === null && (best === 'take' || best === 'drop'))
    return costs[1] < leastLoss ? reply : `The double loses ${number(costs[1], 3)}. ${reply}`
  const doubler = seat === 1 ? 0 : 1
  if ((chosen !== 'take' && chosen !== 'drop') || !isHuman(short(names[doubler]))) return reply
  const double = { ...report, seat: doubler, chosen: 'double' as const }
  const isRight = costs[1] < leastLoss
  return `${choiceText({ ...double, best: isRight ? 'double' : 'no_double' }, names)} ${reply}`
}

function choiceText(report: DoublingReport, names: Names): string {
  const { seat, chosen, best, costs, too_good } = report
  if (chosen === null) return `Best decision: ${bestText(report)}.`
  const name = short(names[seatOf(seat)])
  const tooGood = too_good && best === 'no_double' ? ': too good, a gammon is worth more' : ''
  const does = you(name)
    ? `${name} ${chosen === 'no_double' ? 'do not double' : words[chosen]}`
    : `${name} ${chosen === 'no_double' ? 'does not double' : thirdPerson[chosen]}`
  if (!isHuman(name)) return `${does}${tooGood}.`
  const lost = costs[choices.indexOf(chosen)]!
  return lost < leastLoss
    ? `${does}: the best decision.`
    : `${does}, which loses ${number(lost, 3)}; the best decision is ${bestText(report)}.`
}

/** Returns the decisions that lose equity, with their losses. `source`: source of the losses, if the page shows several. */
export function costsText({ costs }: DoublingReport, source: string | null = null): string {
  const wrong = choices.flatMap((choice, i) =>
    costs[i]! < leastLoss ? [] : [`${words[choice]} ${number(costs[i]!, 3)}`],
  )
  const by = source === null ? '' : ` by the ${source}`
  return wrong.length > 0 ? `Losses${by}: ${wrong.join(', ')}.` : `All decisions are equal${by}.`
}

/** Returns a report with the equities and the verdict of a rollout of its position. */
export function rolledReport(report: DoublingReport, rolled: RolledDoubling): DoublingReport {
  const { no_double, double_take, double_pass, probabilities } = rolled
  const [without, taken, gain] = [no_double.mean, double_take.mean, rolled.gain.mean]
  const isTake = taken <= double_pass
  const isReply = report.best === 'take' || report.best === 'drop'
  const best = isReply ? (isTake ? 'take' : 'drop') : gain > 0 ? 'double' : 'no_double'
  const losses = [gain, -gain, taken - double_pass, double_pass - taken].map((loss) => Math.max(0, loss))
  return {
    ...report,
    best,
    too_good: gain <= 0 && !isTake && without > double_pass,
    probabilities,
    equities: [without, taken, double_pass],
    costs: losses as DoublingReport['costs'],
  }
}

/** Returns the equity that the doubling decision of a seat loses by a report; 0 if the seat has not decided. */
export function doublingLoss({ seat, chosen, costs }: DoublingReport, of: number): number {
  if (chosen === null) return 0
  if (seat === of) return costs[choices.indexOf(chosen)]!
  return chosen === 'take' || chosen === 'drop' ? costs[1] : 0
}

/** Returns the seat whose equities a report has: the seat to move. */
export function equitySeat({ seat, best }: DoublingReport): 0 | 1 {
  const answers = best === 'take' || best === 'drop'
  return (seat === 1) === answers ? 0 : 1
}

/** Returns the label of the command that starts the next game. `rules`: rules that are chosen for it; null: the present ones. */
export function nextGameLabel(table: GameTable | null, rules: MatchRules | null): string {
  if (rules) return rules.length ? 'New match' : 'New game'
  const doubling = table?.doubling
  if (!doubling || doubling.length === 0) return 'New game'
  return table.stage === 'over' && doubling.match_winner === null ? 'Next game' : 'New match'
}

/** Doubling cube on the board. */
export interface ShownCube {
  /** Value; the doubled value while a double is offered. */
  value: number
  owner: 0 | 1 | null
  offered: boolean
}

const ownerOf = ({ owner }: GameDoubling): Seat | null => (owner === null ? null : seatOf(owner))

/**
 * Returns the doubling cube at a turn of the history, after the double of the turn, or now (null). Null without a
 * doubling cube.
 */
export function shownCube(table: GameTable, turn: number | null): ShownCube | null {
  const { doubling, history } = table
  if (!doubling || doubling.crawford) return null
  if (turn === null) {
    const offered = table.stage === 'doubled'
    return { value: doubling.cube * (offered ? 2 : 1), owner: ownerOf(doubling), offered }
  }
  return cubeOf(history, turn + 1, { value: doubling.cube, owner: ownerOf(doubling) })
}

/** Returns the doubling cube after the doubles of the first `count` turns. `undoubled`: the cube of a game without a double. */
function cubeOf(
  turns: readonly GameTurn[],
  count: number,
  undoubled: Pick<ShownCube, 'value' | 'owner'>,
): ShownCube {
  const last = turns.slice(0, count).findLast(({ doubled }) => doubled !== null)
  if (last) return { value: last.doubled!, owner: last.seat === 1 ? 0 : 1, offered: false }
  const first = turns.find(({ doubled }) => doubled !== null)
  if (!first) return { ...undoubled, offered: false }
  // Before the first double, the cube is in the middle, or its owner is the player who doubles.
  const value = first.doubled! / 2
  return { value, owner: value === 1 ? null : seatOf(first.seat), offered: false }
}

/** Returns the doubling cube of a game after the doubles of its first `count` turns. Null without a doubling cube. */
export function playedCube(
  { length }: Pick<PlayedMatch, 'length'>,
  { crawford, turns }: PlayedGame,
  count: number,
): ShownCube | null {
  if (crawford || length === 1) return null
  return cubeOf(turns, count, { value: 1, owner: null })
}

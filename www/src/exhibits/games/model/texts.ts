/** Texts of each game, and the scale in which it shows the worth of positions and plays. */
import { number, short } from '../../../lib/format'
import { helpByTerm, type HelpText } from '../../../lib/help'
import type { WorldOf } from '../../../worlds'
import type { GameDoubling } from '../../../engine/page/session'

/** Scale of a game. All functions receive mean points per game, or a difference of them; at a match score an equity. */
export interface Scale {
  /** Name of the worth of a position. */
  name: string
  /** Name of the worth, with the player from whose view it is. */
  nameFor: (view: string) => string
  /** What the number counts, with the player from whose view it is. */
  about: (view: string) => string
  /** Name of the mean result of several games. */
  results: string
  /** Unit of a mean result within a sentence. */
  unit: string
  /** Head of a narrow column. */
  head: string
  format: (points: number) => string
  /** As `format`, with fewer digits. */
  brief: (points: number) => string
  difference: (points: number) => string
  /** A loss with its unit. */
  loss: (points: number) => string
  /** A gain per game, with its unit. */
  gain: (points: number) => string
  /** Label of a grid line. */
  tick: (points: number) => string
}

const signed = (value: number, digits: number) => `${value > 0 ? '+' : ''}${number(value, digits)}`

const points: Scale = {
  name: 'Equity',
  nameFor: (view) => `Cubeless equity for ${view}`,
  about: (view) => `points per game for ${view}`,
  results: 'Points per game',
  unit: 'points per game',
  head: 'points',
  format: (points) => signed(points, 3),
  brief: (points) => signed(points, 2),
  difference: (points) => number(points, 3),
  loss: (points) => `${number(points, 3)} points`,
  gain: (points) => `${number(points, 2)} points per game`,
  tick: (points) => (points === 0 ? 'even' : short(Number(points.toFixed(2)))),
}

/** Equity of a money game with the doubling cube. */
const cubeful: Scale = {
  ...points,
  nameFor: (view) => `Cubeful equity for ${view}`,
  about: (view) => `points per value of the cube for ${view}`,
}

/** Equity at a match score. */
const atScore: Scale = {
  ...points,
  nameFor: (view) => `Equity at the score (EMG) for ${view}`,
  about: (view) => `at the score (EMG) for ${view}`,
  loss: (equity) => `${number(equity, 3)} (EMG)`,
}

/** Share of the games won in percent; a draw counts half. */
const percent = (points: number) => 50 * (1 + points)

const gamesWon: Scale = {
  name: 'Games won',
  nameFor: (view) => `Games won by ${view}`,
  about: (view) => `expected for ${view}, a draw counts half`,
  results: 'Games won',
  unit: 'of the games',
  head: 'won',
  format: (points) => `${number(percent(points), 1)} %`,
  brief: (points) => `${number(percent(points), 0)} %`,
  difference: (points) => `${number(50 * points, 1)} %`,
  loss: (points) => `${number(50 * points, 1)} percentage points`,
  gain: (points) => `${number(50 * points, 0)} wins in 100 games`,
  tick: (points) => (points === 0 ? 'even' : `${short(Number(percent(points).toFixed(1)))} %`),
}

export interface GameTexts {
  /** What the learner does and how a visitor takes part. */
  lead: string
  scale: Scale
  /** Returns the name of a play within a sentence. */
  play: (text: string) => string
  /** Sentence about the mean loss of the plays of the visitor: its explained first words, and its end with the loss. */
  meanLoss: { label: string; end: (loss: string) => string }
  /** How the games of a match are paired. */
  pairs: string
  help: Record<
    'equity' | 'plays' | 'playEquity' | 'loss' | 'meanLoss' | 'record' | 'learning' | 'ladder',
    HelpText
  >
}

const learning = (curve: string) =>
  `Games of self-play so far, the strongest reference player that the newest network beats, without search, and the next one. The percentages are the shares of won games in the last three matches; a draw counts half. The curve shows ${curve} against the next player.`
const record = (worth: string) =>
  `Turns of the game; in backgammon of all games of the match, with the score before each game. A click shows the position before a turn. The number is the ${worth} that the turn lost, and the mean is per play.`
const ladder = (results: string) =>
  `${results} of the newest network, without search, against fixed players; the band is a 95 % confidence interval.`
const noLoss = 'A dash means that the play had too few visits to be compared.'

export const texts: Record<WorldOf<'games'>, GameTexts> = {
  backgammon: {
    lead: 'The computer learns backgammon by playing against itself. Play against a pretrained network, or against the one in training.',
    scale: points,
    play: (text) => text,
    meanLoss: { label: 'your mean loss per play', end: (loss) => `: ${loss}` },
    pairs: 'In each pair of games both players begin once, with the same dice.',
    help: helpByTerm({
      'backgammon-equity': {
        equity:
          'How good the position is for the side below: points that it can expect without the doubling cube after the best play, from the search or the network alone.',
        playEquity:
          'How good the play is for the player on roll without the doubling cube: mean value of the simulations through it, in points.',
        loss: `How much worse the play is than the best one: difference to the equity of the first play, in points. ${noLoss}`,
        meanLoss:
          'How much your plays of this game are worse than the best ones, on average: 0 if each play is the best by the analysis. The list has the loss of each play.',
        record: record('equity'),
      },
      search: {
        plays:
          'Legal plays of the decision, the highest equity first: the search tries good plays most often, but its results decide, not the number of tries. Arrows on the board show the best plays of the table, the best one dark. In an opened match, the play that was made is red if it loses equity. With a row under the pointer, or after a click on it, only its play has arrows. The button of a row, a double click or Enter makes the play.',
      },
      'self-play': { learning: learning('the mean points per game') },
      strength: { ladder: ladder('Mean points per game') },
    }),
  },
  'connect-four': {
    lead: 'The computer learns Connect Four by playing against itself. Play against a pretrained network, or against the one in training.',
    scale: gamesWon,
    play: (text) => `column ${text}`,
    meanLoss: {
      label: 'your plays',
      end: (loss) => ` lowered your expected share of won games by ${loss} on average`,
    },
    pairs: 'In each pair of games both players begin once.',
    help: helpByTerm({
      equity: {
        equity:
          'How good the position is for the side below: share of the games that it can expect to win after the best play, from the search or the network alone; a draw counts half.',
        playEquity:
          'How good the play is for the player on the move: share of the games won in the simulations through it.',
        loss: `How much worse the play is than the best one: difference to the first play, in percent of the games. ${noLoss}`,
        meanLoss:
          'How many games in 100 each of your plays costs on average, compared with the best play: 0 % if each play is the best by the search. The list has the loss of each play.',
        record: record('share of games'),
      },
      search: {
        plays:
          'Legal plays of the decision, the most visits first: the search tries good plays most often, and chooses the play that it has tried most. On the board, its number is bold and its stone is pale. With a row under the pointer, or after a click on it, the board shows its play. The button of a row, a double click or Enter makes the play.',
      },
      'self-play': { learning: learning('the share of games won') },
      strength: { ladder: ladder('Share of the games won') },
    }),
  },
}

const janowski = 'It includes gammons and doubles, by Janowski’s formula from the cubeless probabilities'
const unvisited =
  'All legal plays are compared, those with few visits by the network alone, because the search maximizes the cubeless equity.'
const cubeHelp = (unit: string): GameTexts['help'] => ({
  ...texts.backgammon.help,
  ...helpByTerm({
    'doubling-cube': {
      equity: `How good the position is for the player who decides: ${unit}, after the best play, at a doubling decision before the roll. ${janowski}.`,
      playEquity: `How good the play is for the player on roll: ${unit}. ${janowski}. ${unvisited}`,
      loss: 'How much worse the play is than the best one: difference to the equity of the first play.',
    },
  }),
})

/** Returns the texts of the result of a finished game, whose points include the doubling cube. */
export function resultTexts(name: WorldOf<'games'>): GameTexts {
  if (name !== 'backgammon') return texts[name]
  return { ...texts[name], scale: { ...points, about: (view) => `points of this game for ${view}` } }
}

/** Returns the texts of a table with its match or money session; null: cubeless games. */
export function tableTexts(
  name: WorldOf<'games'>,
  doubling: Pick<GameDoubling, 'length'> | null | undefined,
): GameTexts {
  if (!doubling) return texts[name]
  const [scale, unit] =
    doubling.length === 0
      ? [cubeful, 'expected points per value of the doubling cube']
      : [
          atScore,
          'an equity between −1 and +1 for the match winning probabilities after a single game lost and won with the present doubling cube (EMG, more with gammons)',
        ]
  return { ...texts[name], scale, help: cubeHelp(unit) }
}

//! Backgammon as a game for AlphaZero: network inputs and outcome probabilities.
//!
//! Checker counts are encoded as thresholds, as in TD-Gammon (Tesauro 1995, <https://doi.org/10.1145/203330.203343>).
//! Further inputs are features that a fully connected network learns slowly:
//!
//! - the made points of the home board and of a blockade, each a one-hot vector over the 64 patterns of six points,
//! - blots within range of the opponent,
//! - for each die, the points and the bar from which a checker can move, and the places from which that move hits.
//!
//! Nearly all inputs are 0, and the sparse first layer skips zeros.

use super::back_games;
use super::bear_off_hits;
use super::config::AlphaZeroConfig;
use super::game::{InputRow, SelfPlayGame, bits, search_compiled_here};
use super::random_openings;
use vivarium_envs::backgammon::{
    BAR, BearOff, OFF, Outcome, POINTS, Position, PositionClass, RelativePlayer, Roll, Side, State,
    TurnPhase, Win,
};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Puct;

/// Number of network inputs for the checkers of one side on one point. Five are 0/1: exactly one checker; at least 2,
/// 3, 4 and 5 checkers. The sixth is (number of checkers − 5) / 5, or 0 for fewer checkers.
const OF_POINT: usize = 6;
/// Number of network inputs for the checkers of one side on the bar. Three are 0/1: at least 1, 2 and 3 checkers. The
/// fourth is (number of checkers − 3) / 3, or 0 for fewer checkers.
const OF_BAR: usize = 4;
/// Number of network inputs for the checkers that one side has borne off: input i is 1 if there are at least i + 1
/// such checkers.
const OF_OFF: usize = 15;
/// Number of patterns of made points (points with at least two checkers of one side) among six adjacent points, 2⁶. A
/// pattern is a one-hot vector of this length.
const PATTERNS: usize = 64;
/// Maximum distance, in pips, from which a checker can hit a blot with two different dice: 6 + 5.
const FARTHEST: usize = 11;

// Offset of each group of network inputs. The offsets from `BAR_AT` to `PIPS_AT` count from the first input of a
// side. Each side has `OF_SIDE` inputs; the dice, the inputs of each die and the inputs of both sides follow.
const BAR_AT: usize = POINTS * OF_POINT;
const OFF_AT: usize = BAR_AT + OF_BAR;
const HOME_AT: usize = OFF_AT + OF_OFF;
const BLOCKADE_AT: usize = HOME_AT + PATTERNS;
const SHOTS_AT: usize = BLOCKADE_AT + PATTERNS;
const PIPS_AT: usize = SHOTS_AT + FARTHEST;
const OF_SIDE: usize = PIPS_AT + 1;

/// Number of network inputs for the dice: a one-hot vector of the roll, a flag for the second half of a double, and a
/// flag for dice that have not been rolled.
const OF_DICE: usize = Roll::COUNT + 2;
/// Number of places from which a checker can move: the points 1 to 24 and the bar.
const SOURCES: usize = BAR;
/// Number of network inputs per die, two for each place of the board: whether a checker can move from there with that
/// die, and whether that move hits a blot.
const OF_DIE: usize = 2 * SOURCES;
/// Number of network inputs that describe both sides together: whether the sides are still in contact, and the pip
/// lead of the player to move, divided by 50.
const OF_BOTH: usize = 2;
const DICE_AT: usize = 2 * OF_SIDE;
const SOURCES_AT: usize = DICE_AT + OF_DICE;
const BOTH_AT: usize = SOURCES_AT + 2 * OF_DIE;

/// Bit mask of the points 1 to 24 of the board, without the bar and the checkers borne off; bit p is point p.
const ALL_POINTS: u32 = (1 << BAR) - 2;

/// Backgammon for AlphaZero. Network inputs, in order: checkers of the player to move, checkers of the opponent, dice,
/// movable checkers of each die, inputs of both sides together. The five value heads are probabilities: win, win at
/// least a gammon, win a backgammon, lose at least a gammon, lose a backgammon.
impl SelfPlayGame for State {
    const NAME: &'static str = "backgammon";
    const START: Self = Self::START;
    const INPUTS: usize = BOTH_AT + OF_BOTH;
    const HEADS: usize = 5;

    fn config() -> AlphaZeroConfig {
        // The dice provide exploration, and a one-ply lookahead provides good value targets. Therefore only 5 % of
        // the moves are searched, which yields more games. Searched moves improve the policy once the value heads are
        // trained. All heads share the layers of the network; without a larger weight of the value loss, these layers mostly learn the policy.
        AlphaZeroConfig {
            search_share: 0.05,
            games_before_search: 30_000,
            exploration: Self::puct().c_init,
            noise_concentration: 0.3,
            temperature_moves: 0,
            minibatch: 128,
            value_coefficient: 16.0,
            final_learning_rate: 5e-5,
            anneal_samples: 40_000_000,
            ..AlphaZeroConfig::default()
        }
    }

    /// Returns PUCT parameters with a small exploration constant, because the equities of good plays differ by a few
    /// hundredths of a point. Equities range from −3 to 3.
    ///
    /// Share of games won with 100 simulations per decision against GNU Backgammon, over 4,000 games (±1.4 %): 43.2 %
    /// with an exploration constant of 0.05, 45.2 % with 0.15, 44.1 % with 0.4, 41.2 % with 1.0, and 43.3 % without
    /// search. A first-play urgency reduction of 0 won 45.6 %, of 0.15 43.4 %.
    fn puct() -> Puct {
        Puct { c_init: 0.15, fpu_reduction: 0.05, ..Puct::default() }
    }

    fn varied_start(random: &mut Stream) -> Self {
        let before_roll = |position| Self { position, phase: TurnPhase::Roll, player: 0 };
        match random.below(3) {
            0 => before_roll(bear_off_hits::position(random)),
            1 => before_roll(back_games::position(random)),
            _ => random_openings::state(random),
        }
    }

    fn write_inputs(&self, row: &mut impl InputRow) {
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let my_pips = write_side(mine, theirs, 0, row);
        let their_pips = write_side(theirs, mine, OF_SIDE, row);
        match self.phase {
            TurnPhase::Opening | TurnPhase::Roll => row.push(DICE_AT + Roll::COUNT + 1, 1.0),
            TurnPhase::Play(roll) | TurnPhase::SecondHalf(roll) => {
                row.push(DICE_AT + roll.index(), 1.0);
                row.push_if(matches!(self.phase, TurnPhase::SecondHalf(_)), DICE_AT + Roll::COUNT, 1.0);
                write_sources(&self.position, roll, row);
            }
        }
        row.push_if(mine.highest() + theirs.highest() > POINTS, BOTH_AT, 1.0);
        row.push_if(their_pips != my_pips, BOTH_AT + 1, (their_pips - my_pips) / 50.0);
    }

    fn outcome_heads(value: f32, heads: &mut [f32]) {
        let winner = if value > 0.0 { RelativePlayer::Mine } else { RelativePlayer::Theirs };
        let win = match value.abs() {
            ..1.5 => Win::Single,
            ..2.5 => Win::Gammon,
            _ => Win::Backgammon,
        };
        heads.copy_from_slice(&Outcome { winner, win }.probabilities());
    }

    /// Looks up the exact outcome probabilities of a bear-off position before a roll, and writes them to `heads`.
    /// Returns `false`, without writing, for all other states, and if one side has not borne off a checker. After
    /// both sides have borne off a checker, gammons are impossible.
    fn exact_heads(&self, heads: &mut [f32]) -> bool {
        let position = &self.position;
        if self.phase != TurnPhase::Roll || position.class() != PositionClass::BearOff {
            return false;
        }
        let win = BearOff::without_gammons().win_probability(position);
        if let Some(win) = win {
            heads.copy_from_slice(&[win as f32, 0.0, 0.0, 0.0, 0.0]);
        }
        win.is_some()
    }

    fn remove_impossible_outcomes(&self, heads: &mut [f32]) {
        if let Ok(heads) = heads.try_into() {
            self.position.remove_impossible_outcomes(heads);
        }
    }

    fn flip_heads(heads: &mut [f32]) {
        heads[0] = 1.0 - heads[0];
        heads.swap(1, 3);
        heads.swap(2, 4);
    }

    fn equity(heads: &[f32]) -> f32 {
        Outcome::equity([heads[0], heads[1], heads[2], heads[3], heads[4]])
    }

    fn set_equity(heads: &mut [f32], equity: f32) {
        let half = 0.5 * (equity - Self::equity(heads));
        // The win probability includes gammon wins, so it is at least the gammon probability.
        heads[0] = (heads[0] + half).clamp(heads[1].min(1.0), 1.0);
    }

    /// The byte is the phase, 0 to 43 (opening, roll, 21 rolls to play, 21 rolls of a second half), and the player in
    /// its highest bit.
    fn pack(&self) -> (u128, u8) {
        let phase = match self.phase {
            TurnPhase::Opening => 0,
            TurnPhase::Roll => 1,
            TurnPhase::Play(roll) => 2 + roll.index(),
            TurnPhase::SecondHalf(roll) => 2 + Roll::COUNT + roll.index(),
        };
        (self.position.pack(), phase as u8 | self.player << 7)
    }

    fn unpack(bits: u128, tag: u8) -> Option<Self> {
        let roll = |first: usize| Roll::ALL.get(usize::from(tag & 127) - first).copied();
        let phase = match tag & 127 {
            0 => TurnPhase::Opening,
            1 => TurnPhase::Roll,
            2..23 => TurnPhase::Play(roll(2)?),
            _ => TurnPhase::SecondHalf(roll(2 + Roll::COUNT)?),
        };
        Some(Self { position: Position::unpack(bits).ok()?, phase, player: tag >> 7 })
    }

    search_compiled_here!();
}

/// Writes the network inputs that describe the checkers of `side`, whose opponent is `other`, to `row` from input
/// index `first` on. Returns the pip count of `side`.
///
/// The number of nonzero inputs per point varies unpredictably, and branch mispredictions would dominate the run time.
/// Therefore a fixed number of entries is copied for each point; superfluous entries are then overwritten.
#[inline(always)]
fn write_side(side: Side, other: Side, first: usize, row: &mut impl InputRow) -> f32 {
    let (occupied, made) = (side.occupied(), side.made() & ALL_POINTS);
    let count = |place: usize| usize::from(side.count(place));
    let mut pips = BAR * count(BAR);
    for point in bits(occupied & ALL_POINTS) {
        let count = count(point);
        pips += point * count;
        // Exactly one checker has an input of its own; more checkers use one input per threshold, up to five.
        let at = first + (point - 1) * OF_POINT + usize::from(count > 1);
        let beyond = (count as f32 - 5.0) / 5.0;
        let len = count.clamp(2, OF_POINT) - 1;
        row.push_first(len, [(at, 1.0), (at + 1, 1.0), (at + 2, 1.0), (at + 3, 1.0), (at + 4, beyond)]);
    }
    if count(BAR) > 0 {
        let (at, beyond) = (first + BAR_AT, (count(BAR) as f32 - 3.0) / 3.0);
        row.push_first(count(BAR).min(OF_BAR), [(at, 1.0), (at + 1, 1.0), (at + 2, 1.0), (at + 3, beyond)]);
    }
    if count(OFF) > 0 {
        row.push_first(count(OFF), std::array::from_fn::<_, OF_OFF, _>(|less| (first + OFF_AT + less, 1.0)));
    }
    row.push(first + HOME_AT + pattern(made, 1), 1.0);
    // Bit 0 of the pattern is the point one pip in front of the opponent's rearmost checker.
    row.push(first + BLOCKADE_AT + pattern(made, BAR + 1 - other.highest()), 1.0);
    let blots = occupied & !made & ALL_POINTS;
    let hitters = opposite(other.occupied() & !1);
    for pips in 1..=FARTHEST {
        let shots = blots & hitters << pips;
        row.push_if(shots != 0, first + SHOTS_AT + pips - 1, shots.count_ones() as f32);
    }
    row.push_if(pips > 0, first + PIPS_AT, pips as f32 / 100.0);
    pips as f32
}

/// Writes the network inputs of each die to `row`, the higher die first: the places (points and bar) from which a
/// checker can move if that die is played first, and the places from which that move hits a blot.
#[inline(always)]
fn write_sources(position: &Position, roll: Roll, row: &mut impl InputRow) {
    let theirs = position.theirs();
    let blots = opposite(theirs.occupied() & !theirs.made() & ALL_POINTS);
    let dice = [roll.high(), roll.low()];
    for (index, (die, playable)) in dice.into_iter().zip(position.sources(dice)).enumerate() {
        // Bit 0 (checkers borne off) is not a source and has no input.
        let [moves, hits] = [playable, playable & blots << die].map(|places| u64::from(places >> 1));
        let first = SOURCES_AT + index * OF_DIE;
        bits(moves | hits << SOURCES).for_each(|place| row.push(first + place, 1.0));
    }
}

/// Returns the pattern of made points among the six points from point `first` on, as a one-hot index from 0 to 63.
/// `made` is the bit mask of all points with at least two checkers of the side.
fn pattern(made: u32, first: usize) -> usize {
    (made >> first) as usize % PATTERNS
}

/// Converts a bit mask of points from one player's numbering to the opponent's numbering: point p becomes 25 − p.
fn opposite(places: u32) -> u32 {
    // Bit p moves to bit 31 − p, then to bit 25 − p.
    places.reverse_bits() >> 6
}

//! Backgammon as a network sees it.
//!
//! Counts of checkers come as thresholds, as TD-Gammon had them (Tesauro, "Temporal difference learning and
//! TD-Gammon", 1995). What a fully connected network finds hard to work out from them is written beside: which points
//! of a home board and of a blockade are made, as one of 64 patterns each; blots in the way of the opponent; from where
//! each die can be played, and where it hits. Nearly all of these numbers are 0, and products skip those.

use super::game::{Learnable, Row, bits};
use std::sync::OnceLock;
use vivarium_envs::backgammon::{
    BAR, BearOff, CHECKERS, Class, OFF, Outcome, POINTS, Phase, Player, Position, Roll, Side, State, Win,
};
use vivarium_mcts::{Batch, Puct, Tree};

/// Numbers for a point: a single checker; at least 2, 3, 4, 5; a fifth of those beyond 5.
const OF_POINT: usize = 6;
/// Numbers for a bar: at least 1, 2, 3 checkers; a third of those beyond 3.
const OF_BAR: usize = 4;
/// Checkers borne off, as thresholds.
const OF_OFF: usize = 15;
/// Which of six points are made.
const PATTERNS: usize = 64;
/// The farthest that a blot is looked at from, in pips: what two dice reach.
const FARTHEST: usize = 11;

// A side's numbers, in their order; then those of the dice, of either die, of both sides.
const BAR_AT: usize = POINTS * OF_POINT;
const OFF_AT: usize = BAR_AT + OF_BAR;
const HOME_AT: usize = OFF_AT + OF_OFF;
const BLOCKADE_AT: usize = HOME_AT + PATTERNS;
const SHOTS_AT: usize = BLOCKADE_AT + PATTERNS;
const PIPS_AT: usize = SHOTS_AT + FARTHEST;
const OF_SIDE: usize = PIPS_AT + 1;

/// Numbers for the dice: which roll; that the second half of a double is played; that the dice are still to come.
const OF_DICE: usize = Roll::COUNT + 2;
/// Places that a checker can move from: points 1 to 24 and the bar.
const SOURCES: usize = BAR;
/// Numbers for one of two dice: the places from where a checker can move by it, and those from where it hits.
const OF_DIE: usize = 2 * SOURCES;
/// Numbers for both sides together: that a checker can still be hit, and how far ahead the player to move is.
const OF_BOTH: usize = 2;
const DICE_AT: usize = 2 * OF_SIDE;
const SOURCES_AT: usize = DICE_AT + OF_DICE;
const BOTH_AT: usize = SOURCES_AT + 2 * OF_DIE;

/// Bits of the points.
const ALL_POINTS: u32 = (1 << BAR) - 2;

/// The numbers of the player to move, those of the opponent, the dice, either die, both sides together.
///
/// Five heads: the chances to win, to win at least a gammon, to win a backgammon, to lose at least a gammon, to lose a
/// backgammon.
impl Learnable for State {
    const NAME: &'static str = "backgammon";
    const START: Self = Self::START;
    const INPUTS: usize = BOTH_AT + OF_BOTH;
    const HEADS: usize = 5;

    /// Good plays differ by some hundredths of a point where a game can be worth three: the weight of the priors has to
    /// be small not to drown that. Against GNU Backgammon, 100 simulations of one network won 43.2 % of 4,000 games of the
    /// same dice with a weight of 0.05, 45.2 % with 0.15, 44.1 % with 0.4 and 41.2 % with 1.0, and 43.3 % without search
    /// (±1.4); `untried` of 0 made it 45.6 %, of 0.15 43.4 %.
    fn puct() -> Puct {
        Puct { exploration: 0.15, untried: 0.05, ..Puct::default() }
    }

    fn describe(&self, row: &mut impl Row) {
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let my_pips = describe_side(mine, theirs, 0, row);
        let their_pips = describe_side(theirs, mine, OF_SIDE, row);
        match self.phase {
            Phase::Opening | Phase::Roll => row.push(DICE_AT + Roll::COUNT + 1, 1.0),
            Phase::Play(roll) | Phase::Rest(roll) => {
                row.push(DICE_AT + roll.index(), 1.0);
                row.push_if(matches!(self.phase, Phase::Rest(_)), DICE_AT + Roll::COUNT, 1.0);
                describe_sources(&self.position, roll, row);
            }
        }
        row.push_if(mine.highest() + theirs.highest() > POINTS, BOTH_AT, 1.0);
        row.push_if(their_pips != my_pips, BOTH_AT + 1, (their_pips - my_pips) / 50.0);
    }

    fn heads_of(value: f32, heads: &mut [f32]) {
        let winner = if value > 0.0 { Player::Mine } else { Player::Theirs };
        let win = match value.abs() {
            ..1.5 => Win::Single,
            ..2.5 => Win::Gammon,
            _ => Win::Backgammon,
        };
        heads.copy_from_slice(&Outcome { winner, win }.chances());
    }

    /// Before a roll of a race in which both sides have all checkers at home and some borne off already, so that
    /// nobody can lose a gammon.
    fn known(&self, heads: &mut [f32]) -> bool {
        static TABLE: OnceLock<BearOff> = OnceLock::new();
        let position = &self.position;
        let begun = position.mine().count(OFF).min(position.theirs().count(OFF)) > 0;
        if self.phase != Phase::Roll || !begun || position.class() != Class::BearOff {
            return false;
        }
        let win = TABLE.get_or_init(|| BearOff::new(CHECKERS - 1)).win_probability(position);
        if let Some(win) = win {
            heads.copy_from_slice(&[win as f32, 0.0, 0.0, 0.0, 0.0]);
        }
        win.is_some()
    }

    fn turn(heads: &mut [f32]) {
        heads[0] = 1.0 - heads[0];
        heads.swap(1, 3);
        heads.swap(2, 4);
    }

    fn equity(heads: &[f32]) -> f32 {
        Outcome::equity([heads[0], heads[1], heads[2], heads[3], heads[4]])
    }

    fn lean(heads: &mut [f32], equity: f32) {
        let half = 0.5 * (equity - Self::equity(heads));
        // A gammon is a win as well.
        heads[0] = (heads[0] + half).clamp(heads[1].min(1.0), 1.0);
    }

    #[inline(never)]
    fn gather(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]) -> bool {
        batch.gather(trees)
    }

    #[inline(never)]
    fn hand_back(batch: &mut Batch<Self>, trees: &mut [Tree<Self>]) {
        batch.hand_back(trees);
    }
}

/// Writes one side's numbers, `first` being the place of the first of them, and returns its pips.
///
/// How many numbers a point has can hardly be foreseen, and a processor that guessed wrong at each would lose more time than
/// all else takes: so as many are always written as there can be.
#[inline(always)]
fn describe_side(side: Side, other: Side, first: usize, row: &mut impl Row) -> f32 {
    let (occupied, made) = (side.occupied(), side.made() & ALL_POINTS);
    let count = |place: usize| usize::from(side.count(place));
    let mut pips = BAR * count(BAR);
    for point in bits(occupied & ALL_POINTS) {
        let count = count(point);
        pips += point * count;
        // A single checker has a number of its own; of more, each beyond the first has one until there are five.
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
    // The first point that the opponent's rearmost checker would come to by a one.
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

/// Writes what each die can do first.
#[inline(always)]
fn describe_sources(position: &Position, roll: Roll, row: &mut impl Row) {
    let theirs = position.theirs();
    let blots = opposite(theirs.occupied() & !theirs.made() & ALL_POINTS);
    let dice = [roll.high(), roll.low()];
    for (index, (die, playable)) in dice.into_iter().zip(position.sources(dice)).enumerate() {
        // Place 0 is no source, and has no number.
        let [moves, hits] = [playable, playable & blots << die].map(|places| u64::from(places >> 1));
        let first = SOURCES_AT + index * OF_DIE;
        bits(moves | hits << SOURCES).for_each(|place| row.push(first + place, 1.0));
    }
}

/// Which of the six points from one on are made, as a number.
fn pattern(made: u32, first: usize) -> usize {
    (made >> first) as usize % PATTERNS
}

/// The places of one player as the other one counts them: 25 − p for p.
fn opposite(places: u32) -> u32 {
    // Bit p goes to bit 31 − p first.
    places.reverse_bits() >> 6
}

//! Backgammon as a network sees it.
//!
//! Counts of checkers come as thresholds, as TD-Gammon had them (Tesauro, "Temporal difference learning and
//! TD-Gammon", 1995). What a fully connected network finds hard to work out from them is written beside: which points
//! of a home board and of a blockade are made, as one of 64 patterns each; blots in the way of the opponent; from where
//! each die can be played, and where it hits. Nearly all of these numbers are 0, and products skip those.

use super::forward::Evaluation;
use super::game::Learnable;
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

    fn describe(&self, mut each: impl FnMut(usize, f32)) {
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let my_pips = describe_side(mine, theirs, 0, &mut each);
        let their_pips = describe_side(theirs, mine, OF_SIDE, &mut each);
        match self.phase {
            Phase::Opening | Phase::Roll => each(DICE_AT + Roll::COUNT + 1, 1.0),
            Phase::Play(roll) | Phase::Rest(roll) => {
                each(DICE_AT + roll.index(), 1.0);
                if matches!(self.phase, Phase::Rest(_)) {
                    each(DICE_AT + Roll::COUNT, 1.0);
                }
                describe_sources(&self.position, roll, &mut each);
            }
        }
        if mine.highest() + theirs.highest() > POINTS {
            each(BOTH_AT, 1.0);
        }
        if their_pips != my_pips {
            each(BOTH_AT + 1, (their_pips - my_pips) / 50.0);
        }
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
    fn search(
        batch: &mut Batch<Self>,
        trees: &mut [Tree<Self>],
        evaluation: &mut Evaluation<'_, Self>,
        simulations: u32,
    ) -> usize {
        batch.search(trees, evaluation, simulations)
    }
}

/// Points whose numbers are looked for at a time.
const TOGETHER: usize = 8;

/// Of each count of checkers on a point, the numbers that are not 0, as bits.
const POINT_BITS: [u64; 16] = {
    let mut bits = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut count = 2;
    while count < 16 {
        bits[count] = if count < OF_POINT { (1 << count) - 2 } else { (1 << OF_POINT) - 2 };
        count += 1;
    }
    bits
};

/// Names one side's numbers, `first` being the place of the first of them, and returns its pips.
///
/// What is not 0 is found as bits before it is named: how many numbers a point has can hardly be foreseen, and a
/// processor that guessed wrong at each would lose more time than all else takes.
fn describe_side(side: Side, other: Side, first: usize, each: &mut impl FnMut(usize, f32)) -> f32 {
    let (occupied, made) = (side.occupied(), side.made() & ALL_POINTS);
    let count = |place: usize| usize::from(side.count(place));
    let mut pips = BAR * count(BAR);
    let mut words = [0; POINTS / TOGETHER];
    for point in bits(occupied & ALL_POINTS) {
        let (index, count) = (point - 1, count(point));
        pips += point * count;
        words[index / TOGETHER] |= POINT_BITS[count] << (index % TOGETHER * OF_POINT);
    }
    for (index, &word) in words.iter().enumerate() {
        for bit in bits_of(word) {
            let at = index * TOGETHER * OF_POINT + bit;
            let beyond = at % OF_POINT == OF_POINT - 1;
            each(first + at, if beyond { (count(at / OF_POINT + 1) as f32 - 5.0) / 5.0 } else { 1.0 });
        }
    }
    thresholds(count(BAR), OF_BAR - 1, first + BAR_AT, each);
    if count(BAR) >= OF_BAR {
        each(first + OFF_AT - 1, (count(BAR) as f32 - 3.0) / 3.0);
    }
    thresholds(count(OFF), OF_OFF, first + OFF_AT, each);
    each(first + HOME_AT + pattern(made, 1), 1.0);
    // The first point that the opponent's rearmost checker would come to by a one.
    each(first + BLOCKADE_AT + pattern(made, BAR + 1 - other.highest()), 1.0);
    let blots = occupied & !made & ALL_POINTS;
    if blots != 0 {
        let hitters = opposite(other.occupied() & !1);
        let shots = |pips: usize| blots & hitters << pips;
        let hit = (1..=FARTHEST).fold(0, |hit, pips| hit | u32::from(shots(pips) != 0) << pips);
        bits(hit).for_each(|pips| each(first + SHOTS_AT + pips - 1, shots(pips).count_ones() as f32));
    }
    if pips > 0 {
        each(first + PIPS_AT, pips as f32 / 100.0);
    }
    pips as f32
}

/// A one for each number, at most `most`, that a count reaches.
fn thresholds(count: usize, most: usize, first: usize, each: &mut impl FnMut(usize, f32)) {
    (0..count.min(most)).for_each(|place| each(first + place, 1.0));
}

/// Names what each die can do first.
fn describe_sources(position: &Position, roll: Roll, each: &mut impl FnMut(usize, f32)) {
    let theirs = position.theirs();
    let blots = opposite(theirs.occupied() & !theirs.made() & ALL_POINTS);
    let dice = [roll.high(), roll.low()];
    for (index, (die, playable)) in dice.into_iter().zip(position.sources(dice)).enumerate() {
        let first = SOURCES_AT + index * OF_DIE;
        bits(playable).for_each(|place| each(first + place - 1, 1.0));
        bits(playable & blots << die).for_each(|place| each(first + SOURCES + place - 1, 1.0));
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

/// The places of a mask from the lowest up.
#[inline]
fn bits(mask: u32) -> impl Iterator<Item = usize> {
    bits_of(mask.into())
}

/// The same of a longer one.
#[inline]
fn bits_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

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

// A side's numbers, in their order.
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

/// The numbers of every count of checkers on a point, on the bar, and off: quicker to copy than to work out.
const POINT_NUMBERS: [[f32; OF_POINT]; 16] = {
    let mut numbers = thresholds::<OF_POINT>(OF_POINT - 1);
    let mut count = 1;
    while count < 16 {
        numbers[count][0] = if count == 1 { 1.0 } else { 0.0 };
        numbers[count][OF_POINT - 1] = if count > 5 { (count as f32 - 5.0) / 5.0 } else { 0.0 };
        count += 1;
    }
    numbers
};
const BAR_NUMBERS: [[f32; OF_BAR]; 16] = {
    let mut numbers = thresholds::<OF_BAR>(OF_BAR - 1);
    let mut count = 4;
    while count < 16 {
        numbers[count][OF_BAR - 1] = (count as f32 - 3.0) / 3.0;
        count += 1;
    }
    numbers
};
const OFF_NUMBERS: [[f32; OF_OFF]; 16] = thresholds(OF_OFF);

/// For each count: as many ones, at most `most`, and zeros.
const fn thresholds<const N: usize>(most: usize) -> [[f32; N]; 16] {
    let mut numbers = [[0.0; N]; 16];
    let mut count = 0;
    while count < 16 {
        let mut least = 1;
        while least <= most && least <= count {
            numbers[count][least - 1] = 1.0;
            least += 1;
        }
        count += 1;
    }
    numbers
}

/// Bits of the points.
const ALL_POINTS: u32 = (1 << BAR) - 2;

/// The numbers of the player to move, those of the opponent, the dice, either die, both sides together.
///
/// Five heads: the chances to win, to win at least a gammon, to win a backgammon, to lose at least a gammon, to lose a
/// backgammon.
impl Learnable for State {
    const NAME: &'static str = "backgammon";
    const START: Self = Self::START;
    const INPUTS: usize = 2 * OF_SIDE + OF_DICE + 2 * OF_DIE + OF_BOTH;
    const HEADS: usize = 5;

    /// Good plays differ by some hundredths of a point where a game can be worth three: the weight of the priors has to
    /// be small not to drown that. Against GNU Backgammon, 100 simulations of one network won 43.2 % of 4,000 games of the
    /// same dice with a weight of 0.05, 45.2 % with 0.15, 44.1 % with 0.4 and 41.2 % with 1.0, and 43.3 % without search
    /// (±1.4); `untried` of 0 made it 45.6 %, of 0.15 43.4 %.
    fn puct() -> Puct {
        Puct { exploration: 0.15, untried: 0.05, ..Puct::default() }
    }

    fn encode(&self, row: &mut [f32]) {
        row.fill(0.0);
        let (sides, rest) = row.split_at_mut(2 * OF_SIDE);
        let (dice, rest) = rest.split_at_mut(OF_DICE);
        let (sources, both) = rest.split_at_mut(2 * OF_DIE);
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let (my_numbers, their_numbers) = sides.split_at_mut(OF_SIDE);
        let my_pips = encode_side(mine, theirs, my_numbers);
        let their_pips = encode_side(theirs, mine, their_numbers);
        match self.phase {
            Phase::Opening | Phase::Roll => dice[Roll::COUNT + 1] = 1.0,
            Phase::Play(roll) => encode_roll(&self.position, roll, dice, sources),
            Phase::Rest(roll) => {
                encode_roll(&self.position, roll, dice, sources);
                dice[Roll::COUNT] = 1.0;
            }
        }
        both[0] = f32::from(mine.highest() + theirs.highest() > POINTS);
        both[1] = (their_pips - my_pips) / 50.0;
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

/// Writes one side's numbers, and returns its pips.
fn encode_side(side: Side, other: Side, row: &mut [f32]) -> f32 {
    let (occupied, made) = (side.occupied(), side.made() & ALL_POINTS);
    let mut pips = BAR * usize::from(side.count(BAR));
    for point in bits(occupied & ALL_POINTS) {
        let count = usize::from(side.count(point));
        pips += point * count;
        row[(point - 1) * OF_POINT..][..OF_POINT].copy_from_slice(&POINT_NUMBERS[count]);
    }
    row[BAR_AT..][..OF_BAR].copy_from_slice(&BAR_NUMBERS[usize::from(side.count(BAR))]);
    row[OFF_AT..][..OF_OFF].copy_from_slice(&OFF_NUMBERS[usize::from(side.count(0))]);
    row[HOME_AT + pattern(made, 1)] = 1.0;
    // The first point that the opponent's rearmost checker would come to by a one.
    row[BLOCKADE_AT + pattern(made, BAR + 1 - other.highest())] = 1.0;
    let blots = occupied & !made & ALL_POINTS;
    if blots != 0 {
        let hitters = opposite(other.occupied() & !1);
        for (pips, shots) in (1..=FARTHEST).zip(&mut row[SHOTS_AT..]) {
            *shots = (blots & hitters << pips).count_ones() as f32;
        }
    }
    row[PIPS_AT] = pips as f32 / 100.0;
    pips as f32
}

/// Writes which roll it is, and what each die can do first.
fn encode_roll(position: &Position, roll: Roll, dice: &mut [f32], sources: &mut [f32]) {
    dice[roll.index()] = 1.0;
    let theirs = position.theirs();
    let blots = opposite(theirs.occupied() & !theirs.made() & ALL_POINTS);
    for (die, row) in [roll.high(), roll.low()].into_iter().zip(sources.chunks_exact_mut(OF_DIE)) {
        let playable = position.sources(die);
        let (moves, hits) = row.split_at_mut(SOURCES);
        bits(playable).for_each(|place| moves[place - 1] = 1.0);
        bits(playable & blots << die).for_each(|place| hits[place - 1] = 1.0);
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
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

//! Many games of two players at once.

use super::{Contest, Decision, Player, PlayerError, random};
use crate::chance::outcome;
use std::ops::Range;
use vivarium_kernels::rng::{self, Stream};
use vivarium_mcts::Status;

/// What the seed of a match is derived for.
const BEGINNINGS: u32 = 0;
const CHANCES: u32 = 1;
const CHOICES: u32 = 2;

/// Pairs of games between two players, all going on at once. Both games of a pair begin in the same state and have the
/// same luck: the nth outcome of chance, such as the nth roll of the dice, and the random number of the nth decision
/// are the same. In the first game of a pair the first player is player 0, in the second the other one.
///
/// A match is a function of its seed, its pairs and its players; so it can be split into ranges of pairs that are
/// played on several threads.
pub struct Match<G> {
    chances: u64,
    choices: u64,
    tables: Vec<Table<G>>,
}

/// One game.
struct Table<G> {
    state: G,
    pair: u32,
    /// Which player is the game's player 0.
    first: usize,
    /// Outcomes of chance and decisions so far.
    drawn: u32,
    decided: u32,
    /// The points of the first player, once it is over.
    points: Option<f32>,
}

impl<G: Contest> Match<G> {
    /// The pairs of these numbers. The same number is the same luck, whatever the range.
    pub fn new(seed: u64, pairs: Range<u32>) -> Self {
        let [beginnings, chances, choices] =
            [BEGINNINGS, CHANCES, CHOICES].map(|what| rng::derive(seed, what));
        let table = |pair, first| {
            let state = G::begin(&mut Stream::new(beginnings, pair));
            let mut table = Table { state, pair, first, drawn: 0, decided: 0, points: None };
            table.settle(chances);
            table
        };
        let tables = pairs.flat_map(|pair| [table(pair, 0), table(pair, 1)]).collect();
        Self { chances, choices, tables }
    }

    /// Lets each player make one decision in every game where it is that player's turn, and returns how many games go on.
    ///
    /// # Errors
    /// [`PlayerError`] of a player who cannot go on; the games are as they were before that player was asked.
    pub fn round(&mut self, mut players: [&mut dyn Player<G>; 2]) -> Result<usize, PlayerError> {
        for (number, player) in players.iter_mut().enumerate() {
            let turn = |table: &Table<G>| table.points.is_none() && table.on_move() == number;
            let asked: Vec<usize> = (0..self.tables.len()).filter(|&at| turn(&self.tables[at])).collect();
            let decision = |&at: &usize| {
                let Table { state, pair, decided, .. } = self.tables[at];
                Decision { state, random: random::draw(self.choices, pair, decided) }
            };
            let decisions: Vec<_> = asked.iter().map(decision).collect();
            if decisions.is_empty() {
                continue;
            }
            let chosen = player.choose(&decisions)?;
            check(&decisions, &chosen)?;
            for (at, branch) in asked.into_iter().zip(chosen) {
                let table = &mut self.tables[at];
                table.state = table.state.after(branch);
                table.decided += 1;
                table.settle(self.chances);
            }
        }
        Ok(self.tables.iter().filter(|table| table.points.is_none()).count())
    }

    /// Plays all games to their end.
    ///
    /// # Errors
    /// [`PlayerError`] of a player who cannot go on.
    pub fn play(&mut self, [first, second]: [&mut dyn Player<G>; 2]) -> Result<(), PlayerError> {
        while self.round([&mut *first, &mut *second])? > 0 {}
        Ok(())
    }

    /// The states of all games, the two of a pair side by side.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &G> {
        self.tables.iter().map(|table| &table.state)
    }

    /// The points that the first player won in the two games of each pair that is over.
    pub fn points(&self) -> Vec<[f32; 2]> {
        let pair = |pair: &[Table<G>]| Some([pair[0].points?, pair[1].points?]);
        self.tables.chunks_exact(2).filter_map(pair).collect()
    }
}

impl<G: Contest> Table<G> {
    /// Which of the two players of the match is to move.
    fn on_move(&self) -> usize {
        usize::from(self.state.player()) ^ self.first
    }

    /// Goes on to the next decision, or to the end.
    fn settle(&mut self, chances: u64) {
        loop {
            match self.state.status() {
                Status::Decision => return,
                Status::Over(value) => {
                    self.points = Some(if self.on_move() == 0 { value } else { -value });
                    return;
                }
                Status::Chance => {
                    let draw = rng::uniform(rng::block(chances, self.pair, self.drawn)[0]);
                    self.state = self.state.after(outcome(&self.state, &mut G::Scratch::default(), draw));
                    self.drawn += 1;
                }
            }
        }
    }
}

/// Makes sure that there is a legal answer to each decision.
fn check<G: Contest>(decisions: &[Decision<G>], chosen: &[usize]) -> Result<(), PlayerError> {
    if chosen.len() != decisions.len() {
        return Err(PlayerError::Answers { got: chosen.len(), asked: decisions.len() });
    }
    let mut scratch = G::Scratch::default();
    let mut branches = Vec::new();
    for (decision, &branch) in decisions.iter().zip(chosen) {
        branches.clear();
        decision.state.branches(&mut scratch, |branch, _| branches.push(branch));
        if !branches.contains(&branch) {
            let names: Vec<_> = branches.iter().map(usize::to_string).collect();
            return Err(PlayerError::Illegal { branch, allowed: names.join(", ") });
        }
    }
    Ok(())
}

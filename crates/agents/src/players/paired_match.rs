//! Paired matches between two players: many concurrent pairs of games, with the same dice and swapped seats.

use super::{Decision, MatchGame, Player, PlayerError};
use crate::chance::outcome;
use std::ops::Range;
use vivarium_kernels::rng::{self, Stream};
use vivarium_mcts::GameStatus;

/// Stream index for `rng::derive`, which derives the seed of all initial states from the match's seed.
const BEGINNINGS: u32 = 0;
/// Stream index for `rng::derive`, which derives the seed of chance outcomes, such as dice, from the match's seed.
const CHANCES: u32 = 1;
/// Stream index for `rng::derive`, which derives the seed of the players' random numbers from the match's seed.
const CHOICES: u32 = 2;

/// A match between two players in pairs of games, played concurrently. Both games of a pair have the same initial
/// state, the same nth chance outcome (such as a roll), and the same random number for the nth decision. The first
/// player of the match is player 0 in the first game of a pair and player 1 in the second.
///
/// A match is a function of its seed, its pairs and its players, so ranges of pairs can be played on several threads.
pub struct PairedMatch<G> {
    chance_seed: u64,
    choice_seed: u64,
    games: Vec<PairedGame<G>>,
}

/// One game of a match in progress.
struct PairedGame<G> {
    state: G,
    pair: u32,
    /// Player of the match (0 first, 1 second) who is player 0 in this game.
    first: usize,
    /// Number of chance outcomes drawn in this game so far, the index of the next random number.
    drawn: u32,
    /// Number of decisions made in this game so far, by both players together.
    decided: u32,
    /// Points of the match's first player in the finished game; `None` while the game is in progress.
    points: Option<f32>,
}

impl<G: MatchGame> PairedMatch<G> {
    /// Creates the pairs of games with the indices `pairs`. `seed` and the index alone determine the random numbers
    /// of a pair.
    pub fn new(seed: u64, pairs: Range<u32>) -> Self {
        let [start_seed, chance_seed, choice_seed] =
            [BEGINNINGS, CHANCES, CHOICES].map(|stream| rng::derive(seed, stream));
        let game = |pair, first| {
            let state = G::begin(&mut Stream::new(start_seed, pair));
            let mut game = PairedGame { state, pair, first, drawn: 0, decided: 0, points: None };
            game.settle(chance_seed);
            game
        };
        let games = pairs.flat_map(|pair| [game(pair, 0), game(pair, 1)]).collect();
        Self { chance_seed, choice_seed, games }
    }

    /// Makes one decision of the first player, and then one of the second player, in every game in which that player
    /// is to move. Returns the number of unfinished games.
    ///
    /// # Errors
    /// [`PlayerError`] if a player fails; the games in which that player is to move are unchanged then.
    pub fn round(&mut self, mut players: [&mut dyn Player<G>; 2]) -> Result<usize, PlayerError> {
        for (number, player) in players.iter_mut().enumerate() {
            let turn = |game: &PairedGame<G>| game.points.is_none() && game.on_move() == number;
            let pending: Vec<usize> = (0..self.games.len()).filter(|&at| turn(&self.games[at])).collect();
            let decision = |&at: &usize| {
                let PairedGame { state, pair, decided, .. } = self.games[at];
                Decision::new(state, self.choice_seed, pair, decided)
            };
            let decisions: Vec<_> = pending.iter().map(decision).collect();
            if decisions.is_empty() {
                continue;
            }
            let chosen = player.choose(&decisions)?;
            check(&decisions, &chosen)?;
            for (at, branch) in pending.into_iter().zip(chosen) {
                let game = &mut self.games[at];
                game.state = game.state.after(branch);
                game.decided += 1;
                game.settle(self.chance_seed);
            }
        }
        Ok(self.games.iter().filter(|game| game.points.is_none()).count())
    }

    /// Plays all games of the match to the end. The array holds the first and the second player.
    ///
    /// # Errors
    /// [`PlayerError`] if a player fails.
    pub fn play(&mut self, [first, second]: [&mut dyn Player<G>; 2]) -> Result<(), PlayerError> {
        while self.round([&mut *first, &mut *second])? > 0 {}
        Ok(())
    }

    /// Iterates over the current states of all games. The two games of a pair are adjacent.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &G> {
        self.games.iter().map(|game| &game.state)
    }

    /// Returns the points of the match's first player in both games of each finished pair.
    pub fn points(&self) -> Vec<[f32; 2]> {
        let pair = |pair: &[PairedGame<G>]| Some([pair[0].points?, pair[1].points?]);
        self.games.chunks_exact(2).filter_map(pair).collect()
    }
}

impl<G: MatchGame> PairedGame<G> {
    /// Returns which player of the match is to move: 0 for the first player, 1 for the second.
    fn on_move(&self) -> usize {
        usize::from(self.state.player()) ^ self.first
    }

    /// Samples and applies chance events, such as rolls, until a player has to decide or the game is over.
    /// `chance_seed` is the seed of the chance events.
    fn settle(&mut self, chance_seed: u64) {
        loop {
            match self.state.status() {
                GameStatus::Decision => return,
                GameStatus::Over(value) => {
                    self.points = Some(if self.on_move() == 0 { value } else { -value });
                    return;
                }
                GameStatus::Chance => {
                    let draw = rng::uniform(rng::block(chance_seed, self.pair, self.drawn)[0]);
                    self.state = self.state.after(outcome(&self.state, &mut G::Scratch::default(), draw));
                    self.drawn += 1;
                }
            }
        }
    }
}

/// Checks the result of [`Player::choose`]: one branch per decision, and each branch legal in the decision's state.
fn check<G: MatchGame>(decisions: &[Decision<G>], chosen: &[usize]) -> Result<(), PlayerError> {
    if chosen.len() != decisions.len() {
        return Err(PlayerError::Answers { got: chosen.len(), expected: decisions.len() });
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

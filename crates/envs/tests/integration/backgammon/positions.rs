//! Random backgammon positions for tests.

use vivarium_envs::backgammon::{BAR, CHECKERS, OFF, PLACES, Plays, Position, Roll};
use vivarium_kernels::rng::Stream;

/// Returns a random roll; all 36 ordered outcomes are equally likely.
pub fn roll(random: &mut Stream) -> Roll {
    let mut die = || random.below(6) as u8 + 1;
    Roll::new(die(), die()).unwrap()
}

/// Iterator over random positions: from random games, and constructed at random.
pub struct Positions {
    random: Stream,
    game: Position,
    plays: Plays,
}

impl Positions {
    pub fn new(seed: u64, stream: u32) -> Self {
        Self { random: Stream::new(seed, stream), game: Position::START, plays: Plays::new() }
    }

    pub fn next(&mut self) -> (Position, Roll) {
        let roll = roll(&mut self.random);
        let position = match self.random.below(4) {
            0 => self.scattered(24, 15),
            // Few points with many checkers: primes, and checkers behind the primes.
            1 => {
                let points = 2 + self.random.below(7) as usize;
                self.scattered(24, points)
            }
            // Most checkers are in the home board.
            2 => {
                let points = 1 + self.random.below(6) as usize;
                let highest = 6 + self.random.below(3) as usize;
                self.scattered(highest, points)
            }
            _ => self.played(roll),
        };
        (position, roll)
    }

    /// Returns the next position of a random game, in which the player on roll then makes a random play of `roll`.
    fn played(&mut self, roll: Roll) -> Position {
        if self.game.outcome().is_some() {
            self.game = Position::START;
        }
        let position = self.game;
        self.plays.generate(&position, roll);
        let choice = self.random.below(self.plays.len() as u32) as usize;
        self.game = self.plays[choice].after.mirrored();
        position
    }

    /// Returns a random position. The player on roll has checkers on up to `points` points, none above the point
    /// `highest`; the opponent has checkers on some of the other points.
    fn scattered(&mut self, highest: usize, points: usize) -> Position {
        loop {
            let mine = self.side(points, |point| point <= highest);
            let their_points = 1 + self.random.below(12) as usize;
            let theirs = self.side(their_points, |point| mine[25 - point] == 0);
            if let Ok(position) = Position::new(mine, theirs) {
                return position;
            }
        }
    }

    fn side(&mut self, points: usize, allowed: impl Fn(usize) -> bool) -> [u8; PLACES] {
        let mut open: Vec<_> = (1..=24).filter(|&point| allowed(point)).collect();
        self.random.shuffle(&mut open);
        open.truncate(points);
        if self.random.below(5) == 0 || open.is_empty() {
            open.push(BAR);
        }
        if self.random.below(2) == 0 {
            open.push(OFF);
        }
        let mut counts = [0; PLACES];
        for _ in 0..CHECKERS {
            counts[open[self.random.below(open.len() as u32) as usize]] += 1;
        }
        counts
    }
}

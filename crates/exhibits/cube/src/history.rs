//! The cube on the table, and the turns that it came by.

use super::puzzle::CubePuzzle;
use crate::protocol::{CubeActor, CubeMove};
use serde::{Deserialize, Serialize};
use vivarium_envs::cube::{Backtracking, CubeSize, FaceTurn, RandomWalk, TurnMetric, parse_turns};
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;

/// What scrambles are drawn for.
const SCRAMBLES: u32 = 161;

/// Turns of the history that are kept, and those that can be asked for at a time.
const MOST_TURNS: usize = 1000;

/// A cube and its history.
pub(super) struct CubeHistory<P> {
    seed: u64,
    /// Cubes that were put on this table.
    pub(super) cube: u32,
    /// Scrambles that were asked for.
    scrambles: u32,
    history: Vec<(FaceTurn, CubeActor)>,
    /// The states from before the first turn to after the last.
    states: Vec<P>,
    at: usize,
}

/// A table as it is written down: what was put on it, and what was turned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CubeHistoryRecord {
    cube: u32,
    scrambles: u32,
    first: String,
    history: Vec<CubeMove>,
    at: usize,
}

impl<P: CubePuzzle> CubeHistory<P> {
    /// With a solved cube.
    pub(super) fn new(seed: u64) -> Self {
        let seed = rng::derive(seed, SCRAMBLES);
        Self { seed, cube: 0, scrambles: 0, history: Vec::new(), states: vec![P::SOLVED], at: 0 }
    }

    /// The cube as it is now.
    pub(super) fn state(&self) -> P {
        self.states[self.at]
    }

    /// The states of the history up to now.
    pub(super) fn path(&self) -> &[P] {
        &self.states[..=self.at]
    }

    /// How many turns are made.
    pub(super) fn at(&self) -> u32 {
        self.at as u32
    }

    /// The history, as the page reads it.
    pub(super) fn history(&self) -> Vec<CubeMove> {
        self.history.iter().map(|&(turn, by)| CubeMove { turn: turn.to_string(), by }).collect()
    }

    /// Makes a turn. What was taken back is forgotten, and the oldest turn where there are too many.
    pub(super) fn turn(&mut self, turn: FaceTurn, by: CubeActor) {
        self.history.truncate(self.at);
        self.states.truncate(self.at + 1);
        self.states.push(self.state().after(turn));
        self.history.push((turn, by));
        self.at += 1;
        if self.at > MOST_TURNS {
            self.history.remove(0);
            self.states.remove(0);
            self.at -= 1;
        }
    }

    /// Goes to where so many turns of the history are made.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there are not as many.
    pub(super) fn step(&mut self, to: u32) -> Result<(), LabError> {
        if to as usize > self.history.len() {
            let allowed = format!("from 0 to {}, as many turns as the history has", self.history.len());
            return Err(LabError::invalid("to", to.to_string(), allowed));
        }
        self.at = to as usize;
        Ok(())
    }

    /// Puts another cube on the table.
    pub(super) fn put(&mut self, cube: P) {
        self.cube = self.cube.wrapping_add(1);
        self.history.clear();
        self.states = vec![cube];
        self.at = 0;
    }

    /// Makes so many random turns, or puts a random cube on the table.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for more turns than there may be, or none.
    pub(super) fn scramble(&mut self, moves: Option<u32>, most: u32) -> Result<(), LabError> {
        if let Some(moves) = moves.filter(|moves| !(1..=most).contains(moves)) {
            let allowed = format!("1 to {most} turns, or none for a cube in any state");
            return Err(LabError::invalid("moves", moves.to_string(), allowed));
        }
        let mut random = Stream::new(self.seed, self.scrambles);
        self.scrambles = self.scrambles.wrapping_add(1);
        match moves {
            None => self.put(P::any(&mut random)),
            Some(moves) => {
                let mut walk = RandomWalk::new(P::SIZE, TurnMetric::Quarter, Backtracking::Never);
                (0..moves).for_each(|_| self.turn(walk.next(&mut random).1, CubeActor::Scramble));
            }
        }
        Ok(())
    }

    pub(super) fn record(&self) -> CubeHistoryRecord {
        let (cube, scrambles, at) = (self.cube, self.scrambles, self.at);
        CubeHistoryRecord { cube, scrambles, first: self.states[0].written(), history: self.history(), at }
    }

    /// The table that was written down, by turning again.
    ///
    /// # Errors
    /// [`LabError`] saying what of it cannot be.
    pub(super) fn of_record(seed: u64, record: &CubeHistoryRecord) -> Result<Self, LabError> {
        if record.history.len() > MOST_TURNS {
            return Err(too_many(record.history.len()));
        }
        let mut table = Self::new(seed);
        table.put(cube_of(&record.first)?);
        for made in &record.history {
            table.turn(turn_of(&made.turn, P::SIZE)?, made.by);
        }
        table.step(record.at.try_into().unwrap_or(u32::MAX))?;
        (table.cube, table.scrambles) = (record.cube, record.scrambles);
        Ok(table)
    }
}

/// The cube of some stickers.
///
/// # Errors
/// [`LabError::Invalid`] saying what about it is impossible.
pub(super) fn cube_of<P: CubePuzzle>(stickers: &str) -> Result<P, LabError> {
    P::read(stickers).map_err(|error| {
        LabError::invalid("stickers", vivarium_lab::config::shorten(stickers), error.to_string())
    })
}

/// One turn as it is written.
///
/// # Errors
/// [`LabError::Invalid`] saying what is allowed.
pub(super) fn turn_of(text: &str, size: CubeSize) -> Result<FaceTurn, LabError> {
    match turns_of("turn", text, size)?[..] {
        [turn] => Ok(turn),
        _ => Err(LabError::invalid("turn", vivarium_lab::config::shorten(text), "one turn, such as R'")),
    }
}

/// Turns as they are written.
///
/// # Errors
/// [`LabError::Invalid`] naming the first that is none.
pub(super) fn turns_of(field: &str, text: &str, size: CubeSize) -> Result<Vec<FaceTurn>, LabError> {
    // A turn takes at most a few characters, so that nobody reads a book here.
    if text.len() > 16 * MOST_TURNS {
        return Err(too_many(text.len()));
    }
    let turns = parse_turns(text, size)
        .map_err(|error| LabError::invalid(field, vivarium_lab::config::shorten(text), error.to_string()))?;
    if turns.len() > MOST_TURNS { Err(too_many(turns.len())) } else { Ok(turns) }
}

fn too_many(count: usize) -> LabError {
    LabError::invalid("turns", count.to_string(), format!("at most {MOST_TURNS} turns at a time"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::cube::Cube2;

    #[test]
    fn a_long_history_forgets_its_beginning_and_stays_true() {
        let mut table = CubeHistory::<Cube2>::new(1);
        let turns = turns_of("turns", &"R U ".repeat(MOST_TURNS / 2), CubeSize::Two).unwrap();
        for &turn in turns.iter().chain(&turns[..3]) {
            table.turn(turn, CubeActor::Person);
        }
        assert_eq!((table.at(), table.history().len()), (1000, 1000));
        let replayed = table.history.iter().fold(table.states[0], |cube, &(turn, _)| cube.after(turn));
        assert_eq!(replayed, table.state());
        let record = table.record();
        assert_eq!(CubeHistory::<Cube2>::of_record(1, &record).unwrap().record(), record);
    }
}

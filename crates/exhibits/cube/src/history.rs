//! History of the interactive cube: states and turns, with undo and redo.

use super::puzzle::TableCube;
use crate::protocol::{CubeActor, CubeMove};
use serde::{Deserialize, Serialize};
use vivarium_envs::cube::{
    Backtracking, CubeAlgorithm, CubeOrientation, CubeSize, FaceTurn, FramedTurns, RandomWalk, TurnMetric,
};
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;

/// Constant that is combined with the run's seed to obtain the seed of the interactive cube's scrambles.
const SCRAMBLES: u32 = 161;

/// Maximum number of turns in the history, and in a command that applies several turns.
const MAX_TURNS: usize = 1000;

/// Undo and redo history of the interactive cube: the turns, and the cube state before and after each turn.
pub(super) struct CubeHistory<P> {
    seed: u64,
    /// Cube ID: number of times that the interactive cube was replaced other than by turns.
    pub(super) cube: u32,
    /// Number of scrambles so far, which selects the random stream of the next scramble.
    scrambles: u32,
    history: Vec<(FaceTurn, CubeActor)>,
    /// State of the cube at the start of the history, then the state after each turn of `history`.
    states: Vec<P>,
    at: usize,
}

/// Serialized history of the interactive cube: initial state and turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CubeHistoryRecord {
    cube: u32,
    scrambles: u32,
    first: String,
    history: Vec<CubeMove>,
    at: usize,
}

impl<P: TableCube> CubeHistory<P> {
    /// Creates the history of a solved cube without turns. The random turns of later scrambles depend on `seed`, the
    /// seed of the run.
    pub(super) fn new(seed: u64) -> Self {
        let seed = rng::derive(seed, SCRAMBLES);
        Self { seed, cube: 0, scrambles: 0, history: Vec::new(), states: vec![P::SOLVED], at: 0 }
    }

    /// Returns the current state of the interactive cube.
    pub(super) fn state(&self) -> P {
        self.states[self.at]
    }

    /// Returns the cube states from the start of the history to the current state. States after undone turns are not
    /// included.
    pub(super) fn path(&self) -> &[P] {
        &self.states[..=self.at]
    }

    /// Returns the number of turns of the history that are applied (not undone).
    pub(super) fn at(&self) -> u32 {
        self.at as u32
    }

    /// Returns all turns of the history, including undone turns, in the protocol's format.
    pub(super) fn history(&self) -> Vec<CubeMove> {
        self.history.iter().map(|&(turn, by)| CubeMove { turn: turn.to_string(), by }).collect()
    }

    /// Applies a turn to the cube and appends the turn to the history. `by` states who turned: user, scramble or
    /// solver. Discards undone turns, and the oldest turn if the history is full.
    pub(super) fn turn(&mut self, turn: FaceTurn, by: CubeActor) {
        self.history.truncate(self.at);
        self.states.truncate(self.at + 1);
        self.states.push(self.state().after(turn));
        self.history.push((turn, by));
        self.at += 1;
        if self.at > MAX_TURNS {
            self.history.remove(0);
            self.states.remove(0);
            self.at -= 1;
        }
    }

    /// Undoes or redoes turns of the cube until `to` turns of the history are applied.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the history has fewer than `to` turns.
    pub(super) fn step(&mut self, to: u32) -> Result<(), LabError> {
        if to as usize > self.history.len() {
            let allowed = format!("0 to {}, the length of the history", self.history.len());
            return Err(LabError::invalid("to", to.to_string(), allowed));
        }
        self.at = to as usize;
        Ok(())
    }

    /// Replaces the interactive cube by the state `cube`, and clears the history.
    pub(super) fn put(&mut self, cube: P) {
        self.cube = self.cube.wrapping_add(1);
        self.history.clear();
        self.states = vec![cube];
        self.at = 0;
    }

    /// Applies `moves` random turns (1 to `most`) to the cube, or replaces the cube by a random state if `moves` is
    /// `None`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if `moves` is 0 or greater than `most`.
    pub(super) fn scramble(&mut self, moves: Option<u32>, most: u32) -> Result<(), LabError> {
        if let Some(moves) = moves.filter(|moves| !(1..=most).contains(moves)) {
            let allowed = format!("1 to {most} turns, or none for a random state");
            return Err(LabError::invalid("moves", moves.to_string(), allowed));
        }
        let mut random = Stream::new(self.seed, self.scrambles);
        self.scrambles = self.scrambles.wrapping_add(1);
        match moves {
            None => self.put(P::random_state(&mut random)),
            Some(moves) => {
                let mut walk = RandomWalk::new(P::SIZE, TurnMetric::Quarter, Backtracking::Never);
                (0..moves).for_each(|_| self.turn(walk.next(&mut random).1, CubeActor::Scramble));
            }
        }
        Ok(())
    }

    pub(super) fn record(&self) -> CubeHistoryRecord {
        let (cube, scrambles, at) = (self.cube, self.scrambles, self.at);
        CubeHistoryRecord { cube, scrambles, first: self.states[0].letters(), history: self.history(), at }
    }

    /// Restores the history of the interactive cube from `record`, the history in a checkpoint, by applying its turns
    /// again. The random turns of later scrambles depend on `seed`, the seed of the run.
    ///
    /// # Errors
    /// [`LabError`] if the record is invalid.
    pub(super) fn from_record(seed: u64, record: &CubeHistoryRecord) -> Result<Self, LabError> {
        if record.history.len() > MAX_TURNS {
            return Err(too_many(record.history.len()));
        }
        let mut table = Self::new(seed);
        table.put(parse_cube(&record.first)?);
        for made in &record.history {
            table.turn(parse_turn(&made.turn, P::SIZE)?, made.by);
        }
        table.step(record.at.try_into().unwrap_or(u32::MAX))?;
        (table.cube, table.scrambles) = (record.cube, record.scrambles);
        Ok(table)
    }
}

/// Parses a cube from its sticker colors.
///
/// # Errors
/// [`LabError::Invalid`] if the text is malformed or the cube is impossible; the error states the reason.
pub(super) fn parse_cube<P: TableCube>(stickers: &str) -> Result<P, LabError> {
    P::parse(stickers).map_err(|error| {
        LabError::invalid("stickers", vivarium_lab::config::shorten(stickers), error.to_string())
    })
}

/// Parses a single face turn in standard notation, such as `R'`, for a cube of size `size`.
///
/// # Errors
/// [`LabError::Invalid`] if the text is not one turn that leaves the orientation of the whole cube as it is.
pub(super) fn parse_turn(text: &str, size: CubeSize) -> Result<FaceTurn, LabError> {
    let FramedTurns { turns, orientation } = parse_framed("turn", text, size)?;
    match turns[..] {
        [turn] if orientation == CubeOrientation::STANDARD => Ok(turn),
        _ => {
            let allowed = "one turn, such as R', that leaves the whole cube in place (2×2×2: U, R or F)";
            Err(LabError::invalid("turn", vivarium_lab::config::shorten(text), allowed))
        }
    }
}

/// Parses an algorithm, such as `R U2 [F, r]`. `field` is the name of the argument in errors. The cube stays in the
/// standard orientation: its state is that after the algorithm, and rotations of the whole cube are dropped.
///
/// # Errors
/// [`LabError::Invalid`] with the position of the first error.
pub(super) fn parse_turn_list(field: &str, text: &str, size: CubeSize) -> Result<Vec<FaceTurn>, LabError> {
    Ok(parse_framed(field, text, size)?.turns)
}

fn parse_framed(field: &str, text: &str, size: CubeSize) -> Result<FramedTurns, LabError> {
    // A turn takes a few characters; longer input is rejected before parsing.
    if text.len() > 16 * MAX_TURNS {
        return Err(too_many(text.len()));
    }
    let algorithm = CubeAlgorithm::parse(text, size)
        .map_err(|error| LabError::invalid(field, vivarium_lab::config::shorten(text), error.to_string()))?;
    let framed = algorithm.framed_turns();
    if framed.turns.len() > MAX_TURNS { Err(too_many(framed.turns.len())) } else { Ok(framed) }
}

fn too_many(count: usize) -> LabError {
    LabError::invalid("turns", count.to_string(), format!("at most {MAX_TURNS} turns"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::cube::{Cube2, CubePuzzle as _};

    #[test]
    fn a_full_history_drops_its_oldest_turns() {
        let mut table = CubeHistory::<Cube2>::new(1);
        let turns = parse_turn_list("turns", &"R U ".repeat(MAX_TURNS / 2), CubeSize::Two).unwrap();
        for &turn in turns.iter().chain(&turns[..3]) {
            table.turn(turn, CubeActor::Person);
        }
        assert_eq!((table.at(), table.history().len()), (1000, 1000));
        let replayed = table.history.iter().fold(table.states[0], |cube, &(turn, _)| cube.after(turn));
        assert_eq!(replayed, table.state());
        let record = table.record();
        assert_eq!(CubeHistory::<Cube2>::from_record(1, &record).unwrap().record(), record);
    }
}

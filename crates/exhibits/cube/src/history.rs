//! History of the interactive cube: states and turns, with undo and redo.

use super::puzzle::TableCube;
use crate::protocol::{CubeActor, CubeMove};
use serde::{Deserialize, Serialize};
use vivarium_envs::cube::{
    AlgorithmStage, Backtracking, CubeAlgorithm, CubeLayers, CubeNotationError, CubeOrientation, CubeSize,
    Face, FaceTurn, FramedTurns, LayerMove, RandomWalk, TurnMetric,
};
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;

/// Constant that is combined with the run's seed to obtain the seed of the interactive cube's scrambles.
const SCRAMBLES: u32 = 161;

/// Maximum number of moves in the history, and in a command that applies several moves.
const MAX_TURNS: usize = 1000;

/// Undo and redo history of the interactive cube: the moves as they were entered, and the cube before and after each move.
/// States have the standard orientation; the orientation in which the user holds the cube is separate.
pub(super) struct CubeHistory<P> {
    seed: u64,
    /// Cube ID: number of times that the interactive cube was replaced other than by turns.
    pub(super) cube: u32,
    /// Number of scrambles so far, which selects the random stream of the next scramble.
    scrambles: u32,
    history: Vec<MadeMove>,
    /// State of the cube at the start of the history, then the state after each move of `history`.
    states: Vec<P>,
    /// Orientation of the whole cube for each of `states`.
    orientations: Vec<CubeOrientation>,
    at: usize,
}

/// Move in the history.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MadeMove {
    /// Move of the layers that the user sees.
    layers: LayerMove,
    by: CubeActor,
    /// Name of the stage that ends with this move.
    stage: Option<String>,
}

/// Serialized history of the interactive cube: initial state and moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CubeHistoryRecord {
    cube: u32,
    scrambles: u32,
    first: String,
    /// Rotations from the standard orientation to the first orientation; `None` without rotations.
    #[serde(default)]
    held: Option<String>,
    history: Vec<CubeMove>,
    at: usize,
}

impl<P: TableCube> CubeHistory<P> {
    /// Creates the history of a solved cube without turns. The random turns of later scrambles depend on `seed`, the
    /// seed of the run.
    pub(super) fn new(seed: u64) -> Self {
        let seed = rng::derive(seed, SCRAMBLES);
        let (states, orientations) = (vec![P::SOLVED], vec![CubeOrientation::STANDARD]);
        Self { seed, cube: 0, scrambles: 0, history: Vec::new(), states, orientations, at: 0 }
    }

    /// Returns the current state of the interactive cube.
    pub(super) fn state(&self) -> P {
        self.states[self.at]
    }

    /// Returns the orientation in which the user holds the cube.
    pub(super) fn orientation(&self) -> CubeOrientation {
        self.orientations[self.at]
    }

    /// Returns the colors of the stickers that the user sees, as letters of `URFDLB`.
    pub(super) fn stickers(&self) -> String {
        self.orientation().seen(&self.state().faces()).iter().map(Face::to_string).collect()
    }

    /// Returns a turn of the cube in the standard orientation as the user sees it.
    pub(super) fn seen(&self, turn: FaceTurn) -> LayerMove {
        let position = self.orientation().position_of(turn.face());
        LayerMove::new(CubeLayers::Face(position), turn.quarters()).unwrap_or(turn.into())
    }

    /// Returns the cube states from the start of the history to the current state. States after undone moves are not
    /// included.
    pub(super) fn path(&self) -> &[P] {
        &self.states[..=self.at]
    }

    /// Returns the number of moves of the history that are applied (not undone).
    pub(super) fn at(&self) -> u32 {
        self.at as u32
    }

    /// Returns all moves of the history, including undone moves, in the protocol's format.
    pub(super) fn history(&self) -> Vec<CubeMove> {
        let made = |MadeMove { layers, by, stage }: &MadeMove| CubeMove {
            turn: layers.to_string(),
            by: *by,
            stage: stage.clone(),
        };
        self.history.iter().map(made).collect()
    }

    /// Applies a turn of the cube in the standard orientation, and appends the turn to the history as the user sees it.
    pub(super) fn turn(&mut self, turn: FaceTurn, by: CubeActor) {
        self.push(MadeMove { layers: self.seen(turn), by, stage: None });
    }

    /// Applies a move to the cube and appends the move to the history. Discards undone moves, and the oldest move if the
    /// history is full.
    pub(super) fn push(&mut self, made: MadeMove) {
        self.history.truncate(self.at);
        self.states.truncate(self.at + 1);
        self.orientations.truncate(self.at + 1);
        let mut framed = FramedTurns::starting_at(self.orientation());
        framed.extend(&[made.layers], P::SIZE);
        self.states.push(framed.turns.iter().fold(self.state(), |cube, &turn| cube.after(turn)));
        self.orientations.push(framed.orientation);
        self.history.push(made);
        self.at += 1;
        if self.at > MAX_TURNS {
            self.history.remove(0);
            self.states.remove(0);
            self.orientations.remove(0);
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

    /// Replaces the interactive cube by the state `cube` in the standard orientation, and clears the history.
    pub(super) fn put(&mut self, cube: P) {
        self.cube = self.cube.wrapping_add(1);
        self.history.clear();
        self.states = vec![cube];
        self.orientations = vec![CubeOrientation::STANDARD];
        self.at = 0;
    }

    /// Rotates the whole cube to the standard orientation and applies `moves` random turns (1 to `most`), or replaces the cube by a random state if `moves` is
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
                for layers in self.orientation().to_standard() {
                    self.push(MadeMove { layers, by: CubeActor::Scramble, stage: None });
                }
                let mut walk = RandomWalk::new(P::SIZE, TurnMetric::Quarter, Backtracking::Never);
                (0..moves).for_each(|_| self.turn(walk.next(&mut random).1, CubeActor::Scramble));
            }
        }
        Ok(())
    }

    pub(super) fn record(&self) -> CubeHistoryRecord {
        let (cube, scrambles, at) = (self.cube, self.scrambles, self.at);
        let first = self.states[0].letters();
        let rotations = self.orientations[0].rotations();
        let held = (!rotations.is_empty()).then(|| rotations.iter().map(LayerMove::to_string).collect());
        CubeHistoryRecord { cube, scrambles, first, held, history: self.history(), at }
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
        let held = record.held.as_deref().unwrap_or_default();
        table.orientations[0] = parse_framed("held", held, P::SIZE, CubeOrientation::STANDARD)?.orientation;
        for CubeMove { turn, by, stage } in &record.history {
            for made in parse_moves("turn", turn, P::SIZE, *by)? {
                table.push(MadeMove { stage: stage.clone(), ..made });
            }
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
    let FramedTurns { turns, orientation } = parse_framed("turn", text, size, CubeOrientation::STANDARD)?;
    match turns[..] {
        [turn] if orientation == CubeOrientation::STANDARD => Ok(turn),
        _ => {
            let allowed = "one turn, such as R', that leaves the whole cube in place (2×2×2: U, R or F)";
            Err(LabError::invalid("turn", vivarium_lab::config::shorten(text), allowed))
        }
    }
}

/// Parses an algorithm, such as `R U2 [F, r]`, and returns its moves by the originator `by`. The last move of a line has the
/// comment of the line as the name of its stage. `field` is the name of the argument in errors.
///
/// # Errors
/// [`LabError::Invalid`] with the position of the first error.
pub(super) fn parse_moves(
    field: &str,
    text: &str,
    size: CubeSize,
    by: CubeActor,
) -> Result<Vec<MadeMove>, LabError> {
    let mut moves = Vec::new();
    for AlgorithmStage { name, algorithm } in checked(field, text, |text| AlgorithmStage::parse(text, size))?
    {
        moves.extend(algorithm.moves().into_iter().map(|layers| MadeMove { layers, by, stage: None }));
        if let Some(last) = moves.last_mut() {
            last.stage = name;
        }
    }
    if moves.len() > MAX_TURNS { Err(too_many(moves.len())) } else { Ok(moves) }
}

/// Parses an algorithm and returns its turns relative to a cube in the standard orientation, which the user holds in
/// `orientation`.
///
/// # Errors
/// [`LabError::Invalid`] with the position of the first error.
pub(super) fn parse_framed(
    field: &str,
    text: &str,
    size: CubeSize,
    orientation: CubeOrientation,
) -> Result<FramedTurns, LabError> {
    let algorithm = checked(field, text, |text| CubeAlgorithm::parse(text, size))?;
    let mut framed = FramedTurns::starting_at(orientation);
    framed.extend(&algorithm.moves(), size);
    if framed.turns.len() > MAX_TURNS { Err(too_many(framed.turns.len())) } else { Ok(framed) }
}

/// Parses the argument `field` of a command with the function `parse`.
fn checked<T>(
    field: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, CubeNotationError>,
) -> Result<T, LabError> {
    // A move takes a few characters; longer input is rejected before parsing.
    if text.len() > 16 * MAX_TURNS {
        return Err(too_many(text.len()));
    }
    parse(text)
        .map_err(|error| LabError::invalid(field, vivarium_lab::config::shorten(text), error.to_string()))
}

fn too_many(count: usize) -> LabError {
    LabError::invalid("turns", count.to_string(), format!("at most {MAX_TURNS} turns"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::cube::{Cube2, Cube3, CubePuzzle as _};

    fn applied<P: TableCube>(table: &mut CubeHistory<P>, text: &str) {
        for made in parse_moves("turns", text, P::SIZE, CubeActor::Person).unwrap() {
            table.push(made);
        }
    }

    #[test]
    fn a_full_history_drops_its_oldest_moves() {
        let mut table = CubeHistory::<Cube2>::new(1);
        applied(&mut table, &"R x U ".repeat(MAX_TURNS / 3));
        applied(&mut table, "R x U F");
        assert_eq!((table.at(), table.history().len()), (1000, 1000));
        let record = table.record();
        let restored = CubeHistory::<Cube2>::from_record(1, &record).unwrap();
        assert_eq!(restored.record(), record);
        assert_eq!((restored.state(), restored.orientation()), (table.state(), table.orientation()));
    }

    #[test]
    fn moves_follow_the_orientation_in_which_the_user_holds_the_cube() {
        let mut parts = CubeHistory::<Cube3>::new(1);
        applied(&mut parts, "x2 y R U M' [R, U]");
        applied(&mut parts, "y r U M'");
        let mut whole = CubeHistory::<Cube3>::new(1);
        applied(&mut whole, "x2 y R U M' [R, U] y r U M'");
        assert_eq!(parts.stickers(), whole.stickers());
        assert_ne!(parts.orientation(), CubeOrientation::STANDARD);
        // Turns of a solver and of a scramble.
        let turn = FaceTurn::new(Face::R, 1).unwrap();
        let after = parts.state().after(turn);
        parts.turn(turn, CubeActor::Solver);
        assert_eq!(parts.state(), after);
        parts.scramble(Some(3), 30).unwrap();
        assert_eq!(parts.orientation(), CubeOrientation::STANDARD);
        parts.put(Cube3::SOLVED);
        assert_eq!(parts.stickers(), Cube3::SOLVED.letters());
    }

    #[test]
    fn the_history_has_the_moves_as_entered() {
        let mut table = CubeHistory::<Cube3>::new(1);
        applied(&mut table, "x2 // inspection\n[R U: [M', U2]]\nR3 U2' f 3Rw // end");
        let history = table.history();
        let text = |made: &CubeMove| made.turn.clone();
        assert_eq!(
            history.iter().map(text).collect::<Vec<_>>().join(" "),
            "x2 R U M' U2 M U2 U' R' R' U2 Fw x"
        );
        let stages: Vec<_> = history.iter().filter_map(|made| made.stage.as_deref()).collect();
        assert_eq!((stages, history[0].stage.is_some()), (vec!["inspection", "end"], true));
        let record = table.record();
        assert_eq!(CubeHistory::<Cube3>::from_record(1, &record).unwrap().record(), record);
    }
}

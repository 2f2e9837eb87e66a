//! The interactive cube and its solvers.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// JSON document `cube`: state, history and move values of the interactive cube, and the progress of solving the cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeTable {
    /// Identifier of the interactive cube: number of times that the cube was replaced other than by turns. Each
    /// replacement starts a new history.
    pub cube: u32,
    /// Colors of the stickers that the user sees, as letters of `URFDLB`, face by face (U, R, F, D, L, B) and row by row
    /// within a face. Moves such as `x` rotate the whole cube.
    pub stickers: String,
    /// Whether the interactive cube is solved.
    pub solved: bool,
    /// Distance of the cube from the solved state in quarter turns; `None` for the 3×3×3 cube, whose distances are not
    /// computed.
    pub distance: Option<u32>,
    /// Moves applied to the cube, oldest first, including undone moves. Limited to the last 1,000.
    pub history: Vec<CubeMove>,
    /// Number of moves of `history` that are applied; less than the length of `history` after an undo.
    pub at: u32,
    /// The network's value of each move, in the order of the network's outputs.
    pub values: Vec<CubeValue>,
    /// Network that computes the values and the greedy solution.
    pub player: CubePlayer,
    /// Number of gradient steps of the network `player`; 0 for an opened network.
    pub updates: u64,
    /// Current or last solution; `None` after a turn or a replacement of the cube.
    pub solving: Option<CubeSolving>,
    /// Playback delay of a solution, in seconds per move; `None` waits for
    /// [`CubeCommand::MoveNow`](super::CubeCommand::MoveNow).
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub pace: Option<f32>,
}

/// Move in the history of the interactive cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeMove {
    /// Move in standard notation, such as `R'`, `Rw`, `M` or `x`, of the layers that the user sees.
    pub turn: String,
    /// Originator of the move: user, scramble or solver.
    pub by: CubeActor,
    /// Name of the stage of an algorithm that ends with this move; omitted if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub stage: Option<String>,
}

/// Originator of a turn of the interactive cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubeActor {
    /// The user, who turned a face of the cube.
    #[default]
    Person,
    /// A scramble: random turns of the scramble command, or turns that the user set up as a scramble.
    Scramble,
    /// The solver that the user started, which turned a face.
    Solver,
}

/// The network's value of one move of the interactive cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeValue {
    /// Move in standard notation, such as `R'`, of the face that the user sees.
    pub turn: String,
    /// Value of the move according to the network, in the unit of
    /// [`CubeInfo::value_unit`](super::CubeInfo::value_unit).
    pub value: f32,
    /// Whether this move has the highest value of all moves (greedy move).
    pub best: bool,
    /// Whether an optimal solution starts with this move; `None` for the 3×3×3 cube.
    pub optimal: Option<bool>,
}

/// Network that computes the move values of the interactive cube and solves the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubePlayer {
    /// The network in training, with its newest weights.
    #[default]
    Newest,
    /// The network that the user has opened from a file.
    Opened,
}

/// Solver that the user can start for the interactive cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CubeSolver {
    /// Solver that follows the network's greedy policy. Gives up when a cube state recurs.
    Greedy,
    /// Beam search with the policy network (3×3×3 only).
    Beam {
        /// Beam width: 1 to the largest of [`CubeInfo::beams`](super::CubeInfo::beams).
        width: u32,
    },
    /// Optimal solver in quarter turns, based on the distance table (2×2×2).
    Exact,
    /// Optimal solver in half turns, based on a distance table (2×2×2).
    ExactHalf,
    /// Two-phase algorithm (3×3×3), which is not part of the experiment; see
    /// [`CubeCommand::PlaySolution`](super::CubeCommand::PlaySolution).
    TwoPhase,
}

/// Fields of a [`CubeSolver`] before validation. The deserializer is written by hand because the derived one for tagged
/// enums makes the wasm module larger.
#[derive(Deserialize)]
struct CubeSolverFields {
    kind: String,
    width: Option<u32>,
}

impl<'de> Deserialize<'de> for CubeSolver {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let CubeSolverFields { kind, width } = CubeSolverFields::deserialize(from)?;
        match (kind.as_str(), width) {
            ("greedy", _) => Ok(Self::Greedy),
            ("exact", _) => Ok(Self::Exact),
            ("exact_half", _) => Ok(Self::ExactHalf),
            ("two_phase", _) => Ok(Self::TwoPhase),
            ("beam", Some(width)) => Ok(Self::Beam { width }),
            ("beam", None) => Err(D::Error::missing_field("width")),
            (other, _) => {
                Err(D::Error::unknown_variant(other, &["greedy", "beam", "exact", "exact_half", "two_phase"]))
            }
        }
    }
}

/// Progress of solving the interactive cube: search for a solution, then playback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeSolving {
    /// Solver that computes the solution.
    pub by: CubeSolver,
    /// Status of solving: search, playback of the solution, or end.
    pub status: CubeStatus,
    /// Number of cube states that the solver has evaluated with the network so far.
    pub evaluated: u64,
    /// Beam search: depth that the search has reached, in moves. Other solvers: number of moves found so far.
    pub ahead: u32,
    /// Moves of the solution, of the faces that the user sees; empty until a solution is found. If the solver gave up, the
    /// moves that the solver had found.
    pub solution: Vec<String>,
    /// Number of moves of the solution that are already applied to the cube.
    pub made: u32,
    /// Length of an optimal solution, in quarter turns, of the state in which solving started; `None` for the 3×3×3
    /// cube.
    pub optimal: Option<u32>,
    /// Reason why the solver gave up, as a sentence; `None` if the solver did not give up.
    pub why: Option<String>,
}

/// Status of the task of solving the interactive cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubeStatus {
    /// The solver is searching for a solution.
    Searching,
    /// The moves of the solution are being applied to the cube one by one.
    Playing,
    /// The cube is solved: all moves of the solution are applied.
    Solved,
    /// The solver found no solution; see [`CubeSolving::why`].
    GaveUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_round_trip_through_json() {
        let beam = CubeSolver::Beam { width: 7 };
        for solver in
            [CubeSolver::Greedy, beam, CubeSolver::Exact, CubeSolver::ExactHalf, CubeSolver::TwoPhase]
        {
            let sent = serde_json::to_string(&solver).unwrap();
            assert_eq!(serde_json::from_str::<CubeSolver>(&sent).unwrap(), solver, "{sent}");
        }
        for (sent, part) in
            [(r#"{"kind": "beam"}"#, "width"), (r#"{"kind": "luck"}"#, "exact"), ("{}", "kind")]
        {
            let error = serde_json::from_str::<CubeSolver>(sent).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}

//! The cube on the table, and how it is solved.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// The document `cube`: all that there is to see of the cube on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeTable {
    /// Counts the cubes that were put on this table by other means than a turn: with another one the history is another.
    pub cube: u32,
    /// Its stickers, one of `URFDLB` each.
    pub stickers: String,
    /// Whether each face is of one color.
    pub solved: bool,
    /// The fewest quarter turns that solve it; `None` for the cube of 3×3×3, of which nobody knows.
    pub distance: Option<u32>,
    /// The turns so far, the oldest first, those that were taken back among them. At most 1,000: the oldest are forgotten.
    pub history: Vec<CubeMove>,
    /// How many turns of the history are made: less than all of them where some were taken back.
    pub at: u32,
    /// What the network thinks of each of its moves, in the order of its values.
    pub values: Vec<CubeValue>,
    /// Whose values these are, and who moves where the network solves.
    pub player: CubePlayer,
    /// Gradient steps of that network; 0 for one that was opened.
    pub updates: u64,
    /// How it is being solved, or was at last; `None` once it was turned or another one was put on the table.
    pub solving: Option<CubeSolving>,
    /// Seconds between two moves of a solution; `None`: each waits for [`Command::MoveNow`](crate::protocol::Command::MoveNow).
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub pace: Option<f32>,
}

/// A turn that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeMove {
    /// Such as `R'`.
    pub turn: String,
    /// Who made it.
    pub by: CubeActor,
}

/// Who turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubeActor {
    /// A person.
    Person,
    /// Chance, as it was asked for.
    Scramble,
    /// Whoever solves.
    Solver,
}

/// What the network thinks of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeValue {
    /// Such as `R'`.
    pub turn: String,
    /// In the unit of [`CubeInfo::value_unit`](crate::info::CubeInfo::value_unit).
    pub value: f32,
    /// Whether it is the move that the network makes here.
    pub best: bool,
    /// Whether no other leads to the solved state sooner; `None` for the cube of 3×3×3.
    pub optimal: Option<bool>,
}

/// Which network looks at the cube on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubePlayer {
    /// The one that is learning.
    #[default]
    Newest,
    /// The one of a file that was opened by [`Command::OpenPlayer`](crate::protocol::Command::OpenPlayer).
    OpenedNetwork,
}

/// Who solves the cube on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CubeSolver {
    /// The network makes the move that it finds best, again and again. Where it comes back to where it was, it gives up.
    Greedy,
    /// A search along the likeliest moves. Of the cube of 3×3×3.
    Beam {
        /// Ways that are followed side by side: 1 up to the largest of [`CubeInfo::beams`](crate::info::CubeInfo::beams).
        width: u32,
    },
    /// The solver that knows all states, for comparison: a shortest way. Of the cube of 2×2×2.
    Exact,
}

/// A solver as it arrives, written out for the same reason as a player of games is.
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
            ("beam", Some(width)) => Ok(Self::Beam { width }),
            ("beam", None) => Err(D::Error::missing_field("width")),
            (other, _) => Err(D::Error::unknown_variant(other, &["greedy", "beam", "exact"])),
        }
    }
}

/// How the cube on the table is being solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeSolving {
    /// Who does.
    pub by: CubeSolver,
    /// How it stands.
    pub status: CubeStatus,
    /// States that were evaluated so far.
    pub evaluated: u64,
    /// Moves that a search has looked ahead, or that the network has thought of so far.
    pub ahead: u32,
    /// What is to be done: empty before it is known. Of a network that does not solve it, its moves until it gives up.
    pub solution: Vec<String>,
    /// How many moves of it are made.
    pub made: u32,
    /// The fewest moves that solve it from where this began, in quarter turns; `None` for the cube of 3×3×3.
    pub optimal: Option<u32>,
    /// Why it gave up, as a sentence; `None` where it did not.
    pub why: Option<String>,
}

/// How the solving stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CubeStatus {
    /// Looking for what to do.
    Searching,
    /// Making its moves.
    Playing,
    /// The cube is solved.
    Solved,
    /// It does not know any further, as [`CubeSolving::why`] says.
    GaveUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_arrives_as_it_was_sent() {
        for solver in [CubeSolver::Greedy, CubeSolver::Beam { width: 7 }, CubeSolver::Exact] {
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

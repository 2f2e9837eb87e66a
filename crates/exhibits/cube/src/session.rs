//! The interactive cube: move values of the selected network, and solving.

use super::engines::CubeEngines;
use super::history::{CubeHistory, CubeHistoryRecord, parse_cube, parse_framed, parse_moves, parse_turn};
use super::learner::CubeLearner;
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::policy::CubePolicy;
use super::puzzle::TableCube as _;
use super::solve_task::SolveTask;
use crate::protocol::{CubeActor, CubeSolver, CubeTable, CubeValue};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_envs::cube::{CubePuzzle as _, FaceTurn};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::train::SliceError;

/// Minimum time in seconds between two updates of the stored copy of the network in training, with which the move
/// values are computed.
const REFRESH_SECONDS: f32 = 0.25;

/// Maximum length, in moves, of the network's greedy path that the map of all states shows.
const MAX_AHEAD: usize = 40;

/// Default playback delay of a solution, in seconds per move.
const DEFAULT_PACE: f32 = 0.5;

/// The interactive cube, the network's value of each move in its current state, and the current solution.
pub(super) struct CubeSession<L: CubeLearner> {
    table: CubeHistory<L::Cube>,
    solving: Option<SolveTask<L>>,
    pace: Option<f32>,
    move_values: Option<CubeMoveValues<L>>,
    /// Seconds since the copy of the network in training was last updated.
    since: f32,
    /// States on the network's greedy path from the current state of the cube; `None` if not computed.
    ahead: Option<Vec<L::Cube>>,
    /// Version of the JSON document `cube` (interactive cube); increases when the document changes.
    pub(super) version: u32,
}

/// The network's value of each move in one state of the cube.
struct CubeMoveValues<L: CubeLearner> {
    cube: L::Cube,
    snapshot: CubeNetworkSnapshot<L::Policy>,
    /// Value of each move, in the order of the network's outputs.
    values: Vec<f32>,
}

/// Data of the interactive cube in a checkpoint: history of its turns, and playback delay of solutions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedState {
    table: CubeHistoryRecord,
    pace: Option<f32>,
}

impl<L: CubeLearner> CubeSession<L> {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            table: CubeHistory::new(seed),
            solving: None,
            pace: Some(DEFAULT_PACE),
            move_values: None,
            since: REFRESH_SECONDS,
            ahead: None,
            version: 0,
        }
    }

    pub(super) fn saved_state(&self) -> SavedState {
        SavedState { table: self.table.record(), pace: self.pace }
    }

    /// Restores the interactive cube from a checkpoint. `seed` is the seed of the run.
    ///
    /// # Errors
    /// [`LabError`] if the saved state is invalid.
    pub(super) fn restore(seed: u64, saved: &SavedState) -> Result<Self, LabError> {
        let table = CubeHistory::from_record(seed, &saved.table)?;
        Ok(Self { table, pace: network_file::check_pace(saved.pace)?, ..Self::new(seed) })
    }

    /// Returns two lists of cube states: the states in the history of the interactive cube up to the current state, and
    /// the states on the network's greedy path from the current state.
    pub(super) fn paths(&self) -> (&[L::Cube], &[L::Cube]) {
        (self.table.path(), self.ahead.as_deref().unwrap_or_default())
    }

    /// Returns at most `most` of the cube states in the beam of the current search, most likely first; empty if no beam
    /// search is in progress.
    pub(super) fn beam(&self, most: usize) -> Vec<L::Cube> {
        self.solving.as_ref().map_or(Vec::new(), |solving| solving.beam(most))
    }

    /// Returns whether a search for a solution is in progress.
    pub(super) fn is_searching(&self) -> bool {
        self.solving.as_ref().is_some_and(SolveTask::is_searching)
    }

    /// Advances the search for a solution by a bounded amount of work.
    ///
    /// # Errors
    /// The same errors as [`SolveTask::advance_search`].
    pub(super) fn advance_search(&mut self, engines: &CubeEngines<'_>) -> Result<(), SliceError> {
        if let Some(solving) = &mut self.solving
            && solving.advance_search(engines)?
        {
            self.changed();
        }
        Ok(())
    }

    /// Advances the playback of the solution by `passed` seconds: applies the moves that are due. Then updates the
    /// network's move values if the state or the weights have changed. Computes the network's greedy path if `ahead` is
    /// set.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        networks: &mut CubeNetworks<L>,
        learner: &L,
        passed: f32,
        ahead: bool,
    ) -> Result<(), LabError> {
        let due = self.solving.as_mut().map_or(Vec::new(), |solving| solving.due(passed, self.pace));
        self.apply_turns(&due);
        self.since += passed;
        let state = self.table.state();
        let is_fresh = |move_values: &CubeMoveValues<L>| {
            move_values.cube == state
                && Arc::ptr_eq(&move_values.snapshot.network, &networks.selected().network)
        };
        let is_current = self.move_values.as_ref().is_some_and(is_fresh) && (!ahead || self.ahead.is_some());
        let is_outdated = networks.is_outdated(learner) && self.since >= REFRESH_SECONDS;
        if is_current && !is_outdated {
            return Ok(());
        }
        // A turn alone does not cause a new copy of the network if the last copy is recent.
        let snapshot = if self.since >= REFRESH_SECONDS {
            self.since = 0.0;
            networks.refresh(learner)?
        } else {
            networks.selected()
        };
        let values = snapshot.network.values(cpu, state);
        self.ahead = ahead.then(|| follow::<L>(cpu, &snapshot.network, state, &values));
        self.move_values = Some(CubeMoveValues { cube: state, snapshot, values });
        self.changed();
        Ok(())
    }

    /// Applies turns of a solver.
    fn apply_turns(&mut self, turns: &[FaceTurn]) {
        turns.iter().for_each(|&turn| self.table.turn(turn, CubeActor::Solver));
        if !turns.is_empty() {
            self.changed();
        }
    }

    /// Increases the version of the JSON document `cube`, so that the next frame sends the document.
    pub(super) fn changed(&mut self) {
        self.version = self.version.wrapping_add(1);
    }

    /// Stops the search for a solution or the playback of its moves, and drops the solution.
    fn interrupt(&mut self) {
        self.solving = None;
        self.changed();
    }

    pub(super) fn turn(&mut self, turn: &str) -> Result<(), LabError> {
        let turn = parse_turn(turn, L::Cube::SIZE)?;
        self.apply(&turn.to_string(), CubeActor::Person)
    }

    pub(super) fn apply(&mut self, turns: &str, by: CubeActor) -> Result<(), LabError> {
        let moves = parse_moves("turns", turns, L::Cube::SIZE, by)?;
        self.interrupt();
        moves.into_iter().for_each(|made| self.table.push(made));
        Ok(())
    }

    pub(super) fn step(&mut self, to: u32) -> Result<(), LabError> {
        self.table.step(to)?;
        self.interrupt();
        Ok(())
    }

    pub(super) fn scramble(&mut self, moves: Option<u32>) -> Result<(), LabError> {
        self.table.scramble(moves, L::info().largest_scramble)?;
        self.interrupt();
        Ok(())
    }

    pub(super) fn set(&mut self, stickers: &str) -> Result<(), LabError> {
        self.table.put(parse_cube(stickers)?);
        self.interrupt();
        Ok(())
    }

    pub(super) fn reset(&mut self) {
        self.table.put(L::Cube::SOLVED);
        self.interrupt();
    }

    pub(super) fn solve(
        &mut self,
        by: CubeSolver,
        networks: &mut CubeNetworks<L>,
        learner: &L,
    ) -> Result<(), LabError> {
        let snapshot = networks.refresh(learner)?;
        self.solving = Some(SolveTask::new(by, self.table.state(), &snapshot)?);
        self.changed();
        Ok(())
    }

    /// Starts the playback of a solution of the two-phase solver.
    pub(super) fn play_solution(&mut self, turns: &str) -> Result<(), LabError> {
        let framed = parse_framed("turns", turns, L::Cube::SIZE, self.table.orientation())?;
        self.solving = Some(SolveTask::play(CubeSolver::TwoPhase, self.table.state(), framed.turns)?);
        self.changed();
        Ok(())
    }

    pub(super) fn stop(&mut self) {
        self.interrupt();
    }

    /// Applies the next move of the solution to the cube, without the playback delay.
    pub(super) fn move_now(&mut self) -> Result<(), LabError> {
        let Some(turn) = self.solving.as_mut().and_then(SolveTask::next) else {
            let allowed = "there is no solution whose moves are being made";
            return Err(LabError::invalid("command", "move_now", allowed));
        };
        self.apply_turns(&[turn]);
        Ok(())
    }

    pub(super) fn set_pace(&mut self, seconds: Option<f32>) -> Result<(), LabError> {
        self.pace = network_file::check_pace(seconds)?;
        self.changed();
        Ok(())
    }

    pub(super) fn document(&self, networks: &CubeNetworks<L>) -> CubeTable {
        let state = self.table.state();
        let distance = state.distance();
        let (mut values, mut updates) = (Vec::new(), 0);
        if let Some(move_values) = self.move_values.as_ref().filter(|move_values| move_values.cube == state) {
            let best = L::Policy::best(&move_values.values);
            let value = |(at, (&value, &turn)): (usize, (&f32, &FaceTurn))| CubeValue {
                turn: self.table.seen(turn).to_string(),
                value,
                best: at == best,
                optimal: distance
                    .map(|distance| state.after(turn).distance().is_some_and(|after| after < distance)),
            };
            let numbers = move_values.values.iter().zip(move_values.snapshot.network.turns());
            values = numbers.enumerate().map(value).collect();
            updates = move_values.snapshot.updates;
        }
        CubeTable {
            cube: self.table.cube,
            stickers: self.table.stickers(),
            solved: state.is_solved(),
            distance,
            history: self.table.history(),
            at: self.table.at(),
            values,
            player: networks.player(),
            updates,
            solving: self.solving.as_ref().map(|solving| solving.document(|turn| self.table.seen(turn))),
            pace: self.pace,
        }
    }
}

/// Returns the cube states on the network's greedy path that starts in state `from`, without `from`. `values` holds the
/// network's value of each move in `from`. The path ends when the cube is solved, a state recurs, or [`MAX_AHEAD`]
/// moves are reached.
fn follow<L: CubeLearner>(cpu: &Cpu, network: &L::Policy, from: L::Cube, values: &[f32]) -> Vec<L::Cube> {
    let mut visited = vec![from];
    let mut best = L::Policy::best(values);
    while visited.len() <= MAX_AHEAD && !visited[visited.len() - 1].is_solved() {
        let after = visited[visited.len() - 1].after(network.turns()[best]);
        if visited.contains(&after) {
            break;
        }
        visited.push(after);
        best = L::Policy::best(&network.values(cpu, after));
    }
    visited.split_off(1)
}

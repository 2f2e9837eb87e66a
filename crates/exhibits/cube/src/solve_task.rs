//! Solving the interactive cube: first a search for a solution, then playback of its moves.

use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::networks::CubeNetworkSnapshot;
use super::policy::CubePolicy;
use super::puzzle::TableCube as _;
use crate::protocol::{CubeSolver, CubeSolving, CubeStatus};
use std::sync::Arc;
use vivarium_envs::cube::{CubePuzzle as _, FaceTurn, LayerMove, TurnMetric};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;

/// Maximum number of moves that the greedy solver computes before it gives up.
const MAX_MOVES: usize = 200;
/// Number of greedy moves that one call of [`SolveTask::advance_search`] computes.
const SLICE: usize = 8;

/// Task of solving the interactive cube: first a search for a solution, then playback of its moves.
pub(super) struct SolveTask<L: CubeLearner> {
    by: CubeSolver,
    status: CubeStatus,
    search_state: Option<SolveSearch<L>>,
    evaluated: u64,
    ahead: u32,
    solution: Vec<FaceTurn>,
    made: usize,
    optimal: Option<u32>,
    /// Reason why the solver gave up, as a sentence; `None` if the solver did not give up.
    why: Option<String>,
    /// Seconds of playback since the last move was applied to the cube.
    waited: f32,
}

/// Search for a solution of the interactive cube, in progress.
enum SolveSearch<L: CubeLearner> {
    /// Greedy policy in progress: the network, and the cube states visited so far.
    Greedy(Arc<L::Policy>, Vec<L::Cube>),
    /// Beam search in progress: the network, and the state of the search.
    Beam(Arc<L::Policy>, <L::Policy as CubePolicy>::Search),
}

impl<L: CubeLearner> SolveTask<L> {
    /// Starts the task of solving the cube in state `cube` with the solver `by`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the cube is solved or the solver does not support this cube.
    pub(super) fn new(
        by: CubeSolver,
        cube: L::Cube,
        snapshot: &CubeNetworkSnapshot<L::Policy>,
    ) -> Result<Self, LabError> {
        let refuse = |what: &str, allowed: String| Err(LabError::invalid("by", what, allowed));
        if cube.is_solved() {
            return refuse("solve", "the cube is solved; scramble it first".into());
        }
        let search = match by {
            CubeSolver::Greedy => SolveSearch::Greedy(snapshot.network.clone(), vec![cube]),
            CubeSolver::Exact | CubeSolver::ExactHalf => {
                let metric = if by == CubeSolver::Exact { TurnMetric::Quarter } else { TurnMetric::Half };
                match cube.solution(metric) {
                    Some(turns) => return Self::play(by, cube, turns),
                    None => {
                        let allowed = format!("optimal solutions of {} are not available", L::TITLE);
                        return refuse("exact", allowed);
                    }
                }
            }
            CubeSolver::TwoPhase => return refuse("two_phase", "use the command play_solution".into()),
            CubeSolver::Beam { width } => {
                let widest = L::info().beams.iter().copied().max();
                let Some(widest) = widest else {
                    return refuse("beam", format!("{} has no beam search", L::TITLE));
                };
                match snapshot.network.search(cube, width).filter(|_| (1..=widest).contains(&width)) {
                    Some(search) => SolveSearch::Beam(snapshot.network.clone(), search),
                    None => {
                        let allowed = format!("1 to {widest}");
                        return Err(LabError::invalid("by.width", width.to_string(), allowed));
                    }
                }
            }
        };
        Ok(Self::create(by, cube, Some(search), Vec::new()))
    }

    /// Starts the playback of `solution`, a solution of `cube` by the solver `by`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the cube is solved, or if the turns do not solve the cube.
    pub(super) fn play(by: CubeSolver, cube: L::Cube, solution: Vec<FaceTurn>) -> Result<Self, LabError> {
        let solves = solution.iter().fold(cube, |cube, &turn| cube.after(turn)).is_solved();
        if cube.is_solved() || !solves {
            return Err(LabError::invalid(
                "turns",
                "solution",
                "turns that solve the cube, which is scrambled",
            ));
        }
        Ok(Self::create(by, cube, None, solution))
    }

    fn create(
        by: CubeSolver,
        cube: L::Cube,
        search_state: Option<SolveSearch<L>>,
        solution: Vec<FaceTurn>,
    ) -> Self {
        Self {
            by,
            status: if search_state.is_some() { CubeStatus::Searching } else { CubeStatus::Playing },
            search_state,
            evaluated: 0,
            ahead: solution.len() as u32,
            solution,
            made: 0,
            optimal: cube.distance(),
            why: None,
            waited: 0.0,
        }
    }

    /// Returns whether the search for a solution is in progress.
    pub(super) fn is_searching(&self) -> bool {
        self.search_state.is_some()
    }

    /// Advances the search for a solution by a bounded amount of work. Returns `false` if the search made no progress
    /// because the GPU is busy.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] if the GPU was lost; the search can continue on the CPU.
    pub(super) fn advance_search(&mut self, engines: &CubeEngines<'_>) -> Result<bool, SliceError> {
        let end = match &mut self.search_state {
            None => return Ok(false),
            Some(SolveSearch::Greedy(network, visited)) => {
                let network = network.clone();
                let mut visited = std::mem::take(visited);
                let end = (0..SLICE).find_map(|_| self.follow(engines.cpu, &network, &mut visited));
                self.search_state = Some(SolveSearch::Greedy(network, visited));
                end
            }
            Some(SolveSearch::Beam(network, search)) => {
                let progress = network.advance_search(engines, search)?;
                if progress.end.is_none() && (progress.evaluated, progress.ahead) == (0, self.ahead) {
                    return Ok(false);
                }
                self.evaluated += progress.evaluated;
                self.ahead = progress.ahead;
                progress.end.map(|found| match found {
                    Some(turns) => {
                        self.solution = turns;
                        None
                    }
                    None => {
                        Some(format!("The beam search found no solution within {} moves.", progress.ahead))
                    }
                })
            }
        };
        let Some(why) = end else { return Ok(true) };
        self.why = why;
        self.search_state = None;
        self.status = if self.solution.is_empty() { CubeStatus::GaveUp } else { CubeStatus::Playing };
        Ok(true)
    }

    /// Appends the network's greedy move in the last state of `visited` to the solution, and the next state to
    /// `visited`. Returns `None` while the search continues, `Some(None)` if the next state is solved, and
    /// `Some(Some(reason))` if the solver gives up.
    fn follow(
        &mut self,
        cpu: &Cpu,
        network: &L::Policy,
        visited: &mut Vec<L::Cube>,
    ) -> Option<Option<String>> {
        let cube = *visited.last()?;
        let turn = network.turns()[L::Policy::best(&network.values(cpu, cube))];
        let after = cube.after(turn);
        self.evaluated += 1;
        self.ahead += 1;
        self.solution.push(turn);
        if after.is_solved() {
            return Some(None);
        }
        if let Some(before) = visited.iter().position(|&cube| cube == after) {
            let length = visited.len() - before;
            return Some(Some(format!("The network repeats a cycle of {length} moves.")));
        }
        visited.push(after);
        (visited.len() > MAX_MOVES)
            .then(|| Some(format!("The network did not solve the cube within {MAX_MOVES} moves.")))
    }

    /// Advances the playback of the solution by `passed` seconds, at a delay of `pace` seconds per move. Removes the
    /// due moves from the remaining solution and returns them. If `pace` is `None`, no move is due; see
    /// [`next`](Self::next).
    pub(super) fn due(&mut self, passed: f32, pace: Option<f32>) -> Vec<FaceTurn> {
        let Some(pace) = pace.filter(|_| self.status == CubeStatus::Playing) else { return Vec::new() };
        self.waited += passed;
        let mut due = Vec::new();
        while self.waited >= pace
            && let Some(turn) = self.next()
        {
            self.waited -= pace;
            due.push(turn);
        }
        due
    }

    /// Returns the next move of the solution that is not applied yet, and marks the move as applied. Ignores the
    /// playback delay.
    pub(super) fn next(&mut self) -> Option<FaceTurn> {
        if self.status != CubeStatus::Playing {
            return None;
        }
        let turn = self.solution.get(self.made).copied()?;
        self.made += 1;
        if self.made == self.solution.len() {
            self.status = if self.why.is_some() { CubeStatus::GaveUp } else { CubeStatus::Solved };
        }
        Some(turn)
    }

    /// Returns at most `most` of the cube states in the beam of the search, most likely first; empty if no beam search
    /// is in progress.
    pub(super) fn beam(&self, most: usize) -> Vec<L::Cube> {
        match &self.search_state {
            Some(SolveSearch::Beam(_, search)) => L::Policy::beam(search, most),
            Some(SolveSearch::Greedy(..)) | None => Vec::new(),
        }
    }

    /// Returns the progress in the protocol's format. `seen` converts a turn of the cube in the standard orientation to the
    /// turn that the user sees.
    pub(super) fn document(&self, seen: impl Fn(FaceTurn) -> LayerMove) -> CubeSolving {
        CubeSolving {
            by: self.by,
            status: self.status,
            evaluated: self.evaluated,
            ahead: self.ahead,
            solution: self.solution.iter().map(|&turn| seen(turn).to_string()).collect(),
            made: self.made as u32,
            optimal: self.optimal,
            // The reason for giving up is reported after all moves are applied.
            why: self.why.clone().filter(|_| self.status == CubeStatus::GaveUp),
        }
    }
}

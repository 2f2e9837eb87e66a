//! Somebody solves the cube on the table: first it is found out how, a slice at a time, then the moves are made.

use super::engines::CubeEngines;
use super::networks::CubeNetworkSnapshot;
use super::policy::CubePolicy;
use super::puzzle::CubePuzzle;
use super::training::CubeTraining;
use crate::protocol::{CubeSolver, CubeSolving, CubeStatus};
use std::sync::Arc;
use vivarium_envs::cube::FaceTurn;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;

/// Moves that the network alone may take, and those that it thinks of in a slice.
const MOST_MOVES: usize = 200;
const SLICE: usize = 8;

/// A cube on its way to being solved.
pub(super) struct SolveTask<L: CubeTraining> {
    by: CubeSolver,
    status: CubeStatus,
    seeking: Option<SolveSearch<L>>,
    evaluated: u64,
    ahead: u32,
    solution: Vec<FaceTurn>,
    made: usize,
    optimal: Option<u32>,
    /// Why the moves do not solve it.
    why: Option<String>,
    /// Seconds since the last move.
    waited: f32,
}

/// What is still looked for.
enum SolveSearch<L: CubeTraining> {
    /// The network's moves from the last of these states.
    Greedy(Arc<L::Policy>, Vec<L::Cube>),
    /// A way through a beam.
    Beam(Arc<L::Policy>, <L::Policy as CubePolicy>::Search),
}

impl<L: CubeTraining> SolveTask<L> {
    /// Begins to solve a cube.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there is nothing to solve, or whoever is to do it does not know this cube.
    pub(super) fn new(
        by: CubeSolver,
        cube: L::Cube,
        known: &CubeNetworkSnapshot<L::Policy>,
    ) -> Result<Self, LabError> {
        let refuse = |what: &str, allowed: String| Err(LabError::invalid("by", what, allowed));
        if cube.is_solved() {
            return refuse("solve", "the cube on the table is solved; scramble it first".into());
        }
        let mut solution = Vec::new();
        let seeking = match by {
            CubeSolver::Greedy => Some(SolveSearch::Greedy(known.network.clone(), vec![cube])),
            CubeSolver::Exact => match cube.solution() {
                Some(turns) => {
                    solution = turns;
                    None
                }
                None => return refuse("exact", format!("nobody knows the shortest ways of {}", L::TITLE)),
            },
            CubeSolver::Beam { width } => {
                let widest = L::info().beams.iter().copied().max();
                let Some(widest) = widest else {
                    return refuse("beam", format!("{} is solved without a search", L::TITLE));
                };
                match known.network.search(cube, width).filter(|_| (1..=widest).contains(&width)) {
                    Some(search) => Some(SolveSearch::Beam(known.network.clone(), search)),
                    None => {
                        let allowed = format!("1 to {widest} ways");
                        return Err(LabError::invalid("by.width", width.to_string(), allowed));
                    }
                }
            }
        };
        Ok(Self {
            by,
            status: if seeking.is_some() { CubeStatus::Searching } else { CubeStatus::Playing },
            seeking,
            evaluated: 0,
            ahead: solution.len() as u32,
            solution,
            made: 0,
            optimal: cube.distance(),
            why: None,
            waited: 0.0,
        })
    }

    /// Whether it is still looked for what to do.
    pub(super) fn is_searching(&self) -> bool {
        self.seeking.is_some()
    }

    /// Does one slice of looking, and says whether it came to anything: a search whose values the GPU still computes waits.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] where the GPU was lost; on the CPU the search can go on.
    pub(super) fn seek(&mut self, engines: &CubeEngines<'_>) -> Result<bool, SliceError> {
        let end = match &mut self.seeking {
            None => return Ok(false),
            Some(SolveSearch::Greedy(network, met)) => {
                let network = network.clone();
                let mut met = std::mem::take(met);
                let end = (0..SLICE).find_map(|_| self.follow(engines.cpu, &network, &mut met));
                self.seeking = Some(SolveSearch::Greedy(network, met));
                end
            }
            Some(SolveSearch::Beam(network, search)) => {
                let sought = network.seek(engines, search)?;
                if sought.end.is_none() && (sought.evaluated, sought.ahead) == (0, self.ahead) {
                    return Ok(false);
                }
                self.evaluated += sought.evaluated;
                self.ahead = sought.ahead;
                sought.end.map(|found| match found {
                    Some(turns) => {
                        self.solution = turns;
                        None
                    }
                    None => Some(format!("None of its ways solves the cube within {} moves.", sought.ahead)),
                })
            }
        };
        let Some(why) = end else { return Ok(true) };
        self.why = why;
        self.seeking = None;
        self.status = if self.solution.is_empty() { CubeStatus::GaveUp } else { CubeStatus::Playing };
        Ok(true)
    }

    /// The network's next move; when it is the last, why it goes no further unless it solves the cube.
    fn follow(&mut self, cpu: &Cpu, network: &L::Policy, met: &mut Vec<L::Cube>) -> Option<Option<String>> {
        let cube = *met.last()?;
        let turn = network.turns()[L::Policy::best(&network.values(cpu, cube))];
        let after = cube.after(turn);
        self.evaluated += 1;
        self.ahead += 1;
        self.solution.push(turn);
        if after.is_solved() {
            return Some(None);
        }
        if let Some(before) = met.iter().position(|&cube| cube == after) {
            let length = met.len() - before;
            return Some(Some(format!(
                "The network comes back to where it was {length} moves before, and would go round for ever."
            )));
        }
        met.push(after);
        (met.len() > MOST_MOVES)
            .then(|| Some(format!("The network has not solved it in {MOST_MOVES} moves.")))
    }

    /// The moves that are due after this much more time, at a pace of so many seconds each; none waits for
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

    /// The next move, whatever the pace.
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

    /// The likeliest ways of a search that is under way, at most so many.
    pub(super) fn ways(&self, most: usize) -> Vec<L::Cube> {
        match &self.seeking {
            Some(SolveSearch::Beam(_, search)) => L::Policy::ways(search, most),
            _ => Vec::new(),
        }
    }

    pub(super) fn document(&self) -> CubeSolving {
        CubeSolving {
            by: self.by,
            status: self.status,
            evaluated: self.evaluated,
            ahead: self.ahead,
            solution: self.solution.iter().map(FaceTurn::to_string).collect(),
            made: self.made as u32,
            optimal: self.optimal,
            // Reported once all moves are made.
            why: self.why.clone().filter(|_| self.status == CubeStatus::GaveUp),
        }
    }
}

//! What goes on at the table: what the network thinks of the cube on it, and whoever solves it.

use super::engines::CubeEngines;
use super::history::{CubeHistory, CubeHistoryRecord, cube_of, turn_of, turns_of};
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::policy::CubePolicy;
use super::puzzle::CubePuzzle;
use super::solve_task::SolveTask;
use super::training::CubeTraining;
use crate::protocol::{CubeActor, CubeSolver, CubeTable, CubeValue};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_envs::cube::FaceTurn;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::train::SliceError;

/// Seconds after which a network that has learned on is asked again.
const PATIENCE: f32 = 0.25;

/// Moves that the network is followed ahead.
const AHEAD: usize = 40;

/// Seconds of a move of a solution at first.
const PACE: f32 = 0.5;

/// The table, and what is thought of the cube on it.
pub(super) struct CubeSession<L: CubeTraining> {
    table: CubeHistory<L::Cube>,
    solving: Option<SolveTask<L>>,
    pace: Option<f32>,
    thought: Option<CubeMoveValues<L>>,
    /// Seconds since the newest network was taken over.
    since: f32,
    /// The states that the network would come through from here, where anybody wants to know.
    ahead: Option<Vec<L::Cube>>,
    /// Another one with every change of the document.
    pub(super) version: u32,
}

/// What a network thinks of a cube.
struct CubeMoveValues<L: CubeTraining> {
    cube: L::Cube,
    known: CubeNetworkSnapshot<L::Policy>,
    /// Of each of its moves.
    values: Vec<f32>,
}

/// What is written down of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedState {
    table: CubeHistoryRecord,
    pace: Option<f32>,
}

impl<L: CubeTraining> CubeSession<L> {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            table: CubeHistory::new(seed),
            solving: None,
            pace: Some(PACE),
            thought: None,
            since: PATIENCE,
            ahead: None,
            version: 0,
        }
    }

    pub(super) fn kept(&self) -> SavedState {
        SavedState { table: self.table.record(), pace: self.pace }
    }

    /// The table that was kept.
    ///
    /// # Errors
    /// [`LabError`] saying what of it cannot be.
    pub(super) fn of_kept(seed: u64, kept: &SavedState) -> Result<Self, LabError> {
        let table = CubeHistory::of_record(seed, &kept.table)?;
        Ok(Self { table, pace: network_file::check_pace(kept.pace)?, ..Self::new(seed) })
    }

    /// The states of the history, and those that the network would come through from there.
    pub(super) fn paths(&self) -> (&[L::Cube], &[L::Cube]) {
        (self.table.path(), self.ahead.as_deref().unwrap_or_default())
    }

    /// The likeliest ways of a search that is under way, at most so many.
    pub(super) fn ways(&self, most: usize) -> Vec<L::Cube> {
        self.solving.as_ref().map_or(Vec::new(), |solving| solving.ways(most))
    }

    /// Whether there is something to find out for whoever solves.
    pub(super) fn is_searching(&self) -> bool {
        self.solving.as_ref().is_some_and(SolveTask::is_searching)
    }

    /// Does a slice of that.
    ///
    /// # Errors
    /// Those of [`SolveTask::seek`].
    pub(super) fn seek(&mut self, engines: &CubeEngines<'_>) -> Result<(), SliceError> {
        if let Some(solving) = &mut self.solving
            && solving.seek(engines)?
        {
            self.changed();
        }
        Ok(())
    }

    /// Lets time pass: moves of a solution are made, and the network is asked what it thinks. It is followed ahead only if
    /// that is wanted.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a network.
    pub(super) fn pass(
        &mut self,
        cpu: &Cpu,
        networks: &mut CubeNetworks<L>,
        learner: &L,
        passed: f32,
        ahead: bool,
    ) -> Result<(), LabError> {
        let due = self.solving.as_mut().map_or(Vec::new(), |solving| solving.due(passed, self.pace));
        self.make(&due, CubeActor::Solver);
        self.since += passed;
        let state = self.table.state();
        let fresh = |thought: &CubeMoveValues<L>| {
            thought.cube == state && Arc::ptr_eq(&thought.known.network, &networks.present().network)
        };
        let there = self.thought.as_ref().is_some_and(fresh) && (!ahead || self.ahead.is_some());
        let is_old = networks.is_behind(learner) && self.since >= PATIENCE;
        if there && !is_old {
            return Ok(());
        }
        // While a cube turns quickly, the network need not be the newest either.
        let known = if self.since >= PATIENCE {
            self.since = 0.0;
            networks.refreshed(learner)?
        } else {
            networks.present()
        };
        let values = known.network.values(cpu, state);
        self.ahead = ahead.then(|| follow::<L>(cpu, &known.network, state, &values));
        self.thought = Some(CubeMoveValues { cube: state, known, values });
        self.changed();
        Ok(())
    }

    fn make(&mut self, turns: &[FaceTurn], by: CubeActor) {
        turns.iter().for_each(|&turn| self.table.turn(turn, by));
        if !turns.is_empty() {
            self.changed();
        }
    }

    /// The document is another one.
    pub(super) fn changed(&mut self) {
        self.version = self.version.wrapping_add(1);
    }

    /// Whoever solves is interrupted.
    fn interrupt(&mut self) {
        self.solving = None;
        self.changed();
    }

    pub(super) fn turn(&mut self, turn: &str) -> Result<(), LabError> {
        let turn = turn_of(turn, L::Cube::SIZE)?;
        self.interrupt();
        self.make(&[turn], CubeActor::Person);
        Ok(())
    }

    pub(super) fn apply(&mut self, turns: &str) -> Result<(), LabError> {
        let turns = turns_of("turns", turns, L::Cube::SIZE)?;
        self.interrupt();
        self.make(&turns, CubeActor::Person);
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
        self.table.put(cube_of(stickers)?);
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
        let known = networks.refreshed(learner)?;
        self.solving = Some(SolveTask::new(by, self.table.state(), &known)?);
        self.changed();
        Ok(())
    }

    pub(super) fn stop(&mut self) {
        self.interrupt();
    }

    /// The next move of the solution, whatever the pace.
    pub(super) fn move_now(&mut self) -> Result<(), LabError> {
        let Some(turn) = self.solving.as_mut().and_then(SolveTask::next) else {
            let allowed = "there is no solution whose moves are being made";
            return Err(LabError::invalid("command", "move_now", allowed));
        };
        self.make(&[turn], CubeActor::Solver);
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
        if let Some(thought) = self.thought.as_ref().filter(|thought| thought.cube == state) {
            let best = L::Policy::best(&thought.values);
            let value = |(at, (&value, &turn)): (usize, (&f32, &FaceTurn))| CubeValue {
                turn: turn.to_string(),
                value,
                best: at == best,
                optimal: distance
                    .map(|distance| state.after(turn).distance().is_some_and(|after| after < distance)),
            };
            let numbers = thought.values.iter().zip(thought.known.network.turns());
            values = numbers.enumerate().map(value).collect();
            updates = thought.known.updates;
        }
        CubeTable {
            cube: self.table.cube,
            stickers: state.written(),
            solved: state.is_solved(),
            distance,
            history: self.table.history(),
            at: self.table.at(),
            values,
            player: networks.player(),
            updates,
            solving: self.solving.as_ref().map(SolveTask::document),
            pace: self.pace,
        }
    }
}

/// The states that a network comes through, from the one after its first move on; it ends where it comes round.
fn follow<L: CubeTraining>(cpu: &Cpu, network: &L::Policy, from: L::Cube, values: &[f32]) -> Vec<L::Cube> {
    let mut met = vec![from];
    let mut best = L::Policy::best(values);
    while met.len() <= AHEAD && !met[met.len() - 1].is_solved() {
        let after = met[met.len() - 1].after(network.turns()[best]);
        if met.contains(&after) {
            break;
        }
        met.push(after);
        best = L::Policy::best(&network.values(cpu, after));
    }
    met.split_off(1)
}

//! The experiment: the learner, what it is tried on, and the table.

use super::evaluator::Evaluator;
use super::learner::{Learner, Network, Stopped, schema};
use super::networks::{Networks, Opened};
use super::picture::Versioned;
use super::session::CubeSession;
use crate::protocol::CubePlayer;
use crate::protocol::{CubeCommand as Command, CubeDocuments, CubeView};
use serde_json::Value;
use std::sync::Arc;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Progress, Reply};
use vivarium_lab::run::{MOST_ROLL_BACKS, Run, check_episodes, diverged};
use vivarium_lab::{Exhibit, Experiment};

/// The most cubes, or episodes, of an evaluation.
const MOST_TRIALS: u32 = 10_000;

/// One slice in so many is a trial's, where there is one: it takes less time than a slice of training.
const TRIAL_EVERY: u32 = 3;

/// A network that learns to solve a cube.
pub(crate) struct CubeExperiment<L: Learner> {
    pub(super) run: Run,
    pub(super) learner: L,
    pub(super) networks: Networks<L>,
    pub(super) evaluator: L::Evaluator,
    pub(super) session: CubeSession<L>,
    pub(super) roll_backs: u32,
    /// What the guard goes back to, and its gradient steps.
    good: Vec<Tensor>,
    good_at: u64,
    /// What looks and thinks in frames.
    pub(super) single: Arc<Cpu>,
    slices: u32,
    /// Whether there was work since the last frame: where there is none, evaluator and searches go on in frames.
    pub(super) worked: bool,
    /// Changes with the document `run`.
    pub(super) ran: u32,
    pub(super) sent: Option<Versioned>,
}

impl<L: Learner> CubeExperiment<L> {
    /// An experiment that has learnt nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = L::new(&config, seed)?;
        Self::of(config, learner)
    }

    /// One with this learner.
    pub(super) fn of(config: Value, learner: L) -> Result<Self, LabError> {
        Ok(Self {
            networks: Networks::new(&learner)?,
            evaluator: L::Evaluator::new(&config),
            session: CubeSession::new(learner.seed()),
            roll_backs: 0,
            good: learner.save(),
            good_at: learner.progress().updates,
            single: Arc::new(Cpu::new(1)),
            slices: 0,
            worked: false,
            ran: 0,
            sent: None,
            run: Run::new(L::NAME, learner.seed(), config, schema::<L>().fields),
            learner,
        })
    }

    /// Books a finished iteration.
    fn book(&mut self, row: MetricRow) {
        let updates = self.learner.progress().updates;
        if updates >= self.good_at + L::GOOD_AFTER {
            self.roll_backs = 0;
            self.good = self.learner.save();
            self.good_at = updates;
        }
        self.ran = self.ran.wrapping_add(1);
        self.run.report(row);
    }

    /// Goes back to the last good state with half the learning rate, or gives up.
    fn break_down(&mut self, reason: &str) -> Result<(), LabError> {
        self.roll_backs += 1;
        let [rate, _] = L::LEARNING_RATES;
        if self.roll_backs > MOST_ROLL_BACKS {
            return Err(diverged(reason, "last good state", rate));
        }
        let config = self.run.slowed(&L::LEARNING_RATES)?;
        self.learner = L::restore(&config, self.learner.seed(), &self.good)?;
        self.networks.taken_up(&self.learner)?;
        self.run.set_config(config);
        let steps = self.learner.progress().steps;
        let state = format!("It is back where it was after {steps} samples");
        self.run.notice_roll_back(steps, reason, &state, rate);
        Ok(())
    }

    /// Does a slice of what is tried beside training; `false` where nothing is.
    pub(super) fn try_on(&mut self, cpu: &Cpu) -> Result<bool, LabError> {
        if !self.evaluator.is_due(&self.networks, &self.learner) {
            return Ok(false);
        }
        if let Some(row) = self.evaluator.advance(cpu, &mut self.networks, &self.learner)? {
            self.run.report(row);
        }
        Ok(true)
    }

    /// What a person asks of the table and the networks.
    fn obey(&mut self, command: Command) -> Result<Reply, LabError> {
        let Self { session, networks, learner, .. } = self;
        match command {
            Command::Turn { turn } => session.turn(&turn)?,
            Command::Apply { turns } => session.apply(&turns)?,
            Command::CubeStep { to } => session.step(to)?,
            Command::Scramble { moves } => session.scramble(moves)?,
            Command::SetCube { stickers } => session.set(&stickers)?,
            Command::ResetCube => session.reset(),
            Command::Solve { by } => session.solve(by, networks, learner)?,
            Command::StopSolving => session.stop(),
            Command::MoveNow => session.move_now()?,
            Command::SetPace { seconds } => session.set_pace(seconds)?,
            Command::SetExam { on } => self.evaluator.switch(on)?,
            Command::SetPlayer { player } => {
                networks.set_player(player)?;
                session.changed();
            }
            Command::ExportPlayer => return self.export(),
        }
        Ok(Reply::Done)
    }
}

impl<L: Learner> Experiment for CubeExperiment<L> {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn progress(&self) -> Progress {
        self.learner.progress()
    }

    fn phase(&self) -> &'static str {
        let is_theirs = self.slices % TRIAL_EVERY == TRIAL_EVERY - 1;
        if is_theirs && self.evaluator.is_due(&self.networks, &self.learner) {
            return self.evaluator.phase();
        }
        self.learner.phase()
    }

    /// A slice of training, or now and then of what goes on beside it.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        self.worked = true;
        self.slices = self.slices.wrapping_add(1);
        if self.slices.is_multiple_of(TRIAL_EVERY) && self.try_on(cpu)? {
            return Ok(());
        }
        if self.slices % 2 == 1 && self.session.is_searching() {
            self.session.seek(cpu);
            return Ok(());
        }
        match self.learner.advance(cpu) {
            Ok(Some(row)) => self.book(row),
            Ok(None) => {}
            Err(Stopped::Broken(reason)) => self.break_down(&reason)?,
            Err(Stopped::Failed(error)) => return Err(error),
        }
        Ok(())
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        self.learner.set_config(&config)?;
        self.evaluator.set_config(&config);
        self.run.set_config(config);
        Ok(())
    }

    /// Has the network of a file look at the table.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let (header, tensors) = network_file::open_network(&schema::<L>(), bytes)?;
        let network =
            L::Network::restore(&header.config, &tensors.into_all()).map_err(LabError::in_checkpoint)?;
        let (config, samples) = (header.config, header.steps);
        self.networks.opened = Some(Opened { network: Arc::new(network), config, samples });
        self.networks.set_player(CubePlayer::Opened)?;
        self.ran = self.ran.wrapping_add(1);
        Ok(())
    }

    /// Of 2×2×2 an exam in all states, whatever `episodes` is; of 3×3×3 as many random cubes.
    fn evaluate_unless(
        &mut self,
        stop: &dyn Fn(f64) -> bool,
        cpu: &Cpu,
        episodes: u32,
        seed: u64,
    ) -> Result<Option<Evaluation>, LabError> {
        check_episodes(episodes, MOST_TRIALS, None)?;
        let network = self.learner.network()?;
        let evaluation = L::evaluate(stop, cpu, &network, episodes, seed);
        Ok(evaluation.map(|cubes| {
            let measures = vec![
                ("solved", Some(cubes.solved)),
                ("excess", cubes.mean_excess),
                ("moves", cubes.mean_length),
            ];
            let perfect = cubes.solved == 1.0 && cubes.mean_excess == Some(0.0);
            Evaluation::new(&cubes, measures, perfect)
        }))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes()
    }
}

impl<L: Learner> Exhibit for CubeExperiment<L> {
    type View = CubeView;
    type Documents = CubeDocuments;
    type Command = Command;

    fn frame(&mut self, view: &CubeView, elapsed: f32) -> Frame<CubeDocuments> {
        self.picture(*view, elapsed)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        self.obey(command)
    }
}

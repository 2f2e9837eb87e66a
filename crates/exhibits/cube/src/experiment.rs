//! Cube experiment: learner, background evaluator and interactive cube.

use super::background_evaluator::BackgroundEvaluator;
use super::checkpoint::CubeExperimentState;
use super::engines::CubeEngines;
use super::networks::OpenedNetwork;
use super::picture::Picture;
use super::policy::CubePolicy;
use super::training::CubeTraining;
use crate::protocol::CubePlayer;
use crate::protocol::{CubeCommand as Command, CubeDocuments, CubeEvaluation, CubeView};
use serde_json::Value;
use std::sync::Arc;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::checkpoint::{Header, Tensors};
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Progress, Reply};
use vivarium_lab::run::{MAX_ROLLBACKS, Run, diverged};
use vivarium_lab::train::{SliceError, Train};
use vivarium_lab::{Exhibit, Experiment, time};

/// Maximum number of episodes of an evaluation.
const MAX_TRIALS: u32 = 10_000;

/// Interval, in calls of `advance`, at which a call advances a due background evaluation instead of training.
const EVALUATION_PERIOD: u32 = 3;

/// Experiment that trains a network to solve a cube.
pub(crate) struct CubeExperiment<L: CubeTraining, E> {
    run: Run,
    pub(super) state: CubeExperimentState<L, E>,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<L::GpuTrainer>>,
    /// Last good learner state, which is restored after divergence.
    rollback_state: Vec<Tensor>,
    /// Number of gradient steps of `rollback_state`.
    rollback_updates: u64,
    /// Single-threaded CPU engine for work that frames do.
    single_thread: Arc<Cpu>,
    slices: u32,
    /// Whether training advanced since the last frame. If not, frames advance evaluations and searches.
    trained_since_frame: bool,
    /// Version of the document `run`; increases when the document changes.
    run_version: u32,
    picture: Picture,
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> CubeExperiment<L, E> {
    /// Creates an experiment from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = L::new(&config, seed)?;
        let state = CubeExperimentState::new(&config, learner)?;
        Ok(Self::of(config, state))
    }

    /// Creates an experiment from a checkpoint, whose config must be complete and validated.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let (state, notices) = CubeExperimentState::open(header, tensors)?;
        let mut opened = Self::of(header.config.clone(), state);
        notices.into_iter().for_each(|notice| opened.notify(notice));
        Ok(opened)
    }

    fn of(config: Value, state: CubeExperimentState<L, E>) -> Self {
        let learner = &state.learner;
        Self {
            rollback_state: learner.save(),
            rollback_updates: learner.progress().updates,
            single_thread: Arc::new(Cpu::new(1)),
            slices: 0,
            trained_since_frame: false,
            run_version: 0,
            picture: Picture::default(),
            #[cfg(feature = "gpu")]
            device: None,
            run: Run::new(L::NAME, learner.seed(), config, L::schema().fields),
            state,
        }
    }

    /// Evaluates a network on the GPU if training runs there. Falls back to the CPU if the GPU fails.
    fn evaluate(
        &mut self,
        cpu: &Cpu,
        network: &L::Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, LabError> {
        // In a browser the main loop cannot block on the GPU.
        let engines = if cfg!(target_arch = "wasm32") { cpu.into() } else { self.engines(cpu) };
        match L::evaluate(&engines, network, episodes) {
            Ok(evaluation) => Ok(evaluation),
            Err(stopped) => {
                self.recover(stopped)?;
                self.evaluate(cpu, network, episodes)
            }
        }
    }

    /// Returns the engines for background work.
    fn engines<'a>(&self, cpu: &'a Cpu) -> CubeEngines<'a> {
        CubeEngines {
            cpu,
            #[cfg(feature = "gpu")]
            gpu: self.device.as_ref().map(|device| device.gpu().clone()),
        }
    }

    /// Does a bounded amount of background evaluation. Returns `false`, and does nothing, if no evaluation is due.
    fn advance_evaluation(&mut self, cpu: &Cpu) -> Result<bool, LabError> {
        let engines = self.engines(cpu);
        let CubeExperimentState { evaluator, networks, learner, .. } = &mut self.state;
        if !evaluator.is_due(networks, learner) {
            return Ok(false);
        }
        match evaluator.advance(&engines, networks, learner) {
            Ok(row) => row.into_iter().for_each(|row| self.run.report(row)),
            Err(stopped) => self.recover(stopped)?,
        }
        Ok(true)
    }

    /// Advances the search for the interactive cube by a bounded amount of work.
    fn advance_search(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        match self.state.session.advance_search(&self.engines(cpu)) {
            Ok(()) => Ok(()),
            Err(stopped) => self.recover(stopped),
        }
    }

    /// Advances the time of the interactive cube by `passed` seconds. If training has not advanced since the last
    /// frame, also advances evaluations and searches.
    fn advance_table(&mut self, view: CubeView, passed: f32) -> Result<(), LabError> {
        if !std::mem::take(&mut self.trained_since_frame) {
            let cpu = self.single_thread.clone();
            if self.state.session.is_searching() {
                self.advance_search(&cpu)?;
            } else {
                self.advance_evaluation(&cpu)?;
            }
        }
        let CubeExperimentState { session, networks, learner, .. } = &mut self.state;
        session.advance(&self.single_thread, networks, learner, passed, view.map)
    }

    /// Executes a user command. A command that fails changes nothing.
    fn handle_command(&mut self, command: Command) -> Result<Reply, LabError> {
        let CubeExperimentState { session, networks, learner, evaluator, .. } = &mut self.state;
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
            Command::SetEvaluation { on } => evaluator.switch(on)?,
            Command::SetPlayer { player } => {
                networks.set_player(player)?;
                session.changed();
            }
            Command::ExportPlayer => return self.state.export(&self.run),
        }
        Ok(Reply::Done)
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Train for CubeExperiment<L, E> {
    type Report = MetricRow;

    fn slice(&mut self, cpu: &Cpu) -> Result<Option<MetricRow>, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            return device.advance(|trainer| self.state.learner.advance_on_gpu(cpu, trainer));
        }
        self.state.learner.advance(cpu)
    }

    fn record_report(&mut self, row: MetricRow) -> Result<(), LabError> {
        let updates = self.state.learner.progress().updates;
        if updates >= self.rollback_updates + L::ROLLBACK_INTERVAL {
            self.state.rollbacks = 0;
            self.rollback_state = self.state.learner.save();
            self.rollback_updates = updates;
        }
        self.run_version = self.run_version.wrapping_add(1);
        self.run.report(row);
        Ok(())
    }

    /// Restores the last good state and halves the learning rate, or stops with an error after too many rollbacks.
    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError> {
        self.state.rollbacks += 1;
        let [rate, _] = L::LEARNING_RATES;
        if self.state.rollbacks > MAX_ROLLBACKS {
            return Err(diverged(reason, "last good state", rate));
        }
        let config = self.run.with_halved_rates(&L::LEARNING_RATES)?;
        self.state.learner = L::restore(&config, self.state.learner.seed(), &self.rollback_state)?;
        self.state.networks.replace_learner(&self.state.learner)?;
        self.run.set_config(config);
        self.restart_device()?;
        let steps = self.state.learner.progress().steps;
        let state = format!("Training is back at {steps} samples");
        self.run.report_rollback(steps, reason, &state, rate);
        Ok(())
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Experiment for CubeExperiment<L, E> {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn progress(&self) -> Progress {
        self.state.learner.progress()
    }

    fn phase(&self) -> &'static str {
        let is_evaluation_slice = self.slices % EVALUATION_PERIOD == EVALUATION_PERIOD - 1;
        if is_evaluation_slice && self.state.evaluator.is_due(&self.state.networks, &self.state.learner) {
            return self.state.evaluator.phase();
        }
        self.state.learner.phase()
    }

    /// Does a bounded amount of training. Some calls advance a background evaluation or a search instead.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        self.trained_since_frame = true;
        self.slices = self.slices.wrapping_add(1);
        if self.slices.is_multiple_of(EVALUATION_PERIOD) && self.advance_evaluation(cpu)? {
            return Ok(());
        }
        if self.slices % 2 == 1 && self.state.session.is_searching() {
            return self.advance_search(cpu);
        }
        self.train(cpu)
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        self.state.learner.set_config(&config)?;
        self.state.evaluator.set_config(&config);
        self.run.set_config(config);
        Ok(())
    }

    /// Opens a network file and selects its network for the interactive cube.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let (header, tensors) = network_file::open_network(&L::schema(), bytes)?;
        let network =
            L::Policy::restore(&header.config, &tensors.into_vec()).map_err(LabError::in_checkpoint)?;
        let (config, samples) = (header.config, header.steps);
        self.state.networks.opened = Some(OpenedNetwork { network: Arc::new(network), config, samples });
        self.state.networks.set_player(CubePlayer::Opened)?;
        self.run_version = self.run_version.wrapping_add(1);
        Ok(())
    }

    /// Evaluates the newest network on all states (2×2×2) or on random cubes (3×3×3), one for each of `episodes`.
    fn evaluate_interruptible(
        &mut self,
        cpu: &Cpu,
        episodes: Episodes<'_>,
    ) -> Result<Option<Evaluation>, LabError> {
        episodes.check(MAX_TRIALS, None)?;
        let network = self.state.learner.network()?;
        let evaluation = self.evaluate(cpu, &network, episodes)?;
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
        self.state.bytes(&self.run)
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Exhibit for CubeExperiment<L, E> {
    type View = CubeView;
    type Documents = CubeDocuments;
    type Command = Command;

    fn frame(&mut self, view: &CubeView, elapsed: f32) -> Frame<CubeDocuments> {
        if let Err(error) = self.advance_table(*view, time::passed(elapsed)) {
            self.notify(format!("The interactive cube is stopped: {error}."));
        }
        self.picture.frame(*view, &mut self.state, self.run_version)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        self.handle_command(command)
    }
}
